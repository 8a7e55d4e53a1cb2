import { expectSame } from "../../expect.ts";
import { entityOf, valuesOf } from "../../sync/entities.ts";
import { createOperation } from "../../sync/operations.ts";
import type { SyncCase } from "../../sync/target.ts";

export const patchesWaitForTheirCreate: SyncCase = {
  id: "patches-wait-for-their-create",
  title: "A patch that comes before its create is kept, and shows once the create is there",
  section: "Trellis decision, sync service: merge, a patch before its create",
  async run(target) {
    const device = await target.device();
    const entityId = target.newSetting();
    const deviceId = target.newId("device");
    const payload = { value: "patched" };
    await device.store(
      createOperation({ deviceId, entityId, sequence: 2, kind: "patch", payload }),
    );
    const waiting = await entityOf(device, entityId);
    expectSame(
      "GET /v1/snapshot before the create",
      "lifecycleRevision",
      waiting.lifecycleRevision,
      null,
    );
    await device.store(createOperation({ deviceId, entityId, sequence: 1 }));
    const { lifecycleRevision, payloadFields } = await entityOf(device, entityId);
    const state = { lifecycleRevision, payload: valuesOf(payloadFields) };
    expectSame("GET /v1/snapshot after the create", "entity", state, {
      lifecycleRevision: { deviceId, sequence: 1 },
      payload,
    });
  },
};
