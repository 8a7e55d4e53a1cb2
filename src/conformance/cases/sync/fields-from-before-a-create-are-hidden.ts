import { expectSame } from "../../expect.ts";
import { entityOf, valuesOf } from "../../sync/entities.ts";
import { needsBatch } from "../../sync/needs.ts";
import { createOperation } from "../../sync/operations.ts";
import type { SyncCase } from "../../sync/target.ts";

export const fieldsFromBeforeACreateAreHidden: SyncCase = {
  id: "fields-from-before-a-create-are-hidden",
  title: "Fields below the revision of the last create or restore are in no snapshot",
  section:
    "Trellis decision, sync service: merge, only fields at or above the lifecycle's revision",
  async run(target) {
    await needsBatch(target, 2);
    const device = await target.device();
    const entityId = target.newSetting();
    const deviceId = target.newId("device");
    const of = (sequence: number, metadata: Record<string, unknown>) =>
      createOperation({ deviceId, entityId, sequence, metadata });
    await device.store(of(1, { old: 1, both: 1 }), of(4, { both: 4 }));
    const { metadataFields } = await entityOf(device, entityId);
    expectSame("GET /v1/snapshot", "metadata", valuesOf(metadataFields), { both: 4 });
  },
};
