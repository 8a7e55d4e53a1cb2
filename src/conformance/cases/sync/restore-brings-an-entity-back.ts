import { expectSame } from "../../expect.ts";
import { entityOf, valuesOf } from "../../sync/entities.ts";
import { needsBatch } from "../../sync/needs.ts";
import { createOperation } from "../../sync/operations.ts";
import type { SyncCase } from "../../sync/target.ts";

export const restoreBringsAnEntityBack: SyncCase = {
  id: "restore-brings-an-entity-back",
  title: "After a restore the entity lives again, with the fields of the restore",
  section: "Trellis decision, sync service: merge, lifecycle",
  async run(target) {
    await needsBatch(target, 3);
    const device = await target.device();
    const entityId = target.newSetting();
    const deviceId = target.newId("device");
    await device.store(
      createOperation({ deviceId, entityId }),
      createOperation({ deviceId, entityId, sequence: 2, kind: "delete" }),
      createOperation({
        deviceId,
        entityId,
        sequence: 3,
        kind: "restore",
        payload: { value: "back" },
      }),
    );
    const { deleted, payloadFields } = await entityOf(device, entityId);
    const state = { deleted, payload: valuesOf(payloadFields) };
    expectSame("GET /v1/snapshot after a restore", "entity", state, {
      deleted: false,
      payload: { value: "back" },
    });
  },
};
