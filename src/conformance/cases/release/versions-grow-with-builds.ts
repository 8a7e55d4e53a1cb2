import { RELEASE_CHANNELS } from "../../../contract/release/values.ts";
import { expectEach, violate } from "../../expect.ts";
import type { ReleaseCase } from "../../release/target.ts";
import { compareVersions } from "../../release/version-order.ts";

export const versionsGrowWithBuilds: ReleaseCase = {
  id: "versions-grow-with-builds",
  title: "Inside a channel the higher build has the newer version",
  section: "release contract, Versioning; Trellis decision: catalogue validation",
  async run(target) {
    await expectEach(RELEASE_CHANNELS, async (channel) => {
      const releases = await target.list(channel);
      for (const [index, newer] of releases.entries()) {
        const older = releases[index + 1];
        if (older === undefined || compareVersions(newer.version, older.version) > 0) continue;
        const asked = `GET /api/v1/releases?channel=${channel}`;
        const expected = `a newer version than ${older.version} for build ${newer.buildNumber}`;
        violate(asked, expected, newer.version);
      }
    });
  },
};
