import type { Operation } from "../../../contract/sync/operation.ts";
import { expectEach, expectSame, fail } from "../../expect.ts";
import { valuesOf } from "../device.ts";
import { createOperation, freshOperation, payloadOf, requireBatchSize } from "../operations.ts";
import type { SyncCase } from "../server-under-test.ts";

export const MERGE_CASES: readonly SyncCase[] = [
  {
    id: "snapshot-has-exactly-its-members",
    title: "A snapshot has exactly its members, and its entities stand in the order of their ids",
    section: "Trellis decision, sync service: GET /v1/snapshot",
    async run(server) {
      await requireBatchSize(server, 2);
      const device = await server.device();
      await device.store(freshOperation(server), freshOperation(server, server.newHabit()));
      const { entities } = await device.snapshot();
      const ids = entities.map(({ entityId }) => entityId);
      expectSame("GET /v1/snapshot", "entity ids in order", ids, ids.toSorted());
      expectSame("GET /v1/snapshot", "repeated entity ids", ids.length - new Set(ids).size, 0);
    },
  },
  {
    id: "snapshot-cursor-continues-the-log",
    title: "Pulling from a snapshot's cursor gives what came after it, and only that",
    section: "Trellis decision, sync service: GET /v1/snapshot, cursor",
    async run(server) {
      const device = await server.device();
      const before = freshOperation(server);
      await device.store(before);
      const { cursor, entities } = await device.snapshot();
      if (!entities.some(({ entityId }) => entityId === before.document.entityId)) {
        fail("GET /v1/snapshot", "what was stored before it", "a snapshot without");
      }
      const after = freshOperation(server);
      await device.store(after);
      const pulled = await device.pullAll(cursor);
      const ids = new Set(pulled.map(({ operationId }) => operationId));
      const asked = "GET /v1/pull from a snapshot's cursor";
      if (!ids.has(after.operationId)) fail(asked, "what was stored after it", "nothing of it");
      if (ids.has(before.operationId)) fail(asked, "nothing from before", before.operationId);
    },
  },
  {
    id: "create-makes-every-field-visible",
    title:
      "After a create the snapshot has the entity with every field and the revision that wrote it",
    section: "Trellis decision, sync service: merge; EntityState",
    async run(server) {
      const device = await server.device();
      const entityId = server.newHabit();
      const deviceId = server.newId("device");
      const operation = createOperation({ deviceId, entityId, metadata: { shelf: "top" } });
      await device.store(operation);
      const { revision } = operation;
      const register = (value: unknown) => ({ value, revision });
      const payloadFields = Object.fromEntries(
        Object.entries(payloadOf(entityId)).map(([name, value]) => [name, register(value)]),
      );
      expectSame("GET /v1/snapshot", "entity", await device.entity(entityId), {
        entityId,
        lifecycleRevision: revision,
        deleted: false,
        payloadFields,
        metadataFields: { shelf: register("top") },
      });
    },
  },
  {
    id: "patch-changes-only-what-it-names",
    title: "A patch changes the fields that it names, whatever else its document holds",
    section: "Trellis decision, sync service: merge",
    async run(server) {
      await requireBatchSize(server, 2);
      const device = await server.device();
      const entityId = server.newHabit();
      const deviceId = server.newId("device");
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
      const { payloadFields } = await device.entity(entityId);
      const expected = { ...payloadOf(entityId), name: "Patched" };
      expectSame("GET /v1/snapshot after a patch", "payload", valuesOf(payloadFields), expected);
    },
  },
  {
    id: "greater-revisions-win",
    title:
      "Whatever the order of arrival, the greater revision wins: sequence first, then device id",
    section: "Trellis decision, sync service: revision order; merge",
    async run(server) {
      await requireBatchSize(server, 2);
      const device = await server.device();
      const id = server.newId("device");
      const of = (entityId: string, deviceId: string, sequence: number, value: unknown) =>
        createOperation({ deviceId, entityId, sequence, payload: { value } });
      const late = server.newSetting();
      const [newer, older] = [of(late, `${id}-a`, 9, "newer"), of(late, `${id}-b`, 8, "older")];
      const receipts = await device.store(newer, older);
      expectSame("POST /v1/push of an older create", "changed", receipts[1]?.changed, false);
      const tied = server.newSetting();
      await device.store(of(tied, `${id}-z`, 5, "z"), of(tied, `${id}-Z`, 5, "Z"));
      const values = await Promise.all(
        [late, tied].map(async (entityId) =>
          valuesOf((await device.entity(entityId)).payloadFields),
        ),
      );
      expectSame("GET /v1/snapshot", "values", values, [{ value: "newer" }, { value: "z" }]);
    },
  },
  {
    id: "delete-leaves-a-tombstone",
    title: "After a delete the snapshot has the entity as deleted, without its fields",
    section: "Trellis decision, sync service: merge, lifecycle",
    async run(server) {
      await requireBatchSize(server, 2);
      const device = await server.device();
      const entityId = server.newSetting();
      const deviceId = server.newId("device");
      await device.store(
        createOperation({ deviceId, entityId }),
        createOperation({ deviceId, entityId, sequence: 2, kind: "delete" }),
      );
      expectSame("GET /v1/snapshot after a delete", "entity", await device.entity(entityId), {
        entityId,
        lifecycleRevision: { deviceId, sequence: 2 },
        deleted: true,
        payloadFields: {},
        metadataFields: {},
      });
    },
  },
  {
    id: "restore-brings-an-entity-back",
    title: "After a restore the entity lives again, with the fields of the restore",
    section: "Trellis decision, sync service: merge, lifecycle",
    async run(server) {
      await requireBatchSize(server, 3);
      const device = await server.device();
      const entityId = server.newSetting();
      const deviceId = server.newId("device");
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
      const { deleted, payloadFields } = await device.entity(entityId);
      const state = { deleted, payload: valuesOf(payloadFields) };
      expectSame("GET /v1/snapshot after a restore", "entity", state, {
        deleted: false,
        payload: { value: "back" },
      });
    },
  },
  {
    id: "stale-creates-do-not-revive",
    title: "A create from before a delete, coming after it, leaves the entity deleted",
    section: "Trellis decision, sync service: merge, a stale create cannot revive",
    async run(server) {
      const device = await server.device();
      const entityId = server.newSetting();
      const deviceId = server.newId("device");
      await device.store(createOperation({ deviceId, entityId, sequence: 3, kind: "delete" }));
      const [receipt] = await device.store(createOperation({ deviceId, entityId, sequence: 2 }));
      expectSame("POST /v1/push of a stale create", "duplicate", receipt?.duplicate, false);
      const { deleted, lifecycleRevision } = await device.entity(entityId);
      expectSame("GET /v1/snapshot after a stale create", "deleted", deleted, true);
      expectSame("GET /v1/snapshot", "lifecycleRevision", lifecycleRevision, {
        deviceId,
        sequence: 3,
      });
    },
  },
  {
    id: "any-order-gives-the-same-state",
    title: "create, delete and a later create give a living entity in whatever order they come",
    section: "Trellis decision, sync service: merge, any order",
    async run(server) {
      const device = await server.device();
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
        entityId: server.newSetting(),
        deviceId: server.newId("device"),
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
  },
  {
    id: "patches-wait-for-their-create",
    title: "A patch that comes before its create is kept, and shows once the create is there",
    section: "Trellis decision, sync service: merge, a patch before its create",
    async run(server) {
      const device = await server.device();
      const entityId = server.newSetting();
      const deviceId = server.newId("device");
      const payload = { value: "patched" };
      await device.store(
        createOperation({ deviceId, entityId, sequence: 2, kind: "patch", payload }),
      );
      const waiting = await device.entity(entityId);
      expectSame(
        "GET /v1/snapshot before the create",
        "lifecycleRevision",
        waiting.lifecycleRevision,
        null,
      );
      await device.store(createOperation({ deviceId, entityId, sequence: 1 }));
      const { lifecycleRevision, payloadFields } = await device.entity(entityId);
      const state = { lifecycleRevision, payload: valuesOf(payloadFields) };
      expectSame("GET /v1/snapshot after the create", "entity", state, {
        lifecycleRevision: { deviceId, sequence: 1 },
        payload,
      });
    },
  },
  {
    id: "fields-from-before-a-create-are-hidden",
    title: "Fields below the revision of the last create or restore are in no snapshot",
    section:
      "Trellis decision, sync service: merge, only fields at or above the lifecycle's revision",
    async run(server) {
      await requireBatchSize(server, 2);
      const device = await server.device();
      const entityId = server.newSetting();
      const deviceId = server.newId("device");
      const of = (sequence: number, metadata: Record<string, unknown>) =>
        createOperation({ deviceId, entityId, sequence, metadata });
      await device.store(of(1, { old: 1, both: 1 }), of(4, { both: 4 }));
      const { metadataFields } = await device.entity(entityId);
      expectSame("GET /v1/snapshot", "metadata", valuesOf(metadataFields), { both: 4 });
    },
  },
  {
    id: "changed-tells-whether-a-register-moved",
    title:
      "A receipt says changed when any register moved, also one that nobody sees, and not otherwise",
    section: "Trellis decision, sync service: changed",
    async run(server) {
      const device = await server.device();
      const entityId = server.newSetting();
      const deviceId = server.newId("device");
      const of = (
        sequence: number,
        kind: "create" | "patch",
        metadata: Record<string, unknown> = {},
      ) => createOperation({ deviceId, entityId, sequence, kind, metadata });
      const steps: [what: string, operation: Operation, changed: boolean][] = [
        ["a patch before its create", of(3, "patch"), true],
        ["the create", of(5, "create"), true],
        ["an older patch of a field that nobody set", of(2, "patch", { note: 1 }), true],
        ["a patch that is older in everything", of(1, "patch", { note: 0 }), false],
      ];
      for (const [what, operation, changed] of steps) {
        const [receipt] = await device.store(operation);
        expectSame(`POST /v1/push of ${what}`, "changed", receipt?.changed, changed);
      }
    },
  },
];
