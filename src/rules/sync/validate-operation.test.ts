import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createChecker } from "../../contract/check.ts";
import { MAX_STRING_CHARACTERS, type SyncProfile } from "../../contract/sync/operation-limits.ts";
import { RULES_BY_CODE } from "../../contract/sync/refused-operations.ts";
import { Operation } from "../../contract/sync/operation.ts";
import {
  createOperation,
  ENTRY_PAYLOAD,
  HABIT_PAYLOAD,
  type OperationOptions,
} from "../../../test/fixtures/sync-operation.ts";
import { scanOperation, scanOperations } from "./operation-text.ts";
import { validateBatch, validateOperation } from "./validate-operation.ts";

/** The broken rule, or "valid". */
function validateText(text: string, profile: SyncProfile = "habits"): string {
  const result = validateOperation(scanOperation(text), profile);
  return result.kind === "valid" ? "valid" : RULES_BY_CODE[result.code];
}

const validateValue = (value: unknown, profile?: SyncProfile) =>
  validateText(JSON.stringify(value), profile);

const validateBuilt = (options: OperationOptions, profile?: SyncProfile) =>
  validateValue(createOperation(options), profile);

const habit = (payload: Record<string, unknown>) =>
  validateBuilt({ payload: { ...HABIT_PAYLOAD, ...payload } });

const ENTRY_ID = "entry/water/2026-01-31";
const entry = (payload: Record<string, unknown>) =>
  validateBuilt({ entityId: ENTRY_ID, payload: { ...ENTRY_PAYLOAD, ...payload } });

const setting = (payload: Record<string, unknown>) =>
  validateBuilt({ entityId: "setting/theme", payload });

const open = (payload: Record<string, unknown>, metadata = {}) =>
  validateBuilt({ entityId: "note/1", payload, metadata }, "open");

test("operations of every kind and type are valid", () => {
  for (const options of [
    {},
    { kind: "restore" },
    { kind: "patch", changedFields: ["name"] },
    { kind: "patch", changedFields: [], metadata: { updatedAt: 1 } },
    { kind: "delete" },
    { kind: "delete", metadata: { updatedAt: 1, by: "me" }, changedMetadataFields: ["by"] },
    { entityId: ENTRY_ID, payload: ENTRY_PAYLOAD },
    { entityId: "setting/theme", payload: { value: { dark: [true, null] } } },
    { deviceId: "A.z_9~-".padEnd(128, "x"), sequence: 2 ** 53 - 1 },
  ] as const) {
    assert.equal(validateBuilt(options), "valid", JSON.stringify(options));
  }
});

test("the reason does not repeat what was written", () => {
  const text = JSON.stringify(
    createOperation({ payload: { ...HABIT_PAYLOAD, frequency: "private thought" } }),
  );
  assert.deepEqual(validateOperation(scanOperation(text), "habits"), {
    kind: "invalid",
    code: "payload_field_type",
    reason: "payload.frequency must be daily, weekly or custom",
  });
});

test("the operation has exactly its members, each of its type", () => {
  const operation = createOperation();
  for (const name of Object.keys(operation)) {
    assert.equal(validateValue({ ...operation, [name]: undefined }), "shape", `without ${name}`);
    assert.equal(validateValue({ ...operation, [name]: 2 }), "shape", `${name} of another type`);
  }
  assert.equal(validateValue({ ...operation, extra: 1 }), "shape");
  assert.equal(validateText(JSON.stringify(operation).replace("{", '{"__proto__":1,')), "shape");
  for (const value of [null, [], [operation], "operation", 7, true]) {
    assert.equal(validateValue(value), "shape");
  }
  for (const change of [{ schemaVersion: 2 }, { entityId: 1 }, { deleted: 0 }, { payload: [] }]) {
    const document = { ...operation.document, ...change };
    assert.equal(validateValue({ ...operation, document }), "shape", JSON.stringify(change));
  }
  assert.equal(validateValue({ ...operation, kind: "upsert" }), "shape");
  assert.equal(validateValue({ ...operation, changedFields: [1] }), "shape");
  const revision = { ...operation.revision, at: 1 };
  assert.equal(validateValue({ ...operation, revision }), "shape");
});

