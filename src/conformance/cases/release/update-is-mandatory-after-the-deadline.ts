import { NotTestable } from "../../case.ts";
import { expectEach, expectSame } from "../../expect.ts";
import { expectDecision } from "../../release/bodies.ts";
import { latestWithDeadline } from "../../release/deadline.ts";
import { updatePath } from "../../release/paths.ts";
import type { ReleaseCase } from "../../release/target.ts";

export const updateIsMandatoryAfterTheDeadline: ReleaseCase = {
  id: "update-is-mandatory-after-the-deadline",
  title: "An available update whose deadline has passed is mandatory, and only an available one",
  section: "release contract, States and transitions: derived decision rule 2",
  async run(target) {
    const releases = await latestWithDeadline(target, "passed");
    if (releases.length === 0) {
      throw new NotTestable("No latest release has a deadline (mandatoryAfter) that has passed");
    }
    await expectEach(releases, async ({ version, buildNumber, channel }) => {
      const behind = await target.api.get(updatePath({ version: "0.0.0", build: 1, channel }));
      expectSame(behind, "mandatory", expectDecision(behind).mandatory, true);
      const upToDate = await target.api.get(updatePath({ version, build: buildNumber, channel }));
      expectSame(upToDate, "mandatory", expectDecision(upToDate).mandatory, false);
    });
  },
};
