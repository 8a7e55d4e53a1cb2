import { expectSame } from "../../expect.ts";
import { entityOf, valuesOf } from "../../sync/entities.ts";
import { needsBatch } from "../../sync/needs.ts";
import { createOperation, payloadOf } from "../../sync/operations.ts";
import type { SyncCase } from "../../sync/target.ts";

export const patchChangesOnlyWhatItNames: SyncCase = {
  id: "patch-changes-only-what-it-names",
  title: "A patch changes the fields that it names, whatever else its document holds",
  section: "Trellis decision, sync service: merge",
  async run(target) {
    await needsBatch(target, 2);
    const device = await target.device();
    const entityId = target.newHabit();
    const deviceId = target.newId("device");
    const payload = { ...payloadOf(entityId), name: "Patched", color: "#000000" };
    await device.store(
      createOperation({ deviceId, entityId }),
      createOperation({
        deviceId,
        entityId,
        sequence: 2,
        kind: "patch",
        payload,
        changedFields: ["name"],
      }),
    );
    const { payloadFields } = await entityOf(device, entityId);
    const expected = { ...payloadOf(entityId), name: "Patched" };
    expectSame("GET /v1/snapshot after a patch", "payload", valuesOf(payloadFields), expected);
  },
};
