import { expectSame } from "../../expect.ts";
import { entityOf } from "../../sync/entities.ts";
import { createOperation } from "../../sync/operations.ts";
import type { SyncCase } from "../../sync/target.ts";

export const staleCreatesDoNotRevive: SyncCase = {
  id: "stale-creates-do-not-revive",
  title: "A create from before a delete, coming after it, leaves the entity deleted",
  section: "Trellis decision, sync service: merge, a stale create cannot revive",
  async run(target) {
    const device = await target.device();
    const entityId = target.newSetting();
    const deviceId = target.newId("device");
    await device.store(createOperation({ deviceId, entityId, sequence: 3, kind: "delete" }));
    const [receipt] = await device.store(createOperation({ deviceId, entityId, sequence: 2 }));
    expectSame("POST /v1/push of a stale create", "duplicate", receipt?.duplicate, false);
    const { deleted, lifecycleRevision } = await entityOf(device, entityId);
    expectSame("GET /v1/snapshot after a stale create", "deleted", deleted, true);
    expectSame("GET /v1/snapshot", "lifecycleRevision", lifecycleRevision, {
      deviceId,
      sequence: 3,
    });
  },
};
