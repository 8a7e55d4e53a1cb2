import { expectSame } from "../../expect.ts";
import { encodeCursor, readCursor } from "../../sync/cursor.ts";
import { freshOperation } from "../../sync/operations.ts";
import type { SyncCase } from "../../sync/target.ts";

export const cursorsOfAnotherGenerationStartAnew: SyncCase = {
  id: "cursors-of-another-generation-start-anew",
  title:
    "A cursor from before the store was restored answers generation_changed, no operations and the head",
  section:
    "sync contract, Pull: a stable recovery reason; Trellis decision, sync service: recoveryReason",
  async run(target) {
    const device = await target.device();
    await device.store(freshOperation(target));
    const page = await device.pull({ cursor: encodeCursor({ generation: "another", offset: 1 }) });
    const { operations, requiresSnapshot, recoveryReason } = page;
    expectSame(
      "GET /v1/pull with a cursor of another generation",
      "page",
      { operations, requiresSnapshot, recoveryReason },
      { operations: [], requiresSnapshot: true, recoveryReason: "generation_changed" },
    );
    expectSame(
      "GET /v1/pull",
      "offset of the cursor",
      readCursor("GET /v1/pull", page.cursor).offset,
      page.headOffset,
    );
  },
};
