import { expectEach, expectSame } from "../../expect.ts";
import { createOperation } from "../../sync/operations.ts";
import type { SyncCase } from "../../sync/target.ts";

export const anyOrderGivesTheSameState: SyncCase = {
  id: "any-order-gives-the-same-state",
  title: "create, delete and a later create give a living entity in whatever order they come",
  section: "Trellis decision, sync service: merge, any order",
  async run(target) {
    const device = await target.device();
    const ORDERS = [
      [1, 3, 5],
      [1, 5, 3],
      [3, 1, 5],
      [3, 5, 1],
      [5, 1, 3],
      [5, 3, 1],
    ];
    const made = ORDERS.map((order) => ({
      order,
      entityId: target.newSetting(),
      deviceId: target.newId("device"),
    }));
    for (const { order, entityId, deviceId } of made) {
      for (const sequence of order) {
        const kind = sequence === 3 ? "delete" : "create";
        const payload = { value: sequence };
        await device.store(createOperation({ deviceId, entityId, sequence, kind, payload }));
      }
    }
    const { entities } = await device.snapshot();
    await expectEach(made, ({ order, entityId, deviceId }) => {
      const state = entities.find((entity) => entity.entityId === entityId);
      const revision = { deviceId, sequence: 5 };
      expectSame(`GET /v1/snapshot after ${order.join(", ")}`, "entity", state, {
        entityId,
        lifecycleRevision: revision,
        deleted: false,
        payloadFields: { value: { value: 5, revision } },
        metadataFields: {},
      });
    });
  },
};