test("further members of the document are metadata", () => {
  assert.equal(validateBuilt({ metadata: { updatedAt: "x", nested: { deep: [1] } } }), "valid");
  const operation = createOperation({ metadata: { updatedAt: "x" } });
  assert.equal(validateValue({ ...operation, changedMetadataFields: [] }), "changed_fields");
});

test("a revision is a device and a plain integer from 1 to 2^53 - 1", () => {
  for (const sequence of [0, -1, 1.5, 2 ** 53, "1", null]) {
    const operation = createOperation();
    const changed = { ...operation, revision: { deviceId: "phone", sequence } };
    assert.equal(
      validateValue({ ...changed, operationId: `operation/phone/${sequence}` }),
      "revision",
    );
  }
  for (const deviceId of ["", "a b", "a/b", "ä", "x".repeat(129), "phone\n"]) {
    assert.equal(validateBuilt({ deviceId }), "revision", deviceId);
  }
  const text = JSON.stringify(createOperation({ sequence: 100 }));
  for (const spelling of ["100.0", "1e2", "100.00000000000000000001"]) {
    assert.equal(
      validateText(text.replace('"sequence":100', `"sequence":${spelling}`)),
      "revision",
    );
  }
});

test("the operation id is that of the revision, in its only spelling", () => {
  const operation = createOperation({ deviceId: "a~b", sequence: 7 });
  for (const operationId of [
    "operation/a%7Eb/7",
    "operation/a~b/07",
    "operation/a~b/8",
    "operation/b/7",
    "Operation/a~b/7",
    "operation/a~b/7/",
  ]) {
    assert.equal(validateValue({ ...operation, operationId }), "operation_id", operationId);
  }
});

test("entity ids are of a known type, complete and canonically encoded", () => {
  const named = (id: string) => ({ ...HABIT_PAYLOAD, id });
  assert.equal(validateBuilt({ entityId: "habit/a%20b%2Fc", payload: named("a b/c") }), "valid");
  assert.equal(validateBuilt({ entityId: "habit/%C3%A4!", payload: named("ä!") }), "valid");
  for (const entityId of [
    "",
    "habit",
    "habit/",
    "habit/a/b",
    "habit/a b",
    "habit/ä",
    "habit/%c3%a4",
    "habit/%61",
    "habit/%",
    "habit/%ff",
    "Habit/a",
    "note/a",
    "entry/water",
    "entry/water/2026-02-30",
    "entry/water/2026-1-31",
    "entry//2026-01-31",
    "entry/water/2026-01-31/x",
    "setting/",
    "/habit/a",
    `habit/${"a".repeat(2048)}`,
  ]) {
    assert.equal(validateBuilt({ kind: "delete", entityId }), "entity_id", entityId);
  }
});

test("deletes have tombstones, other kinds have live documents with a payload", () => {
  const live = createOperation();
  const tombstone = createOperation({ kind: "delete" });
  const names = { changedFields: [] };
  assert.equal(validateValue({ ...live, document: tombstone.document, ...names }), "tombstone");
  assert.equal(validateValue({ ...tombstone, document: live.document }), "tombstone");
  assert.equal(
    validateValue({ ...tombstone, document: { ...tombstone.document, payload: {} } }),
    "tombstone",
  );
  const { payload: _, ...bare } = live.document;
  assert.equal(validateValue({ ...live, document: bare, ...names }), "tombstone");
});

