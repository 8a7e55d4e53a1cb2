import { expectSame } from "../../expect.ts";
import { encodeCursor, readCursor } from "../../sync/cursor.ts";
import { freshOperation } from "../../sync/operations.ts";
import type { SyncCase } from "../../sync/target.ts";

export const cursorsAheadStartAnew: SyncCase = {
  id: "cursors-ahead-start-anew",
  title: "A cursor beyond the head answers cursor_ahead, no operations and the head",
  section:
    "sync contract, Pull: a stable recovery reason; Trellis decision, sync service: recoveryReason",
  async run(target) {
    const device = await target.device();
    const [receipt] = await device.store(freshOperation(target));
    const { generation, offset } = readCursor("POST /v1/push", receipt?.cursor ?? "");
    const page = await device.pull({
      cursor: encodeCursor({ generation, offset: offset + 1_000_000 }),
    });
    const { operations, requiresSnapshot, recoveryReason } = page;
    expectSame(
      "GET /v1/pull with a cursor ahead",
      "page",
      { operations, requiresSnapshot, recoveryReason },
      { operations: [], requiresSnapshot: true, recoveryReason: "cursor_ahead" },
    );
    const head = readCursor("GET /v1/pull", page.cursor);
    expectSame("GET /v1/pull with a cursor ahead", "cursor", head, {
      generation,
      offset: page.headOffset,
    });
  },
};
