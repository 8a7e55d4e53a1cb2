import { MAX_CLOCK_STEP, MAX_SEQUENCE } from "../../../src/contract/sync/operation-limits.ts";
import type { SnapshotEntity } from "../../../src/contract/sync/operation.ts";
import { REFUSED_HEADER } from "../../../src/contract/sync/refused-operations.ts";
import { expectEach, expectHeader, expectHeaderMatch, expectSame, fail } from "../../expect.ts";
import { parseCursor } from "../cursor.ts";
import { valuesOf } from "../device.ts";
import { expectError } from "../expectations.ts";
import {
  createOperation,
  deviceForBatch,
  expectRefused,
  freshOperation,
  newEntity,
} from "../operations.ts";
import { requireCorsOrigin } from "../requests.ts";
import { syncCases } from "../server-under-test.ts";

export const PUSH_CASES = syncCases({
  "push-answers-a-receipt-for-each": {
    title:
      "A push answers exactly a receipt for each operation, in their order, with growing offsets",
    section: "sync contract, POST /v1/push; Trellis decision, sync service: receipts",
    async run(server) {
      const device = await deviceForBatch(server, 4);
      const deviceId = server.newId("device");
      const operations = [1, 2, 3, 4].map((sequence) =>
        createOperation({ deviceId, sequence, entityId: server.newSetting() }),
      );
      const receipts = await device.store(...operations);
      const asked = "POST /v1/push";
      let last = 0;
      for (const { cursor, offset, duplicate, changed } of receipts) {
        expectSame(asked, "receipt", { duplicate, changed }, { duplicate: false, changed: true });
        expectSame(asked, "offset of the cursor", parseCursor(asked, cursor).offset, offset);
        if (offset <= last) fail(asked, `an offset above ${last}`, String(offset));
        last = offset;
      }
      const pulled = await device.pullAll(receipts[0]?.cursor ?? "", deviceId);
      expectSame("GET /v1/pull after the first receipt", "operations", pulled, operations.slice(1));
    },
  },
  "receipts-follow-the-operations": {
    title:
      "Each receipt is that of the operation at its place, whether new, known or without effect",
    section: "Trellis decision, sync service: receipts in order",
    async run(server) {
      const device = await deviceForBatch(server, 4);
      const { operation } = newEntity(server);
      const known = operation(5);
      const stored = await device.storeOne(known);
      const batch = [freshOperation(server), known, operation(2), freshOperation(server)];
      const receipts = await device.store(...batch);
      const marks = receipts.map(({ duplicate, changed }) => ({ duplicate, changed }));
      expectSame("POST /v1/push of new, known, stale, new", "receipts", marks, [
        { duplicate: false, changed: true },
        { duplicate: true, changed: false },
        { duplicate: false, changed: false },
        { duplicate: false, changed: true },
      ]);
      expectSame("POST /v1/push", "offset of the known one", receipts[1]?.offset, stored.offset);
    },
  },
  "push-takes-one-to-the-limit": {
    title: "A push of no operation or of more than the limit is invalid_request and stores nothing",
    section:
      "sync contract, Limits: operations per push; Trellis decision, sync service: no operation or too many",
    async run(server) {
      const device = await server.device();
      const { maxPushOperations } = await server.limits();
      const { operation } = newEntity(server);
      const operations = Array.from({ length: maxPushOperations + 1 }, (_, index) =>
        operation(index + 1),
      );
      expectError(await device.push([]), "invalid_request");
      expectError(await device.push(operations), "invalid_request");
      const receipts = await device.store(...operations.slice(0, maxPushOperations));
      const known = receipts.filter(({ duplicate }) => duplicate).length;
      expectSame("POST /v1/push of the limit, after one more was refused", "duplicates", known, 0);
    },
  },
  "replays-are-duplicates": {
    title:
      "An operation that is pushed again is a duplicate with its first offset, in a batch of its own or with others",
    section: "Trellis decision, sync service: idempotency",
    async run(server) {
      const device = await deviceForBatch(server, 2);
      const operation = freshOperation(server);
      const first = await device.storeOne(operation);
      const second = await device.storeOne(operation);
      const asked = "POST /v1/push, again";
      expectSame(asked, "duplicate", second.duplicate, true);
      expectSame(asked, "changed", second.changed, false);
      expectSame(asked, "offset", second.offset, first.offset);
      const twice = freshOperation(server);
      const [one, two] = await device.store(twice, twice);
      expectSame(asked, "duplicate in one batch", [one?.duplicate, two?.duplicate], [false, true]);
      expectSame(asked, "offset in one batch", two?.offset, one?.offset);
      const later = await device.pullAll(first.cursor);
      if (later.some(({ operationId }) => operationId === operation.operationId)) {
        fail("GET /v1/pull", "a replayed operation once", "it again after its receipt");
      }
    },
  },
  "changed-fields-may-be-reordered": {
    title: "A replay that names its changed fields in another order is a duplicate",
    section: "Trellis decision, sync service: idempotency",
    async run(server) {
      const device = await server.device();
      const operation = newEntity(server, server.newHabit()).operation(1, {
        metadata: { first: 1, second: 2 },
      });
      const { changedFields, changedMetadataFields } = operation;
      const { offset } = await device.storeOne(operation);
      const again = await device.storeOne({
        ...operation,
        changedFields: changedFields.toReversed(),
        changedMetadataFields: changedMetadataFields.toReversed(),
      });
      const asked = "POST /v1/push, again, with the changed fields in another order";
      const { duplicate } = again;
      expectSame(
        asked,
        "receipt",
        { duplicate, offset: again.offset },
        { duplicate: true, offset },
      );
    },
  },
  "reused-ids-are-conflicts": {
    title: "The same operationId with other content is 409, in a later push and inside one",
    section: "Trellis decision, sync service: operation_conflict",
    async run(server) {
      const device = await deviceForBatch(server, 2);
      const { entityId, operation } = newEntity(server);
      const make = (value: unknown, sequence = 1) => operation(sequence, { payload: { value } });
      await device.store(make("first"));
      expectError(await device.push([make("second")]), "operation_conflict");
      expectError(await device.push([make("a", 2), make("b", 2)]), "operation_conflict");
      const { payloadFields } = await device.entity(entityId);
      expectSame("GET /v1/snapshot", "value", valuesOf(payloadFields), { value: "first" });
    },
  },
  "conflicts-store-nothing": {
    title: "Nothing of a push with a conflict is stored, neither before nor after it",
    section: "Trellis decision, sync service: operation_conflict, nothing of the push is stored",
    async run(server) {
      const device = await deviceForBatch(server, 3);
      const { operation } = newEntity(server);
      const make = (value: unknown, sequence: number) =>
        operation(sequence, { payload: { value } });
      await device.store(make("first", 1));
      const [before, after] = [make("before", 2), make("after", 3)];
      expectError(await device.push([before, make("other", 1), after]), "operation_conflict");
      const receipts = await device.store(before, after);
      const known = receipts.map(({ duplicate }) => duplicate);
      expectSame("POST /v1/push after the conflict", "duplicate", known, [false, false]);
    },
  },
  "malformed-operations-store-nothing": {
    title: "One malformed operation, wherever it stands, keeps the whole push from being stored",
    section: "sync contract, States and transitions 4; POST /v1/push",
    async run(server) {
      const device = await deviceForBatch(server, 3);
      await expectEach([0, 1, 2], async (place) => {
        const good = [freshOperation(server), freshOperation(server)];
        const malformed = { ...freshOperation(server), kind: "upsert" };
        const batch = [...good.slice(0, place), malformed, ...good.slice(place)];
        expectError(await device.push(batch), "invalid_sync_operation");
        const receipts = await device.store(...good);
        const known = receipts.map(({ duplicate }) => duplicate);
        expectSame("POST /v1/push after the refusal", "duplicate", known, [false, false]);
      });
    },
  },
  "messages-name-every-bad-index": {
    title: "The message of a refused push names the index of every bad operation, counted from 0",
    section: "Trellis decision, sync service: invalid_sync_operation",
    async run(server) {
      const device = await deviceForBatch(server, 24);
      const batch: unknown[] = Array.from({ length: 24 }, () => freshOperation(server));
      for (const index of [0, 7, 23]) batch[index] = { ...freshOperation(server), kind: "upsert" };
      const response = await device.push(batch);
      const { message } = expectError(response, "invalid_sync_operation");
      const isNamed = (index: number) => new RegExp(`\\b${index}\\b`).test(message);
      await expectEach([0, 7, 23], (index) => {
        if (!isNamed(index)) fail(response, `a message that names ${index}`, message);
      });
      await expectEach([6, 22, 24], (index) => {
        if (isNamed(index)) fail(response, `a message that does not name ${index}`, message);
      });
    },
  },
  "messages-are-bounded": {
    title:
      "A push in which everything is wrong is refused with a message of at most 512 characters",
    section:
      "sync contract, Errors: bounded public text; Trellis decision, sync service: invalid_sync_operation",
    async run(server) {
      const device = await server.device();
      const { maxPushOperations } = await server.limits();
      const kinds = [{ kind: "upsert" }, { operationId: "none" }, { changedFields: [] }, null];
      const batch = Array.from({ length: maxPushOperations }, (_, index) => {
        const change = kinds[index % kinds.length];
        return change === null ? null : { ...freshOperation(server), ...change };
      });
      expectError(await device.push(batch), "invalid_sync_operation");
    },
  },
  "refusals-name-every-bad-operation": {
    title:
      "Trellis-Refused names the index of every bad operation of a push, with the code of the rule that it breaks",
    section: "Trellis decision, sync service: machine-readable refusals",
    async run(server) {
      const device = await deviceForBatch(server, 8);
      const batch: unknown[] = Array.from({ length: 8 }, () => freshOperation(server));
      batch[0] = { ...freshOperation(server), kind: "upsert" };
      batch[3] = { ...freshOperation(server), operationId: "operation/none/1" };
      batch[4] = { ...freshOperation(server), changedFields: ["nothing"] };
      batch[7] = null;
      const response = await device.push(batch);
      expectError(response, "invalid_sync_operation");
      expectRefused(response, [
        { index: 0, code: "kind_unknown" },
        { index: 3, code: "operation_id" },
        { index: 4, code: "changed_unknown" },
        { index: 7, code: "operation_shape" },
      ]);
    },
  },
  "refusals-name-every-conflict": {
    title:
      "Trellis-Refused names every operation whose id was used before, and the rest of the push can be stored",
    section: "Trellis decision, sync service: machine-readable refusals",
    async run(server) {
      const device = await deviceForBatch(server, 5);
      const { operation } = newEntity(server);
      const make = (sequence: number, value: unknown) =>
        operation(sequence, { payload: { value } });
      await device.store(make(1, "first"), make(2, "second"));
      const good = [make(1, "first"), make(3, "third"), freshOperation(server)] as const;
      const batch = [good[0], make(2, "other"), good[1], make(3, "other"), good[2]];
      const response = await device.push(batch);
      expectError(response, "operation_conflict");
      expectRefused(response, [
        { index: 1, code: "id_reused" },
        { index: 3, code: "id_reused" },
      ]);
      const receipts = await device.store(...good);
      const known = receipts.map(({ duplicate }) => duplicate);
      expectSame("POST /v1/push of the others", "duplicate", known, [true, false, false]);
    },
  },
  "sequence-jumps-are-refused": {
    title:
      "A sequence far above all others is refused as sequence_jump, and the rest of the push can be stored",
    section: "Trellis decision, sync service: revision, sequence_jump",
    async run(server) {
      const device = await deviceForBatch(server, 3);
      const jump = newEntity(server).operation(MAX_SEQUENCE);
      const [first, last] = [freshOperation(server), freshOperation(server)];
      const response = await device.push([first, jump, last]);
      expectError(response, "invalid_sync_operation");
      expectRefused(response, [{ index: 1, code: "sequence_jump" }]);
      const receipts = await device.store(first, last);
      const known = receipts.map(({ duplicate }) => duplicate);
      expectSame("POST /v1/push of the others", "duplicate", known, [false, false]);
    },
  },
  "sequences-move-by-steps": {
    title: "A sequence of up to 2^20 above the greatest is stored",
    section: "Trellis decision, sync service: revision, sequence_jump",
    async run(server) {
      const device = await server.device();
      const { entities } = await device.snapshot();
      const { operation } = newEntity(server);
      const next = Math.max(0, ...entities.map(greatestSequence)) + MAX_CLOCK_STEP;
      await device.storeOne(operation(next));
      // The clean-up of the run deletes with smaller sequences.
      await device.storeOne(operation(next + 1, { kind: "delete" }));
    },
  },
  "refusals-name-a-whole-push": {
    title: "Trellis-Refused names all operations of the largest push, and nothing of their content",
    section: "Trellis decision, sync service: machine-readable refusals, never content",
    async run(server) {
      const device = await server.device();
      const { maxPushOperations } = await server.limits();
      const kind = server.newId("content");
      const batch = Array.from({ length: maxPushOperations }, () => ({
        ...freshOperation(server),
        kind,
      }));
      const response = await device.push(batch);
      expectError(response, "invalid_sync_operation");
      expectRefused(
        response,
        batch.map((_, index) => ({ index, code: "kind_unknown" })),
      );
    },
  },
  "refusals-are-only-of-refused-pushes": {
    title: "A push that is stored, and one whose body is wrong, have no Trellis-Refused",
    section: "Trellis decision, sync service: machine-readable refusals",
    async run(server) {
      const device = await server.device();
      const responses = [
        await device.push([freshOperation(server)]),
        await device.push([]),
        await device.post("/v1/push", { operations: 7 }),
      ];
      await expectEach(responses, (response) => expectHeader(response, REFUSED_HEADER, undefined));
    },
  },
  "refusals-can-be-read-by-configured-origins": {
    title: "Scripts of a configured origin may read Trellis-Refused",
    section: "Trellis decision, sync service: machine-readable refusals, CORS",
    async run(server) {
      const Origin = requireCorsOrigin(server);
      const device = await server.device();
      const response = await device.post("/v1/push", { operations: [null] }, { Origin });
      expectError(response, "invalid_sync_operation");
      const pattern = new RegExp(`(?:^|,)\\s*${REFUSED_HEADER}\\s*(?:,|$)`, "i");
      expectHeaderMatch(response, "Access-Control-Expose-Headers", pattern, REFUSED_HEADER);
    },
  },
});

function greatestSequence({
  lifecycleRevision,
  payloadFields,
  metadataFields,
}: SnapshotEntity): number {
  const fields = [...Object.values(payloadFields), ...Object.values(metadataFields)];
  const sequences = fields.map(({ revision }) => revision.sequence);
  return Math.max(lifecycleRevision?.sequence ?? 0, ...sequences);
}
