import { expectEach, expectSame } from "../../expect.ts";
import { expectDecision } from "../../release/bodies.ts";
import { updatePath } from "../../release/paths.ts";
import type { ReleaseCase } from "../../release/target.ts";

export const versionsAreComparedAsNumbers: ReleaseCase = {
  id: "versions-are-compared-as-numbers",
  title: "Versions are compared number by number, not as text, and numbers of any length",
  section: "release contract, States and transitions: derived decision rule 1; convention 5",
  async run(target) {
    await expectEach(await target.latestOfEach(), async ({ version, buildNumber, channel }) => {
      const [major = "0", minor = "0", patch = "0"] = version.split(".");
      // One digit more: greater as a number, not greater as text ("10" stands before "9").
      const longer = (digits: string) => `1${"0".repeat(digits.length)}`;
      const newer = [
        `${longer(major)}.0.0`,
        `${major}.${longer(minor)}.0`,
        `${major}.${minor}.${longer(patch)}`,
        `${major}.${minor}.${"9".repeat(400)}`,
      ];
      await expectEach(newer, async (clientVersion) => {
        const answer = await target.api.get(
          updatePath({ version: clientVersion, build: buildNumber, channel }),
        );
        expectSame(answer, "updateAvailable", expectDecision(answer).updateAvailable, false);
      });
    });
  },
};
