import { expectEach, expectSame, violate } from "../../expect.ts";
import { freshOperation } from "../../sync/operations.ts";
import type { SyncCase } from "../../sync/target.ts";

export const pullAnswersExactlyItsMembers: SyncCase = {
  id: "pull-answers-exactly-its-members",
  title: "A page has exactly its members, and no reason to recover when nothing is wrong",
  section: "sync contract, GET /v1/pull; Trellis decision, sync service: its body",
  async run(target) {
    const device = await target.device();
    const [receipt] = await device.store(freshOperation(target));
    const first = await device.pull({ limit: 1 });
    const after = await device.pull({ cursor: receipt?.cursor ?? "" });
    await expectEach([first, after], (page) => {
      const { requiresSnapshot, recoveryReason } = page;
      const none = { requiresSnapshot: false, recoveryReason: "none" };
      expectSame("GET /v1/pull", "page", { requiresSnapshot, recoveryReason }, none);
    });
    expectSame("GET /v1/pull?limit=1", "number of operations", first.operations.length, 1);
    if (after.headOffset < (receipt?.offset ?? 0)) {
      violate("GET /v1/pull", `a head at or above ${receipt?.offset}`, String(after.headOffset));
    }
  },
};
