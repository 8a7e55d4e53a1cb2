import { expectSame } from "../../expect.ts";
import { expectError } from "../../sync/bodies.ts";
import { entityOf, valuesOf } from "../../sync/entities.ts";
import { needsBatch } from "../../sync/needs.ts";
import { createOperation } from "../../sync/operations.ts";
import type { SyncCase } from "../../sync/target.ts";

export const reusedIdsAreConflicts: SyncCase = {
  id: "reused-ids-are-conflicts",
  title: "The same operationId with other content is 409, in a later push and inside one",
  section: "Trellis decision, sync service: operation_conflict",
  async run(target) {
    await needsBatch(target, 2);
    const device = await target.device();
    const deviceId = target.newId("device");
    const entityId = target.newSetting();
    const make = (value: unknown, sequence = 1) =>
      createOperation({ deviceId, sequence, entityId, payload: { value } });
    await device.store(make("first"));
    expectError(await device.push([make("second")]), "operation_conflict");
    expectError(await device.push([make("a", 2), make("b", 2)]), "operation_conflict");
    const { payloadFields } = await entityOf(device, entityId);
    expectSame("GET /v1/snapshot", "value", valuesOf(payloadFields), { value: "first" });
  },
};
