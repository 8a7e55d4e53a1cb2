import type { Members } from "../../../src/contract/is-object.ts";
import {
  MAX_FIELDS,
  MAX_NESTING,
  MAX_OPERATION_BYTES,
  MAX_SEQUENCE,
  MAX_SETTING_BYTES,
  MAX_STRING_CHARACTERS,
} from "../../../src/contract/sync/operation-limits.ts";
import { expectEach, expectSame, withEachWrong } from "../../expect.ts";
import { JSON_BODY } from "../device.ts";
import { expectError } from "../expectations.ts";
import {
  createOperation,
  deviceForBatch,
  expectRejected,
  expectRejectedPayloads,
  freshOperation,
  newEntity,
  payloadOf,
  requireHabitsProfile,
  type OperationOptions,
} from "../operations.ts";
import { syncCases } from "../server-under-test.ts";

export const OPERATION_CASES = syncCases({
  "operation-members-are-exact": {
    title: "An operation has exactly its members, each of its type",
    section: "Trellis decision, sync service: operation",
    async run(server) {
      const valid = freshOperation(server);
      const missing = Object.keys(valid).map((name) =>
        Object.fromEntries(Object.entries(valid).filter(([key]) => key !== name)),
      );
      const { document, revision } = valid;
      const documents = withEachWrong(document, {
        schemaVersion: [2],
        deleted: ["false"],
        entityId: [1],
        payload: [[], null],
      });
      const changed = withEachWrong(
        { ...valid },
        {
          extra: [1],
          protocolVersion: [2, "1"],
          operationId: [1],
          kind: ["upsert", "Create"],
          revision: [null, { ...revision, extra: 1 }, { sequence: 1 }],
          document: [[], ...documents],
          changedFields: ["value", [1]],
          changedMetadataFields: [null],
        },
      );
      await expectRejected(server, [...missing, ...changed, null, [], "operation", 1]);
    },
  },
  "revisions-are-checked": {
    title:
      "A revision is a device id and a sequence from 1 to 2^53 - 1, an integer in plain digits",
    section: "Trellis decision, sync service: revision",
    async run(server) {
      const withRevision = (sequence: unknown, deviceId: unknown = server.newId("device")) => ({
        ...freshOperation(server),
        operationId: `operation/${String(deviceId)}/${String(sequence)}`,
        revision: { deviceId, sequence },
      });
      const sequences = [0, -1, 1.5, MAX_SEQUENCE + 1, "1", null];
      const deviceIds = ["", "a/b", "a b", "d".repeat(129), "\u00e4", 1, null];
      await expectRejected(server, [
        ...sequences.map((sequence) => withRevision(sequence)),
        ...deviceIds.map((deviceId) => withRevision(1, deviceId)),
      ]);
    },
  },
  "operation-ids-match-their-revision": {
    title: "An operationId is operation/<deviceId>/<sequence> of the operation's own revision",
    section: "Trellis decision, sync service: operationId",
    async run(server) {
      const valid = freshOperation(server);
      const { deviceId } = valid.revision;
      const operationIds = [
        "",
        `operation/${deviceId}`,
        `operation/${deviceId}/2`,
        `operation/${deviceId}/01`,
        `operation/${deviceId}/1/`,
        `operation/other/1`,
        `Operation/${deviceId}/1`,
        `${deviceId}/1`,
      ];
      await expectRejected(server, withEachWrong({ ...valid }, { operationId: operationIds }));
    },
  },
  "entity-ids-are-canonical": {
    title:
      "An entity id is habit/<id>, entry/<habit id>/<date> or setting/<key>, in its one spelling",
    section: "Trellis decision, sync service: entityId",
    async run(server) {
      const wrong = [
        "",
        "habit",
        "habit/",
        "habit/a/b",
        "Habit/a",
        "thing/a",
        "setting/a/b",
        "entry/a",
        "entry/a/2026-02-30",
        "entry/a/2026-1-31",
        "entry/a/20260131",
        "entry//2026-01-31",
        "habit/a b",
        "habit/%61",
        "habit/%c3%a9",
        "habit/\u00e9",
        "habit/%zz",
        "habit/%",
        "/habit/a",
      ];
      requireHabitsProfile(server);
      const operations = wrong.map((entityId) => freshOperation(server, entityId));
      await expectRejected(server, operations);
    },
  },
  "tombstones-have-no-payload": {
    title: "A delete is a tombstone without payload, and every other kind a live document with one",
    section: "Trellis decision, sync service: live documents and tombstones",
    async run(server) {
      const { operation } = newEntity(server);
      const [live, tomb] = [operation(), operation(1, { kind: "delete" })];
      const { payload: _payload, ...bare } = live.document;
      await expectRejected(server, [
        { ...live, kind: "delete" },
        { ...tomb, kind: "create" },
        { ...tomb, kind: "patch" },
        { ...tomb, kind: "restore" },
        { ...tomb, document: { ...tomb.document, payload: {} } },
        { ...tomb, document: { ...tomb.document, deleted: false } },
        { ...live, document: { ...live.document, deleted: true } },
        { ...live, document: bare, changedFields: [] },
      ]);
    },
  },
  "changed-fields-are-named": {
    title:
      "create and restore name every field, a patch at least one, and nobody a missing one or one twice",
    section: "Trellis decision, sync service: changedFields",
    async run(server) {
      const { operation } = newEntity(server);
      const of = (kind: "create" | "patch" | "restore", metadata: Members = {}) =>
        operation(1, { kind, metadata });
      await expectRejected(server, [
        { ...of("create"), changedFields: [] },
        { ...of("restore"), changedFields: [] },
        { ...of("create"), changedFields: ["value", "other"] },
        { ...of("create"), changedFields: ["value", "value"] },
        { ...of("create"), changedMetadataFields: ["color"] },
        { ...of("create", { color: "red" }), changedMetadataFields: [] },
        { ...of("patch"), changedFields: [] },
        { ...of("patch"), changedFields: ["other"] },
        { ...of("patch"), changedMetadataFields: ["entityId"] },
      ]);
    },
  },
  "habits-are-checked": {
    title: "The payload of a habit has its members, each of its kind",
    section: "Trellis decision, sync service: payload rules, habit",
    async run(server) {
      requireHabitsProfile(server);
      const noText = ["", 1, undefined];
      await expectRejectedPayloads(server, server.newHabit(), {
        name: noText,
        color: noText,
        icon: noText,
        category: noText,
        id: ["another", undefined],
        frequency: ["yearly", undefined],
        targetCount: [0, "1"],
        customDays: [3, "1", {}, [0], [8], ["1"], [1.5], [1, 3, 1], [1, 2, 3, 4, 5, 6, 7, 1]],
        notificationEnabled: [null, "true", 1],
        notificationTime: ["", "8:00", "24:00", "08:60", "08:00:00", 800],
        isActive: [1, undefined],
        createdAt: ["yesterday", "2026-02-30T00:00:00Z", 1],
        description: [1],
      });
    },
  },
  "entries-are-checked": {
    title: "The payload of an entry has its members, and its habit and date are those of its id",
    section: "Trellis decision, sync service: payload rules, entry",
    async run(server) {
      requireHabitsProfile(server);
      await expectRejectedPayloads(server, `entry/${server.newId("habit")}/2026-01-31`, {
        id: ["", 1, "e".repeat(129)],
        habitId: ["another"],
        date: ["2026-02-01"],
        completed: ["yes", undefined],
        count: [-1, "1"],
        timestamp: ["31.01.2026", undefined],
      });
    },
  },
  "settings-are-checked": {
    title: "The payload of a setting is its value alone, of at most 4 KiB",
    section: "Trellis decision, sync service: payload rules, setting",
    async run(server) {
      requireHabitsProfile(server);
      await expectRejectedPayloads(server, server.newSetting(), {
        value: [undefined, "v".repeat(MAX_SETTING_BYTES - 1)],
        other: [1],
      });
      const device = await server.device();
      const payload = { value: "v".repeat(MAX_SETTING_BYTES - 2) };
      await device.store(newEntity(server).operation(1, { payload }));
    },
  },
  "secrets-are-refused": {
    title:
      "A name made of secret words is refused anywhere in a document, and one with another word is not",
    section: "Trellis decision, sync service: keys that look like secrets",
    async run(server) {
      const names = [
        "token",
        "accessToken",
        "SECRET",
        "password",
        "apiKey",
        "api_key",
        "api key",
        "credentials",
      ];
      const { operation } = newEntity(server);
      const nested = names.map((name) => ({ payload: { value: { list: [{ [name]: 1 }] } } }));
      const metadata = names.slice(0, 3).map((name) => ({ metadata: { [name]: 1 } }));
      const operations = [...nested, ...metadata].map((options) => operation(1, options));
      await expectRejected(server, operations);
      const ordinary = { tokenCount: 1, secretSanta: 1, passwordHint: 1, clientId: 1 };
      const stored = operation(1, { payload: { value: ordinary }, metadata: ordinary });
      await (await server.device()).store(stored);
    },
  },
  "operations-have-bounds": {
    title: "More than 64 KiB, 16 levels, 256 fields or 32,768 characters are refused",
    section: "Trellis decision, sync service: bounds",
    async run(server) {
      const { maxBodyBytes } = await server.limits();
      const { operation } = newEntity(server);
      const of = (metadata: Members, sequence = 1) => operation(sequence, { metadata });
      // The operation, its document and the member that is named are three levels.
      const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)]);
      const fields = (count: number) =>
        Object.fromEntries(Array.from({ length: count }, (_, index) => [`field${index}`, 1]));
      const long = (length: number) => "a".repeat(length);
      const half = long(MAX_STRING_CHARACTERS);
      const ofBytes = (bytes: number, sequence = 1) => {
        const empty = of({ one: half, two: "" }, sequence);
        const rest = bytes - JSON.stringify(empty).length;
        return of({ one: half, two: long(rest) }, sequence);
      };
      const hasRoom = maxBodyBytes > MAX_OPERATION_BYTES + 1024;
      const tooMuch = [
        of({ deep: nested(MAX_NESTING - 1) }),
        of(fields(MAX_FIELDS + 1)),
        ...(hasRoom ? [of({ text: `${half}a` }), ofBytes(MAX_OPERATION_BYTES + 1)] : []),
      ];
      await expectRejected(server, tooMuch);
      const device = await server.device();
      await device.store(of({ deep: nested(MAX_NESTING - 2) }));
      await device.store(of({ ...fields(MAX_FIELDS - 1), text: hasRoom ? half : "" }, 2));
      if (hasRoom) await device.store(ofBytes(MAX_OPERATION_BYTES, 3));
    },
  },
  "member-names-are-given-once": {
    title:
      "An object with the same member twice is refused, because readers differ in which they take",
    section: "sync contract, General request rules 2; Trellis decision, sync service: operation",
    async run(server) {
      const device = await server.device();
      const valid = JSON.stringify({ operations: [freshOperation(server)] });
      const body = valid.replace('"value":1', '"value":1,"value":2');
      const headers = { ...JSON_BODY, ...device.bearer };
      const response = await server.api.send("POST", "/v1/push", headers, body);
      expectError(response, "invalid_sync_operation");
    },
  },
  "valid-operations-are-accepted": {
    title:
      "What the rules allow is stored: every kind and type, local date-times, absent and listed customDays, notifications, further fields",
    section: "Trellis decision, sync service: operation; payload rules",
    async run(server) {
      const device = await server.device();
      const deviceId = server.newId("device");
      let sequence = 0;
      const make = (entityId: string, options: Partial<OperationOptions> = {}) =>
        createOperation({ deviceId, entityId, sequence: ++sequence, ...options });
      const [habit, setting] = [server.newHabit(), server.newSetting()];
      const entry = `entry/${habit.slice(6)}/2026-02-28`;
      const payload = payloadOf(habit);
      const { customDays: _customDays, ...withoutDays } = payload;
      const operations = [
        make(habit),
        make(habit, { kind: "patch", changedFields: ["name"] }),
        make(habit, { kind: "delete" }),
        make(habit, { kind: "restore", payload: withoutDays }),
        make(habit, { payload: { ...payload, customDays: [1, 3, 7], description: "text" } }),
        make(habit, { payload: { ...payload, customDays: [], notificationEnabled: false } }),
        make(habit, { payload: { ...payload, notificationTime: null } }),
        make(habit, {
          payload: { ...payload, notificationEnabled: true, notificationTime: "07:30" },
        }),
        make(habit, { payload: { ...payload, mood: { of: ["any", "kind"] } } }),
        make(habit, { payload: { ...payload, createdAt: "2026-01-31T12:00:00+02:00" } }),
        make(entry),
        make(setting, { payload: { value: { any: [null, true, "JSON"] } } }),
        make(setting, { metadata: { updatedBy: "somebody", parts: [1] } }),
        make(setting, { kind: "delete", metadata: { reason: "none" } }),
      ];
      await expectEach(operations, device.storeOne);
      // The clean-up deletes settings and habits alone.
      await device.store(make(entry, { kind: "delete" }));
    },
  },
  "operations-of-other-devices-are-accepted": {
    title: "A device may push what another device made, and every device sees it",
    section: "Trellis decision, sync service: a device may push operations another device made",
    async run(server) {
      const [device, other] = [await deviceForBatch(server, 2), await server.signIn()];
      const operation = freshOperation(server);
      const [receipt] = await device.store(operation, freshOperation(server));
      const again = await other.storeOne(operation);
      expectSame("POST /v1/push by another device", "duplicate", again.duplicate, true);
      const marker = await other.pull({ cursor: receipt?.cursor ?? "", limit: 1 });
      expectSame("GET /v1/pull by another device", "recoveryReason", marker.recoveryReason, "none");
      const { lifecycleRevision } = await other.entity(operation.document.entityId);
      expectSame("GET /v1/snapshot", "lifecycleRevision", lifecycleRevision, operation.revision);
    },
  },
});
