import { expectSame } from "../../expect.ts";
import { entityOf } from "../../sync/entities.ts";
import { createOperation, payloadOf } from "../../sync/operations.ts";
import type { SyncCase } from "../../sync/target.ts";

export const createMakesEveryFieldVisible: SyncCase = {
  id: "create-makes-every-field-visible",
  title:
    "After a create the snapshot has the entity with every field and the revision that wrote it",
  section: "Trellis decision, sync service: merge; EntityState",
  async run(target) {
    const device = await target.device();
    const entityId = target.newHabit();
    const deviceId = target.newId("device");
    const operation = createOperation({ deviceId, entityId, metadata: { shelf: "top" } });
    await device.store(operation);
    const { revision } = operation;
    const register = (value: unknown) => ({ value, revision });
    const payloadFields = Object.fromEntries(
      Object.entries(payloadOf(entityId)).map(([name, value]) => [name, register(value)]),
    );
    expectSame("GET /v1/snapshot", "entity", await entityOf(device, entityId), {
      entityId,
      lifecycleRevision: revision,
      deleted: false,
      payloadFields,
      metadataFields: { shelf: register("top") },
    });
  },
};
