import { NotTestable } from "../../case.ts";
import { expectEach, violate } from "../../expect.ts";
import { expectHidden } from "../../release/expect-hidden.ts";
import { readPayload } from "../../release/manifest.ts";
import type { ReleaseCase } from "../../release/target.ts";

export const draftsAreNeverExposed: ReleaseCase = {
  id: "drafts-are-never-exposed",
  title: "A draft is found nowhere: not by version, not in a list, not in the manifest",
  section: "release contract, What the service does: convention 9; States and transitions",
  async run(target) {
    const drafts = target.input.holds?.drafts ?? [];
    if (drafts.length === 0) {
      throw new NotTestable("No draft is known; name one in the file of --holds");
    }
    await expectEach(drafts, (version) => expectHidden(target, version));
    const manifest = await target.api.get("/api/v1/manifest");
    if (manifest.status === 503) return;
    const { releases, withdrawn } = readPayload(manifest);
    const named = new Set([...releases, ...withdrawn].map(({ version }) => version));
    await expectEach(drafts, (version) => {
      if (named.has(version)) violate(manifest.asked, `no ${version} in the payload`, version);
    });
  },
};
