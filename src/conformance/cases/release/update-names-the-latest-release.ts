import { DISTRIBUTION_PLATFORMS } from "../../../contract/release/values.ts";
import { expectEach, expectSame } from "../../expect.ts";
import { expectDecision } from "../../release/bodies.ts";
import { updatePath } from "../../release/paths.ts";
import type { ReleaseCase } from "../../release/target.ts";

export const updateNamesTheLatestRelease: ReleaseCase = {
  id: "update-names-the-latest-release",
  title: "The target of a decision is the latest release of the channel, on every platform",
  section: "release contract, GET /api/v1/update/{platform}: target; UpdateDecision",
  async run(target) {
    const releases = await target.latestOfEach();
    const questions = releases.flatMap((release) =>
      DISTRIBUTION_PLATFORMS.map((platform) => ({ release, platform })),
    );
    await expectEach(questions, async ({ release, platform }) => {
      const { version, buildNumber, channel, minimumSupportedVersion } = release;
      const answer = await target.api.get(
        updatePath({ platform, version: "0.0.1", build: 1, channel }),
      );
      const decision = expectDecision(answer);
      expectSame(answer, "platform", decision.platform, platform);
      expectSame(answer, "target", decision.target, { version, buildNumber });
      expectSame(
        answer,
        "minimumSupportedVersion",
        decision.minimumSupportedVersion,
        minimumSupportedVersion,
      );
    });
  },
};
