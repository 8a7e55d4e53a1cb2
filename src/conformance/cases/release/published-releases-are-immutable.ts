import { CACHE } from "../../../contract/release/routes.ts";
import { expectEach, expectHeader, expectStatus } from "../../expect.ts";
import type { ReleaseCase } from "../../release/target.ts";

export const publishedReleasesAreImmutable: ReleaseCase = {
  id: "published-releases-are-immutable",
  title: "A concrete release and its downloads may be kept for good",
  section: "release contract, Cache-Control on successful responses: second class",
  async run(target) {
    const releases = await target.latestOfEach();
    const paths = releases.flatMap(({ version }) => [
      `/api/v1/releases/${version}`,
      `/api/v1/releases/${version}/downloads`,
    ]);
    await expectEach(paths, async (path) => {
      const answer = await target.api.get(path);
      expectStatus(answer, 200);
      expectHeader(answer, "Cache-Control", CACHE.immutable);
    });
  },
};