test("creates and restores name every field, patches at least one, and none a missing field", () => {
  for (const [options, expected] of [
    [{ kind: "create", changedFields: ["name"] }, "changed_fields"],
    [{ kind: "restore", changedFields: [] }, "changed_fields"],
    [{ kind: "create", metadata: { a: 1, b: 2 }, changedMetadataFields: ["a"] }, "changed_fields"],
    [{ kind: "patch", changedFields: [] }, "changed_fields"],
    [{ kind: "patch", changedFields: ["nickname"] }, "changed_fields"],
    [{ kind: "patch", changedFields: ["toString"] }, "changed_fields"],
    [{ kind: "patch", changedFields: ["name", "name"] }, "changed_fields"],
    [{ kind: "patch", changedFields: [], changedMetadataFields: ["payload"] }, "changed_fields"],
    [{ kind: "patch", changedFields: [], changedMetadataFields: ["deleted"] }, "changed_fields"],
    [{ kind: "delete", changedFields: ["name"] }, "changed_fields"],
    [
      { kind: "patch", changedFields: ["name"], metadata: { a: 1 }, changedMetadataFields: [] },
      "valid",
    ],
  ] as const) {
    assert.equal(validateBuilt(options), expected, JSON.stringify(options));
  }
});

test("a habit has the fields of a habit", () => {
  for (const name of Object.keys(HABIT_PAYLOAD).filter((name) => name !== "customDays")) {
    const payload: Record<string, unknown> = { ...HABIT_PAYLOAD };
    delete payload[name];
    assert.equal(validateBuilt({ payload }), "payload", `without ${name}`);
    assert.equal(habit({ [name]: {} }), "payload", `${name} of another type`);
  }
  const { customDays: _, ...without } = HABIT_PAYLOAD;
  assert.equal(validateBuilt({ payload: without }), "valid");
  for (const payload of [
    { id: "other" },
    { name: "" },
    { frequency: "monthly" },
    { targetCount: 0.5 },
    { targetCount: "8" },
    { customDays: 3 },
    { customDays: "1,3" },
    { customDays: {} },
    { customDays: [0] },
    { customDays: [8] },
    { customDays: [1.5] },
    { customDays: ["1"] },
    { customDays: [null] },
    { customDays: [1, 3, 1] },
    { customDays: [1, 2, 3, 4, 5, 6, 7, 1] },
    { notificationEnabled: "true" },
    { notificationEnabled: null },
    { notificationTime: "" },
    { notificationTime: "8:00" },
    { notificationTime: "24:00" },
    { notificationTime: "08:60" },
    { notificationTime: "08:00:00" },
    { notificationTime: "08:00\n" },
    { notificationTime: 800 },
    { isActive: null },
    { createdAt: "yesterday" },
    { createdAt: "2026-02-30T12:00:00" },
    { description: 5 },
  ]) {
    assert.equal(habit(payload), "payload", JSON.stringify(payload));
  }
  for (const payload of [
    { description: "" },
    { customDays: null },
    { customDays: [] },
    { customDays: [7, 1, 3], frequency: "custom" },
    { customDays: [1, 2, 3, 4, 5, 6, 7] },
    { notificationEnabled: false, notificationTime: null },
    { notificationEnabled: true, notificationTime: "00:00" },
    { notificationTime: "23:59" },
    { targetCount: 1 },
    { frequency: "weekly" },
    { createdAt: "2026-08-21T10:15:30.123456" },
    { createdAt: "2026-08-21T10:15:30+02:00" },
    { unknown: { kept: [1, 2] } },
  ]) {
    assert.equal(habit(payload), "valid", JSON.stringify(payload));
  }
});

test("an entry has the fields of an entry", () => {
  for (const name of Object.keys(ENTRY_PAYLOAD)) {
    const payload: Record<string, unknown> = { ...ENTRY_PAYLOAD };
    delete payload[name];
    assert.equal(validateBuilt({ entityId: ENTRY_ID, payload }), "payload", `without ${name}`);
  }
  for (const payload of [
    { id: "" },
    { id: "x".repeat(129) },
    { habitId: "tea" },
    { date: "2026-02-01" },
    { completed: 1 },
    { count: -1 },
    { timestamp: 1769860800 },
  ]) {
    assert.equal(entry(payload), "payload", JSON.stringify(payload));
  }
  assert.equal(entry({ id: "😀".repeat(128), count: 0, mood: "good" }), "valid");
});

