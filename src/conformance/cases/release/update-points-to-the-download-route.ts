import { DISTRIBUTION_PLATFORMS } from "../../../contract/release/values.ts";
import { expectEach, expectSame } from "../../expect.ts";
import { expectDecision } from "../../release/bodies.ts";
import { updatePath } from "../../release/paths.ts";
import type { ReleaseCase } from "../../release/target.ts";

export const updatePointsToTheDownloadRoute: ReleaseCase = {
  id: "update-points-to-the-download-route",
  title: "download is the path of the platform's download route and keeps the beta channel",
  section: "release contract, GET /api/v1/update/{platform}: download",
  async run(target) {
    const channels = (await target.latestOfEach()).map(({ channel }) => channel);
    const questions = channels.flatMap((channel) =>
      DISTRIBUTION_PLATFORMS.map((platform) => ({ channel, platform })),
    );
    await expectEach(questions, async ({ channel, platform }) => {
      const answer = await target.api.get(
        updatePath({ platform, version: "0.0.1", build: 1, channel }),
      );
      const path = `/api/v1/download/${platform}${channel === "beta" ? "?channel=beta" : ""}`;
      expectSame(answer, "download", expectDecision(answer).download, path);
    });
  },
};
