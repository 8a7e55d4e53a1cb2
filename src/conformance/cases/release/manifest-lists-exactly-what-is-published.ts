import { expectEach, expectSame } from "../../expect.ts";
import { fetchManifest, readPayload } from "../../release/manifest.ts";
import type { ReleaseCase } from "../../release/target.ts";

// Enough to show a difference without asking for a whole history.
const COMPARED_RELEASES = 20;

export const manifestListsExactlyWhatIsPublished: ReleaseCase = {
  id: "manifest-lists-exactly-what-is-published",
  title: "The manifest holds every published release as the API serves it, newest build first",
  section: "release contract, GET /api/v1/manifest; Trellis decision: decoded manifest payload",
  async run(target) {
    const answer = await fetchManifest(target);
    const { releases, product } = readPayload(answer);
    const served = await target.published();
    expectSame(
      answer,
      "releases",
      releases.map(({ version }) => version),
      served.map(({ version }) => version),
    );
    await expectEach(releases.slice(0, COMPARED_RELEASES), async (release) => {
      const concrete = await target.release(release.version);
      expectSame(answer, `release ${release.version} as the API serves it`, release, concrete);
    });
    if (target.input.product !== undefined) {
      expectSame(answer, "product", product, target.input.product);
    }
  },
};