test("a setting has only a value, of at most 4 KiB as it is written", () => {
  for (const value of [null, 0, "", [], {}, "x".repeat(4094), "é".repeat(2047)]) {
    assert.equal(setting({ value }), "valid");
  }
  for (const payload of [
    {},
    { other: 1 },
    { value: 1, other: 1 },
    { value: "x".repeat(4095) },
    { value: "é".repeat(2048) },
  ]) {
    assert.equal(setting(payload), "payload");
  }
});

test("the open profile allows any type and payload, but keeps every other rule", () => {
  assert.equal(open({}), "valid");
  assert.equal(open({ anything: [{ at: "all" }] }), "valid");
  for (const entityId of ["a/1", "habit/x", "shopping-list-2/a/b/c", `${"t".repeat(32)}/1`]) {
    assert.equal(validateBuilt({ entityId, payload: { x: 1 } }, "open"), "valid", entityId);
  }
  for (const entityId of [
    "note",
    "note/",
    "Note/1",
    "1note/1",
    "note//1",
    "note/%61",
    `${"t".repeat(33)}/1`,
  ]) {
    assert.equal(validateBuilt({ entityId, payload: { x: 1 } }, "open"), "entity_id", entityId);
  }
});

test("names that look like secrets are refused at any depth, in any case", () => {
  for (const name of [
    "token",
    "accessToken",
    "REFRESH_TOKEN",
    "accesstoken",
    "clientSecret",
    "id_token",
    "session-token",
    "bearerAuthToken",
    "Password",
    "api key",
    "apiKey",
    "api_key",
    "API-KEY",
    "apikeys",
    "credentials",
  ]) {
    assert.equal(habit({ [name]: 1 }), "secret_name", name);
    assert.equal(habit({ deep: [{ er: { [name]: 1 } }] }), "secret_name", name);
    assert.equal(open({ x: 1 }, { [name]: 1 }), "secret_name", name);
    assert.equal(
      validateBuilt({ entityId: `setting/${encodeURIComponent(name)}`, payload: { value: 1 } }),
      "secret_name",
      name,
    );
  }
  const escaped = JSON.stringify(createOperation({ payload: { ...HABIT_PAYLOAD, hidden: 1 } }));
  assert.equal(
    validateText(escaped.replaceAll('"hidden"', String.raw`"to\u006ben"`)),
    "secret_name",
  );
  for (const name of [
    "key",
    "apiary",
    "monkey",
    "clientId",
    "sessionId",
    "tokenCount",
    "tokenizer",
    "secretSanta",
    "secretary",
    "passwordHint",
    "passwordless",
    "keyToken",
  ]) {
    assert.equal(habit({ [name]: "a token, a secret, a password" }), "valid", name);
  }
});

test("a name that looks like a secret is refused in every operation of a batch that has it", () => {
  const operations = [{ apiKey: 1 }, {}, { apiKey: 1 }].map((payload, index) =>
    createOperation({ sequence: index + 1, payload: { ...HABIT_PAYLOAD, ...payload } }),
  );
  const scanned = scanOperations(JSON.stringify({ operations }), operations) ?? [];
  const result = validateBatch(scanned, "habits");
  assert.ok(result.kind === "invalid");
  assert.deepEqual(
    result.errors.map(({ index, code }) => [index, RULES_BY_CODE[code]]),
    [
      [0, "secret_name"],
      [2, "secret_name"],
    ],
  );
});

test("a name given twice in one object is refused, wherever it is", () => {
  const text = JSON.stringify(createOperation({ payload: { ...HABIT_PAYLOAD, more: { a: 1 } } }));
  assert.equal(validateText(text), "valid");
  for (const [from, to] of [
    ['"kind":"create"', '"kind":"delete","kind":"create"'],
    ['"name":', '"name":"other","name":'],
    ['"a":1', '"a":1,"a":1'],
    ['"a":1', String.raw`"\u0061":2,"a":1`],
    ['"more":{', '"more":{"b":{"c":1}},"more":{'],
  ] as const) {
    assert.equal(validateText(text.replace(from, to)), "repeated_member", to);
  }
});

