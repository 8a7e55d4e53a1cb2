import { expectSame } from "../../expect.ts";
import { needsBatch } from "../../sync/needs.ts";
import { createOperation } from "../../sync/operations.ts";
import type { SyncCase } from "../../sync/target.ts";

export const receiptsFollowTheOperations: SyncCase = {
  id: "receipts-follow-the-operations",
  title: "Each receipt is that of the operation at its place, whether new, known or without effect",
  section: "Trellis decision, sync service: receipts in order",
  async run(target) {
    await needsBatch(target, 4);
    const device = await target.device();
    const deviceId = target.newId("device");
    const entityId = target.newSetting();
    const create = (sequence: number, entity = target.newSetting()) =>
      createOperation({ deviceId, sequence, entityId: entity });
    const known = create(5, entityId);
    const [stored] = await device.store(known);
    const stale = create(2, entityId);
    const receipts = await device.store(create(6), known, stale, create(7));
    expectSame(
      "POST /v1/push of new, known, stale, new",
      "receipts",
      receipts.map(({ duplicate, changed }) => ({ duplicate, changed })),
      [
        { duplicate: false, changed: true },
        { duplicate: true, changed: false },
        { duplicate: false, changed: false },
        { duplicate: false, changed: true },
      ],
    );
    expectSame("POST /v1/push", "offset of the known one", receipts[1]?.offset, stored?.offset);
  },
};
