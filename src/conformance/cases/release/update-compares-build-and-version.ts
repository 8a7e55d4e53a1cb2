import { NotTestable } from "../../case.ts";
import { expectEach, expectSame } from "../../expect.ts";
import { expectDecision } from "../../release/bodies.ts";
import { updatePath } from "../../release/paths.ts";
import type { ReleaseCase } from "../../release/target.ts";

const NEWER_VERSION = "987654321.0.0";
const OLDER_VERSION = "0.0.0";

export const updateComparesBuildAndVersion: ReleaseCase = {
  id: "update-compares-build-and-version",
  title: "An update is there when the target's build is greater or its version newer, else not",
  section: "release contract, States and transitions: derived decision rule 1",
  async run(target) {
    const releases = (await target.latestOfEach()).filter(
      ({ version, buildNumber }) => version !== OLDER_VERSION && buildNumber > 1,
    );
    if (releases.length === 0) {
      throw new NotTestable("No client can be older than the latest release: it is build 1");
    }
    await expectEach(releases, async ({ version, buildNumber, channel }) => {
      const rows = [
        [version, buildNumber, false],
        [version, buildNumber + 1, false],
        [NEWER_VERSION, buildNumber, false],
        [NEWER_VERSION, buildNumber + 1, false],
        [version, buildNumber - 1, true],
        [NEWER_VERSION, buildNumber - 1, true],
        [OLDER_VERSION, buildNumber, true],
        [OLDER_VERSION, Number.MAX_SAFE_INTEGER, true],
        [OLDER_VERSION, buildNumber - 1, true],
      ] as const;
      await expectEach(rows, async ([clientVersion, build, expected]) => {
        const answer = await target.api.get(updatePath({ version: clientVersion, build, channel }));
        expectSame(answer, "updateAvailable", expectDecision(answer).updateAvailable, expected);
      });
    });
  },
};
