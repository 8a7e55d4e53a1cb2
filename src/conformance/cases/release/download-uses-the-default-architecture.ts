import { DEFAULT_ARCHITECTURES, DISTRIBUTION_PLATFORMS } from "../../../contract/release/values.ts";
import { expectEach } from "../../expect.ts";
import { expectError } from "../../release/bodies.ts";
import { expectRedirect } from "../../release/expect-redirect.ts";
import type { ReleaseCase } from "../../release/target.ts";

export const downloadUsesTheDefaultArchitecture: ReleaseCase = {
  id: "download-uses-the-default-architecture",
  title: "Without an architecture a download is universal on android and macos, x64 elsewhere",
  section: "release contract, GET /api/v1/download/{platform}",
  async run(target) {
    await expectEach(await target.latestOfEach(), async ({ channel, artifacts }) => {
      await expectEach(DISTRIBUTION_PLATFORMS, async (platform) => {
        const answer = await target.api.get(`/api/v1/download/${platform}?channel=${channel}`);
        const match = artifacts.find(
          (artifact) =>
            artifact.platform === platform &&
            artifact.architecture === DEFAULT_ARCHITECTURES[platform],
        );
        if (match === undefined) expectError(answer, "artifact_not_found");
        else expectRedirect(answer, match.url);
      });
    });
  },
};
