import { expectSame } from "../../expect.ts";
import { entityOf } from "../../sync/entities.ts";
import { needsBatch } from "../../sync/needs.ts";
import { createOperation } from "../../sync/operations.ts";
import type { SyncCase } from "../../sync/target.ts";

export const deleteLeavesATombstone: SyncCase = {
  id: "delete-leaves-a-tombstone",
  title: "After a delete the snapshot has the entity as deleted, without its fields",
  section: "Trellis decision, sync service: merge, lifecycle",
  async run(target) {
    await needsBatch(target, 2);
    const device = await target.device();
    const entityId = target.newSetting();
    const deviceId = target.newId("device");
    await device.store(
      createOperation({ deviceId, entityId }),
      createOperation({ deviceId, entityId, sequence: 2, kind: "delete" }),
    );
    expectSame("GET /v1/snapshot after a delete", "entity", await entityOf(device, entityId), {
      entityId,
      lifecycleRevision: { deviceId, sequence: 2 },
      deleted: true,
      payloadFields: {},
      metadataFields: {},
    });
  },
};
