import { violate } from "../../expect.ts";
import { freshOperation } from "../../sync/operations.ts";
import type { SyncCase } from "../../sync/target.ts";

export const snapshotCursorContinuesTheLog: SyncCase = {
  id: "snapshot-cursor-continues-the-log",
  title: "Pulling from a snapshot's cursor gives what came after it, and only that",
  section: "Trellis decision, sync service: GET /v1/snapshot, cursor",
  async run(target) {
    const device = await target.device();
    const before = freshOperation(target);
    await device.store(before);
    const { cursor, entities } = await device.snapshot();
    if (!entities.some(({ entityId }) => entityId === before.document.entityId)) {
      violate("GET /v1/snapshot", "what was stored before it", "a snapshot without");
    }
    const after = freshOperation(target);
    await device.store(after);
    const pulled = await device.pullAll(cursor);
    const ids = new Set(pulled.map(({ operationId }) => operationId));
    const asked = "GET /v1/pull from a snapshot's cursor";
    if (!ids.has(after.operationId)) violate(asked, "what was stored after it", "nothing of it");
    if (ids.has(before.operationId)) violate(asked, "nothing from before", before.operationId);
  },
};
