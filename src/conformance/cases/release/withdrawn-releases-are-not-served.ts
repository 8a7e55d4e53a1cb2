import { NotTestable } from "../../case.ts";
import { expectEach, violate } from "../../expect.ts";
import { expectHidden } from "../../release/expect-hidden.ts";
import { readPayload } from "../../release/manifest.ts";
import type { ReleaseCase } from "../../release/target.ts";

export const withdrawnReleasesAreNotServed: ReleaseCase = {
  id: "withdrawn-releases-are-not-served",
  title: "A release that was taken back is served no more, and is no release of the manifest",
  section:
    "release contract, Errors: release_not_found; Trellis decision: only published is served",
  async run(target) {
    const versions = target.input.holds?.withdrawn ?? [];
    if (versions.length === 0) {
      throw new NotTestable("No withdrawn version is known; name one in the file of --holds");
    }
    await expectEach(versions, (version) => expectHidden(target, version));
    const manifest = await target.api.get("/api/v1/manifest");
    if (manifest.status === 503) return;
    const named = new Set(readPayload(manifest).releases.map(({ version }) => version));
    await expectEach(versions, (version) => {
      if (named.has(version)) violate(manifest.asked, `no release ${version}`, version);
    });
  },
};
