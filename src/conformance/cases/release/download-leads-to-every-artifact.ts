import { DISTRIBUTION_PLATFORMS } from "../../../contract/release/values.ts";
import { expectEach } from "../../expect.ts";
import { expectRedirect } from "../../release/expect-redirect.ts";
import type { ReleaseCase } from "../../release/target.ts";

export const downloadLeadsToEveryArtifact: ReleaseCase = {
  id: "download-leads-to-every-artifact",
  title: "Every platform and architecture redirects to the address of its first artifact",
  section: "release contract, GET /api/v1/download/{platform}/{architecture}; convention 7",
  async run(target) {
    await expectEach(await target.latestOfEach(), async ({ channel, artifacts }) => {
      const seen = new Set<string>();
      await expectEach(artifacts, async ({ platform, architecture, url }) => {
        const path = `${platform}/${encodeURIComponent(architecture)}`;
        if (!DISTRIBUTION_PLATFORMS.some((name) => name === platform) || seen.has(path)) return;
        seen.add(path);
        const answer = await target.api.get(`/api/v1/download/${path}?channel=${channel}`);
        expectRedirect(answer, url);
      });
    });
  },
};
