import { NotTestable } from "../../case.ts";
import { expectEach, violate } from "../../expect.ts";
import { fetchManifest, readPayload } from "../../release/manifest.ts";
import type { ReleaseCase } from "../../release/target.ts";

export const manifestNamesWithdrawnReleases: ReleaseCase = {
  id: "manifest-names-withdrawn-releases",
  title: "The manifest tells who has a withdrawn release that it was taken back",
  section: "Trellis decision, release service: decoded manifest payload, withdrawn",
  async run(target) {
    const expected = target.input.holds?.withdrawn ?? [];
    if (expected.length === 0) {
      throw new NotTestable("No withdrawn version is known; name one in the file of --holds");
    }
    const answer = await fetchManifest(target);
    const named = readPayload(answer).withdrawn.map(({ version }) => version);
    await expectEach(expected, (version) => {
      if (named.includes(version)) return;
      violate(answer.asked, `${version} among the withdrawn`, named.join(", ") || "none");
    });
  },
};