test("an operation is at most 64 KiB of UTF-8", () => {
  const lines = (count: number) =>
    Array.from({ length: 4 }, (_, index) => "é".repeat(index === 0 ? count : 8000));
  const text = (count: number, pad: string) =>
    JSON.stringify(createOperation({ payload: { ...HABIT_PAYLOAD, lines: lines(count), pad } }));
  const bytes = Buffer.byteLength(text(8000, ""));
  const room = 65_536 - bytes;
  const pad = "x".repeat(room % 2);
  const count = 8000 + (room - pad.length) / 2;
  assert.equal(Buffer.byteLength(text(count, pad)), 65_536);
  assert.equal(validateText(text(count, pad)), "valid");
  assert.equal(validateText(text(count, `${pad}x`)), "size");
  const small = JSON.stringify(createOperation());
  assert.equal(validateText(small.replace("{", `{${" ".repeat(65_536)}`)), "size");
});

test("strings and names are at most 32 Ki characters", () => {
  assert.equal(habit({ note: "x".repeat(32_768) }), "valid");
  assert.equal(habit({ note: "x".repeat(32_769) }), "string_length");
  assert.equal(habit({ note: ["😀".repeat(1000) + "x".repeat(31_768)] }), "valid");
  assert.equal(habit({ note: { ["n".repeat(32_769)]: 1 } }), "string_length");
});

test("nesting is at most 16, counted from the operation", () => {
  const nested = (levels: number) => {
    let value: unknown = 1;
    for (let level = 0; level < levels; level++) value = level % 2 === 0 ? [value] : { a: value };
    return value;
  };
  // Operation, document and payload are the first three.
  assert.equal(open({ x: nested(13) }), "valid");
  assert.equal(open({ x: nested(14) }), "nesting");
  const deep = `${"[".repeat(30_000)}${"]".repeat(30_000)}`;
  const text = JSON.stringify(createOperation({ entityId: "note/1", payload: { x: "deep" } }));
  assert.equal(validateText(text.replace('"deep"', deep), "open"), "nesting");
});

test("payload and metadata have at most 256 fields each", () => {
  const fields = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, index]));
  assert.equal(open(fields(256), fields(256)), "valid");
  assert.equal(open(fields(257)), "field_count");
  assert.equal(open({ x: 1 }, fields(257)), "field_count");
  assert.equal(open({ x: fields(300) }), "valid");
});

test("a batch names every bad operation and its rule", () => {
  const operations = [
    createOperation({ sequence: 1 }),
    { ...createOperation({ sequence: 2 }), extra: true },
    createOperation({ sequence: 3 }),
    createOperation({ sequence: 4, kind: "patch", changedFields: [] }),
  ];
  const body = JSON.stringify({ operations });
  const result = validateBatch(scanOperations(body, operations) ?? [], "habits");
  assert.ok(result.kind === "invalid");
  assert.deepEqual(
    result.errors.map(({ index, code }) => [index, RULES_BY_CODE[code]]),
    [
      [1, "shape"],
      [3, "changed_fields"],
    ],
  );
});

test("a valid batch has the fields that each operation writes, as they were written", () => {
  const body = `{"operations":[ ${JSON.stringify(createOperation({ kind: "patch", metadata: { seen: 1 }, changedFields: ["targetCount"] })).replace('"targetCount":8', '"targetCount": 9007199254740993')} ]}`;
  const values = JSON.parse(body).operations as unknown[];
  const result = validateBatch(scanOperations(body, values) ?? [], "habits");
  assert.ok(result.kind === "valid");
  const [operation] = result.operations;
  assert.deepEqual(operation?.payloadFields, [{ name: "targetCount", json: "9007199254740993" }]);
  assert.deepEqual(operation?.metadataFields, [{ name: "seen", json: "1" }]);
  assert.ok(operation !== undefined && body.includes(operation.text));
});

