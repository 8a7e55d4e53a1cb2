import { NotTestable } from "../../case.ts";
import { expectEach, expectSame } from "../../expect.ts";
import { expectDecision } from "../../release/bodies.ts";
import { latestWithDeadline } from "../../release/deadline.ts";
import { updatePath } from "../../release/paths.ts";
import type { ReleaseCase } from "../../release/target.ts";

export const updateIsOptionalBeforeTheDeadline: ReleaseCase = {
  id: "update-is-optional-before-the-deadline",
  title: "An update without a deadline, or with one that lies ahead, is not mandatory",
  section: "release contract, States and transitions: derived decision rule 2",
  async run(target) {
    const releases = await latestWithDeadline(target, "none", "ahead");
    if (releases.length === 0) {
      throw new NotTestable("Every latest release has a deadline (mandatoryAfter) that has passed");
    }
    await expectEach(releases, async ({ channel }) => {
      const behind = await target.api.get(updatePath({ version: "0.0.0", build: 1, channel }));
      expectSame(behind, "mandatory", expectDecision(behind).mandatory, false);
    });
  },
};
