import type { Members } from "../../../src/contract/is-object.ts";
import type { Operation } from "../../../src/contract/sync/operation.ts";
import { expectEach, expectSame, fail } from "../../expect.ts";
import { valuesOf } from "../device.ts";
import { deviceForBatch, freshOperation, newEntity, payloadOf } from "../operations.ts";
import { syncCases } from "../server-under-test.ts";

export const MERGE_CASES = syncCases({
  "snapshot-has-exactly-its-members": {
    title: "A snapshot has exactly its members, and its entities stand in the order of their ids",
    section: "Trellis decision, sync service: GET /v1/snapshot",
    async run(server) {
      const device = await deviceForBatch(server, 2);
      await device.store(freshOperation(server), freshOperation(server, server.newHabit()));
      const { entities } = await device.snapshot();
      const ids = entities.map(({ entityId }) => entityId);
      expectSame("GET /v1/snapshot", "entity ids in order", ids, ids.toSorted());
      expectSame("GET /v1/snapshot", "repeated entity ids", ids.length - new Set(ids).size, 0);
    },
  },
  "snapshot-cursor-continues-the-log": {
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
  "create-makes-every-field-visible": {
    title:
      "After a create the snapshot has the entity with every field and the revision that wrote it",
    section: "Trellis decision, sync service: merge; EntityState",
    async run(server) {
      const device = await server.device();
      const { entityId, operation } = newEntity(server, server.newHabit());
      const create = operation(1, { metadata: { shelf: "top" } });
      await device.store(create);
      const { revision } = create;
      const register = (value: unknown) => ({ value, revision });
      const payloadFields = Object.fromEntries(
        Object.entries(payloadOf(entityId)).map(([name, value]) => [name, register(value)]),
      );
      expectSame("GET /v1/snapshot", "entity", await device.entity(entityId), {
        entityId,
        lifecycleRevision: revision,
        deletedRevision: null,
        deleted: false,
        payloadFields,
        metadataFields: { shelf: register("top") },
      });
    },
  },
  "patch-changes-only-what-it-names": {
    title: "A patch changes the fields that it names, whatever else its document holds",
    section: "Trellis decision, sync service: merge",
    async run(server) {
      const device = await deviceForBatch(server, 2);
      const { entityId, operation } = newEntity(server, server.newHabit());
      const payload = { ...payloadOf(entityId), name: "Patched", color: "#000000" };
      const patch = operation(2, { kind: "patch", payload, changedFields: ["name"] });
      await device.store(operation(), patch);
      const { payloadFields } = await device.entity(entityId);
      const expected = { ...payloadOf(entityId), name: "Patched" };
      expectSame("GET /v1/snapshot after a patch", "payload", valuesOf(payloadFields), expected);
    },
  },
  "greater-revisions-win": {
    title:
      "Whatever the order of arrival, the greater revision wins: sequence first, then device id",
    section: "Trellis decision, sync service: revision order; merge",
    async run(server) {
      const device = await deviceForBatch(server, 2);
      const [late, tied] = [newEntity(server), newEntity(server)];
      const id = server.newId("device");
      const newer = late.operation(9, { deviceId: `${id}-a`, payload: { value: "newer" } });
      const older = late.operation(8, { deviceId: `${id}-b`, payload: { value: "older" } });
      const receipts = await device.store(newer, older);
      expectSame("POST /v1/push of an older create", "changed", receipts[1]?.changed, false);
      const write = (value: string) =>
        tied.operation(5, { deviceId: `${id}-${value}`, payload: { value } });
      await device.store(write("z"), write("Z"));
      const states = [await device.entity(late.entityId), await device.entity(tied.entityId)];
      const values = states.map(({ payloadFields }) => valuesOf(payloadFields));
      expectSame("GET /v1/snapshot", "values", values, [{ value: "newer" }, { value: "z" }]);
    },
  },
  "delete-leaves-a-tombstone": {
    title:
      "After a delete the snapshot has the entity as deleted, with what a restore can bring back",
    section: "Trellis decision, sync service: merge, lifecycle",
    async run(server) {
      const device = await deviceForBatch(server, 2);
      const { entityId, deviceId, operation } = newEntity(server);
      await device.store(operation(), operation(2, { kind: "delete" }));
      const deletion = { deviceId, sequence: 2 };
      expectSame("GET /v1/snapshot after a delete", "entity", await device.entity(entityId), {
        entityId,
        lifecycleRevision: deletion,
        deletedRevision: deletion,
        deleted: true,
        payloadFields: { value: { value: 1, revision: { deviceId, sequence: 1 } } },
        metadataFields: {},
      });
    },
  },
  "restore-brings-an-entity-back": {
    title: "After a restore the entity lives again, with the fields of the restore",
    section: "Trellis decision, sync service: merge, lifecycle",
    async run(server) {
      const device = await deviceForBatch(server, 3);
      const { entityId, operation } = newEntity(server);
      const payload = { value: "back" };
      const restore = operation(3, { kind: "restore", payload });
      await device.store(operation(), operation(2, { kind: "delete" }), restore);
      const { deleted, payloadFields } = await device.entity(entityId);
      const state = { deleted, payload: valuesOf(payloadFields) };
      const asked = "GET /v1/snapshot after a restore";
      expectSame(asked, "entity", state, { deleted: false, payload });
    },
  },
  "stale-creates-do-not-revive": {
    title: "A create from before a delete, coming after it, leaves the entity deleted",
    section: "Trellis decision, sync service: merge, a stale create cannot revive",
    async run(server) {
      const device = await server.device();
      const { entityId, deviceId, operation } = newEntity(server);
      await device.store(operation(3, { kind: "delete" }));
      const receipt = await device.storeOne(operation(2));
      expectSame("POST /v1/push of a stale create", "duplicate", receipt.duplicate, false);
      const { deleted, lifecycleRevision } = await device.entity(entityId);
      expectSame("GET /v1/snapshot after a stale create", "deleted", deleted, true);
      const revision = { deviceId, sequence: 3 };
      expectSame("GET /v1/snapshot", "lifecycleRevision", lifecycleRevision, revision);
    },
  },
  "any-order-gives-the-same-state": {
    title: "create, delete and a later create give a living entity in whatever order they come",
    section: "Trellis decision, sync service: merge, any order",
    async run(server) {
      const device = await server.device();
      const orders = [
        [1, 3, 5],
        [1, 5, 3],
        [3, 1, 5],
        [3, 5, 1],
        [5, 1, 3],
        [5, 3, 1],
      ];
      const entitiesByOrder = orders.map((order) => [order, newEntity(server)] as const);
      for (const [order, { operation }] of entitiesByOrder) {
        for (const sequence of order) {
          const kind = sequence === 3 ? "delete" : "create";
          await device.store(operation(sequence, { kind, payload: { value: sequence } }));
        }
      }
      const { entities } = await device.snapshot();
      await expectEach(entitiesByOrder, ([order, { entityId, deviceId }]) => {
        const state = entities.find((entity) => entity.entityId === entityId);
        const revision = { deviceId, sequence: 5 };
        expectSame(`GET /v1/snapshot after ${order.join(", ")}`, "entity", state, {
          entityId,
          lifecycleRevision: revision,
          deletedRevision: { deviceId, sequence: 3 },
          deleted: false,
          payloadFields: { value: { value: 5, revision } },
          metadataFields: {},
        });
      });
    },
  },
  "patches-wait-for-their-create": {
    title: "A patch that comes before its create is kept, and shows once the create is there",
    section: "Trellis decision, sync service: merge, a patch before its create",
    async run(server) {
      const device = await server.device();
      const { entityId, deviceId, operation } = newEntity(server);
      const payload = { value: "patched" };
      await device.store(operation(2, { kind: "patch", payload }));
      const before = await device.entity(entityId);
      const asked = "GET /v1/snapshot before the create";
      expectSame(asked, "lifecycleRevision", before.lifecycleRevision, null);
      await device.store(operation(1));
      const { lifecycleRevision, payloadFields } = await device.entity(entityId);
      const state = { lifecycleRevision, payload: valuesOf(payloadFields) };
      expectSame("GET /v1/snapshot after the create", "entity", state, {
        lifecycleRevision: { deviceId, sequence: 1 },
        payload,
      });
    },
  },
  "two-creates-keep-the-fields-of-both": {
    title: "Of two creates of one entity each keeps its fields, and no delete hides any",
    section: "Trellis decision, sync service: merge, two devices that create one id",
    async run(server) {
      const device = await deviceForBatch(server, 2);
      const { entityId, operation } = newEntity(server);
      const other = newEntity(server, entityId);
      const later = other.operation(4, { metadata: { both: 4, laptop: 4 } });
      await device.store(later, operation(1, { metadata: { phone: 1, both: 1 } }));
      const { deletedRevision, metadataFields } = await device.entity(entityId);
      const state = { deletedRevision, metadata: valuesOf(metadataFields) };
      expectSame("GET /v1/snapshot after two creates", "entity", state, {
        deletedRevision: null,
        metadata: { phone: 1, both: 4, laptop: 4 },
      });
    },
  },
  "fields-from-before-a-delete-are-told-apart": {
    title:
      "A snapshot has fields from before the last delete, and the revision below which none is visible",
    section:
      "Trellis decision, sync service: merge, deletedRevision; snapshots carry all registers",
    async run(server) {
      const device = await deviceForBatch(server, 3);
      const { entityId, deviceId, operation } = newEntity(server);
      const create = operation(1, { metadata: { old: 1, both: 1 } });
      const remove = operation(3, { kind: "delete", metadata: { by: "me" } });
      await device.store(create, remove, operation(5, { metadata: { both: 5 } }));
      const { deletedRevision, metadataFields } = await device.entity(entityId);
      const register = (value: unknown, sequence: number) => ({
        value,
        revision: { deviceId, sequence },
      });
      const state = { deletedRevision, metadataFields };
      expectSame("GET /v1/snapshot after create, delete and create", "entity", state, {
        deletedRevision: { deviceId, sequence: 3 },
        metadataFields: { old: register(1, 1), both: register(5, 5), by: register("me", 3) },
      });
    },
  },
  "changed-tells-whether-a-register-moved": {
    title:
      "A receipt says changed when any register moved, also one that nobody sees, and not otherwise",
    section: "Trellis decision, sync service: changed",
    async run(server) {
      const device = await server.device();
      const { operation } = newEntity(server);
      const patch = (sequence: number, metadata: Members = {}) =>
        operation(sequence, { kind: "patch", metadata });
      const steps: [what: string, operation: Operation, changed: boolean][] = [
        ["a patch before its create", patch(3), true],
        ["the create", operation(5), true],
        ["an older patch of a field that nobody set", patch(2, { note: 1 }), true],
        ["a patch that is older in everything", patch(1, { note: 0 }), false],
      ];
      for (const [what, step, changed] of steps) {
        const receipt = await device.storeOne(step);
        expectSame(`POST /v1/push of ${what}`, "changed", receipt.changed, changed);
      }
    },
  },
});
