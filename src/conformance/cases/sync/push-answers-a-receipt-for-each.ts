import { expectSame, violate } from "../../expect.ts";
import { readCursor } from "../../sync/cursor.ts";
import { needsBatch } from "../../sync/needs.ts";
import { createOperation } from "../../sync/operations.ts";
import type { SyncCase } from "../../sync/target.ts";

export const pushAnswersAReceiptForEach: SyncCase = {
  id: "push-answers-a-receipt-for-each",
  title:
    "A push answers exactly a receipt for each operation, in their order, with growing offsets",
  section: "sync contract, POST /v1/push; Trellis decision, sync service: receipts",
  async run(target) {
    await needsBatch(target, 4);
    const device = await target.device();
    const deviceId = target.newId("device");
    const operations = [1, 2, 3, 4].map((sequence) =>
      createOperation({ deviceId, sequence, entityId: target.newSetting() }),
    );
    const receipts = await device.store(...operations);
    const asked = "POST /v1/push";
    let last = 0;
    for (const { cursor, offset, duplicate, changed } of receipts) {
      expectSame(asked, "receipt", { duplicate, changed }, { duplicate: false, changed: true });
      expectSame(asked, "offset of the cursor", readCursor(asked, cursor).offset, offset);
      if (offset <= last) violate(asked, `an offset above ${last}`, String(offset));
      last = offset;
    }
    const first = receipts[0]?.cursor ?? "";
    const pulled = (await device.pullAll(first)).filter(
      ({ revision }) => revision.deviceId === deviceId,
    );
    expectSame("GET /v1/pull after the first receipt", "operations", pulled, operations.slice(1));
  },
};