const checker = createChecker(Operation);

test("arbitrary JSON is validated without a throw", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom("habits", "open"), (value, profile) => {
      assert.notEqual(validateValue(value, profile), "valid");
    }),
  );
});

test("an operation that is valid after a random change still obeys the schema and its own id", () => {
  const samples = [
    createOperation({ metadata: { updatedAt: 1 } }),
    createOperation({ kind: "patch", changedFields: ["name"] }),
    createOperation({ kind: "delete", metadata: { by: "me" } }),
    createOperation({ entityId: ENTRY_ID, payload: ENTRY_PAYLOAD }),
    createOperation({ entityId: "setting/theme", payload: { value: 1 } }),
  ];
  fc.assert(
    fc.property(
      fc.constantFrom(...samples),
      fc.nat(),
      fc.oneof(
        fc.jsonValue(),
        fc.constantFrom("habit/water", "delete", "patch", 0, 1, true, [], {}, "name", ["name"]),
        fc.constant(undefined),
      ),
      fc.constantFrom("habits", "open"),
      (sample, at, put, profile) => {
        const changed = structuredClone(sample) as unknown as Record<string, unknown>;
        const places = listPlaces(changed);
        const [holder, name] = places[at % places.length] ?? [changed, "kind"];
        holder[name] = put;
        if (validateValue(changed, profile) !== "valid") return;
        const value = JSON.parse(JSON.stringify(changed)) as Operation;
        assert.deepEqual(checker.errors(value), []);
        const { revision, kind, document } = value;
        assert.equal(value.operationId, `operation/${revision.deviceId}/${revision.sequence}`);
        assert.equal(kind === "delete", document.deleted);
        assert.equal(kind === "delete", document.payload === undefined);
        assert.ok(value.changedFields.every((name) => Object.hasOwn(document.payload ?? {}, name)));
        assert.ok(value.changedMetadataFields.every((name) => Object.hasOwn(document, name)));
      },
    ),
    { numRuns: 3000 },
  );
});

function listPlaces(value: object): [holder: Record<string, unknown>, name: string][] {
  const holder = value as Record<string, unknown>;
  return Object.keys(holder).flatMap((name) => {
    const inside = holder[name];
    const deeper = typeof inside === "object" && inside !== null ? listPlaces(inside) : [];
    return [[holder, name] as [Record<string, unknown>, string], ...deeper];
  });
}

test("an error of a value says where it is, and the reason never does", () => {
  const fail = (payload: Record<string, unknown>) => {
    const text = JSON.stringify(createOperation({ entityId: "note/1", payload }));
    const result = validateOperation(scanOperation(text), "open");
    assert.ok(result.kind === "invalid");
    assert.doesNotMatch(result.reason, /notes|more/);
    return result.path;
  };
  assert.deepEqual(fail({ notes: [1, { apiKey: 1 }] }), [
    "document",
    "payload",
    "notes",
    1,
    "apiKey",
  ]);
  const long = "x".repeat(MAX_STRING_CHARACTERS + 1);
  assert.deepEqual(fail({ more: { text: long } }), ["document", "payload", "more", "text"]);
});

test("each way to miss an entity id has its own words", () => {
  const reasons = ["note", "Note/1", "note/", "note/a b", `note/${"x".repeat(2048)}`].map(
    (entityId) => {
      const text = JSON.stringify(createOperation({ entityId, payload: { value: 1 } }));
      const result = validateOperation(scanOperation(text), "open");
      assert.ok(result.kind === "invalid" && result.code === "entity_id", entityId);
      return result.reason;
    },
  );
  assert.equal(new Set(reasons).size, reasons.length);
  const inHabits = JSON.stringify(createOperation({ entityId: "note/1", payload: { value: 1 } }));
  const result = validateOperation(scanOperation(inHabits), "habits");
  assert.ok(result.kind === "invalid");
  assert.match(result.reason, /the profile open takes any type/);
});
