/** Operations, valid ones and one for every rule that a single operation can break. */
import type { Operation } from "../../src/contract/sync/operation.ts";
import {
  MAX_ENTITY_ID_LENGTH,
  MAX_FIELDS,
  MAX_NESTING,
  MAX_OPERATION_BYTES,
  MAX_SETTING_BYTES,
  MAX_STRING_CHARACTERS,
  type SyncProfile,
} from "../../src/contract/sync/operation-limits.ts";
import { RULES_BY_CODE } from "../../src/contract/sync/refused-operations.ts";
import { scanOperation } from "../../src/rules/sync/operation-text.ts";
import { validateOperation } from "../../src/rules/sync/validate-operation.ts";
import {
  createOperation,
  ENTRY_PAYLOAD,
  HABIT_PAYLOAD,
} from "../../test/fixtures/sync-operation.ts";
import type { VectorSource } from "./vector-file.ts";

interface OperationInput {
  readonly profile: SyncProfile;
  readonly text: string;
  /** Keeps long texts out of the file. */
  readonly fill?: { readonly text: string; readonly times: number };
}

const FILL = "%FILL%";

const habit = createOperation();
const note = createOperation({ entityId: "note/1", payload: { text: "Milk" } });
const tombstone = createOperation({ kind: "delete", entityId: "note/1" });

export function createOperationVectors(): VectorSource<OperationInput> {
  return {
    name: "sync-operations",
    description:
      "The validation of one operation: docs/protocol/sync.md, Operations. `input.text` is the operation's JSON as it is sent, in which %FILL% stands for `fill.text` repeated `fill.times` times; `profile` is that of the server. `expected` is valid, or invalid with the code that Trellis-Refused names.",
    inputs: {
      ...validInputs(),
      ...brokenBounds(),
      ...brokenShapes(),
      ...brokenRules(),
      ...secretNames(),
      ...brokenPayloads(),
    },
    expect({ profile, text, fill }) {
      const filled = text.replaceAll(FILL, fill === undefined ? "" : fill.text.repeat(fill.times));
      const result = validateOperation(scanOperation(filled), profile);
      return result.kind === "valid" ? { kind: "valid" } : { kind: "invalid", code: result.code };
    },
    // A jump needs the log: sync-push.
    codes: ["valid", ...Object.keys(RULES_BY_CODE).filter((code) => code !== "sequence_jump")],
  };
}

/** The operation with other members; undefined removes one. */
function habits(changes: object, base: Operation = habit): OperationInput {
  return { profile: "habits", text: JSON.stringify({ ...base, ...changes }) };
}

function open(changes: object, base: Operation = note): OperationInput {
  return { ...habits(changes, base), profile: "open" };
}

/** A create of the profile `open` with this payload. */
function payload(fields: Readonly<Record<string, unknown>>): OperationInput {
  return open(createOperation({ entityId: "note/1", payload: fields }));
}

function document(changes: object, base: Operation = note): OperationInput {
  return open({ document: { ...base.document, ...changes } }, base);
}

/** A create of the profile `habits`. */
function entity(entityId: string, fields: Readonly<Record<string, unknown>>): OperationInput {
  return habits(createOperation({ entityId, payload: fields }));
}

function revised(deviceId: string, sequence: string): OperationInput {
  const operationId = `operation/${deviceId}/${sequence}`;
  const { text } = open({ operationId, revision: { deviceId, sequence: 0 } });
  return { profile: "open", text: text.replace('"sequence":0', `"sequence":${sequence}`) };
}

/** As many levels as the limit has, one more for each `more`; the operation, document and payload are three. */
function nested(more: number): OperationInput {
  const lists = MAX_NESTING - 3 + more;
  const value: unknown = JSON.parse("[".repeat(lists) + "]".repeat(lists));
  return payload({ value });
}

/** So many bytes in all, in strings that are short enough. */
function sized(bytes: number): OperationInput {
  const input = payload({ a: FILL, b: FILL, c: "" });
  const rest = bytes - (input.text.length - 2 * FILL.length);
  const times = Math.floor(rest / 2);
  const text = input.text.replace('"c":""', `"c":"${"x".repeat(rest % 2)}"`);
  return { ...input, text, fill: { text: "x", times } };
}

function fields(count: number): Record<string, number> {
  return Object.fromEntries(Array.from({ length: count }, (_none, index) => [`f${index}`, 1]));
}

function validInputs(): Record<string, OperationInput> {
  const patched = { kind: "patch", payload: HABIT_PAYLOAD, changedFields: ["name"] } as const;
  return {
    "a habit": habits({}),
    "a habit with every field and one more": entity("habit/water", {
      ...HABIT_PAYLOAD,
      customDays: [1, 7],
      notificationEnabled: true,
      notificationTime: "23:59",
      shade: { deep: [null] },
    }),
    "a habit with an empty list of days": entity("habit/water", {
      ...HABIT_PAYLOAD,
      customDays: [],
    }),
    "an entry": entity("entry/water/2026-01-31", ENTRY_PAYLOAD),
    "a setting": entity("setting/theme", { value: "dark" }),
    "a setting of the greatest size": {
      ...entity("setting/theme", { value: FILL }),
      fill: { text: "x", times: MAX_SETTING_BYTES - 2 },
    },
    "a patch of one field carries the others": habits(createOperation(patched)),
    "a patch of the profile open carries what it changes": open(
      createOperation({ kind: "patch", entityId: "note/1", payload: { text: "Eggs" } }),
    ),
    "a restore": open(
      createOperation({ kind: "restore", entityId: "note/1", payload: { text: "" } }),
    ),
    "a tombstone": open({}, tombstone),
    "a tombstone with metadata": open(
      createOperation({ kind: "delete", entityId: "note/1", metadata: { by: "ada" } }),
    ),
    "metadata of a create": open(
      createOperation({ entityId: "note/1", payload: {}, metadata: { by: null } }),
    ),
    "a type with several parts": document({ entityId: "list-item/7/2" }),
    "a percent-encoded part": document({ entityId: "note/a%2Fb%20%C3%BC" }),
    "the greatest sequence": revised("phone", "9007199254740991"),
    "a number that no double has": {
      ...open({}),
      text: open({}).text.replace('"Milk"', "9007199254740993"),
    },
    "the deepest nesting": nested(0),
    "the longest string": {
      ...payload({ text: FILL }),
      fill: { text: "x", times: MAX_STRING_CHARACTERS },
    },
    "the largest operation": sized(MAX_OPERATION_BYTES),
    "the most fields": payload(fields(MAX_FIELDS)),
  };
}

function brokenBounds(): Record<string, OperationInput> {
  return {
    "one byte more than the largest": sized(MAX_OPERATION_BYTES + 1),
    "a level too deep": nested(1),
    "a string that is too long": {
      ...payload({ text: FILL }),
      fill: { text: "x", times: MAX_STRING_CHARACTERS + 1 },
    },
    "a name that is too long": {
      ...payload({ [FILL]: 1 }),
      text: payload({ [FILL]: 1 }).text.replace(`["${FILL}"]`, "[]"),
      fill: { text: "x", times: MAX_STRING_CHARACTERS + 1 },
    },
    "a member of the operation twice": {
      ...open({}),
      text: open({}).text.replace("{", '{"kind":"create",'),
    },
    "a member deep in the payload twice": {
      ...open({}),
      text: open({}).text.replace('"Milk"', '{"a":1,"a":1}'),
    },
    "a field too many": payload(fields(MAX_FIELDS + 1)),
    "a metadata field too many": open(
      createOperation({ entityId: "note/1", payload: {}, metadata: fields(MAX_FIELDS + 1) }),
    ),
  };
}

function brokenShapes(): Record<string, OperationInput> {
  return {
    "no object": { profile: "open", text: "[]" },
    "no operation id": open({ operationId: undefined }),
    "a revision that is text": open({ revision: "phone/1" }),
    "a revision with a further member": open({ revision: { ...note.revision, at: 1 } }),
    "no document": open({ document: undefined }),
    "changed fields that are no list": open({ changedFields: "text" }),
    "a changed metadata field that is no text": open({ changedMetadataFields: [1] }),
    "an unknown member": open({ at: "2026-01-31" }),
    "another protocol version": open({ protocolVersion: 2 }),
    "another kind": open({ kind: "update" }),
    "an entity id that is no text": document({ entityId: 7 }),
    "deleted that is no boolean": document({ deleted: 0 }),
    "a payload that is a list": document({ payload: [] }),
    "another schema version": document({ schemaVersion: "1" }),
  };
}

function brokenRules(): Record<string, OperationInput> {
  const restored = createOperation({
    kind: "restore",
    entityId: "note/1",
    payload: { text: "", at: 1 },
  });
  const patch = createOperation({ kind: "patch", entityId: "note/1", payload: { text: "" } });
  return {
    "a device id with a slash": revised("my/phone", "1"),
    "an empty device id": revised("", "1"),
    "a device id that is too long": revised("d".repeat(129), "1"),
    "a sequence of zero": revised("phone", "0"),
    "a sequence that is text": revised("phone", '"7"'),
    "a sequence with a fraction": revised("phone", "7.5"),
    "a sequence with a zero fraction": revised("phone", "7.0"),
    "a sequence with an exponent": revised("phone", "7e0"),
    "a sequence beyond the greatest": revised("phone", "9007199254740992"),
    "an operation id of another sequence": open({ operationId: "operation/phone/2" }),
    "an entity id without a part": document({ entityId: "note" }),
    "an entity id with an empty part": document({ entityId: "note/" }),
    "an entity id with a type in capitals": document({ entityId: "Note/1" }),
    "an entity id with a type that is too long": document({ entityId: `${"n".repeat(33)}/1` }),
    "an entity id that escapes what needs no escape": document({ entityId: "note/%61" }),
    "an entity id with an escape in lower case": document({ entityId: "note/a%2fb" }),
    "an entity id with a raw space": document({ entityId: "note/a b" }),
    "an entity id with a broken escape": document({ entityId: "note/%C3" }),
    "an entity id that is too long": document({
      entityId: `note/${"x".repeat(MAX_ENTITY_ID_LENGTH)}`,
    }),
    "a type that the profile habits does not have": habits({}, note),
    "an entry without a day": entity("entry/water", ENTRY_PAYLOAD),
    "an entry on a day that no calendar has": entity("entry/water/2026-02-30", {
      ...ENTRY_PAYLOAD,
      date: "2026-02-30",
    }),
    "a create of a tombstone": open({ kind: "create" }, tombstone),
    "a delete of a live document": open({ kind: "delete" }),
    "a tombstone with a payload": document({ payload: {} }, tombstone),
    "a live document without a payload": open({
      document: { ...note.document, payload: undefined },
      changedFields: [],
    }),
    "a changed field that is not there": open({ changedFields: ["text", "color"] }),
    "a changed metadata field that is not there": open({ changedMetadataFields: ["by"] }),
    "a member of the document that is no metadata": open({ changedMetadataFields: ["deleted"] }),
    "a changed field twice": open({ changedFields: ["text", "text"] }),
    "a create that does not name every field": open({ changedFields: [] }),
    "a restore that does not name every field": open({ changedFields: ["at"] }, restored),
    "a patch that names no field": open({ changedFields: [] }, patch),
  };
}

const SECRET_NAMES = [
  "token",
  "accessToken",
  "refresh_token",
  "api-key",
  "apiKey",
  "API_KEY",
  "Password",
  "clientSecret",
  "credentials",
  "tokenCount",
  "passwordHint",
  "secretSanta",
  "clientId",
  "keyboard",
  "apiary",
];

/** Names that are refused, and ordinary words beside them. */
function secretNames(): Record<string, OperationInput> {
  return {
    ...Object.fromEntries(
      SECRET_NAMES.map((name) => [`a field ${name}`, payload({ [name]: "x" })]),
    ),
    "a secret name deep in the payload": payload({ list: [{ password: "x" }] }),
    "a secret name of metadata": open(
      createOperation({ entityId: "note/1", payload: {}, metadata: { token: "x" } }),
    ),
    "a secret word as a value": payload({ kind: "token" }),
    "a setting whose key names a secret": entity("setting/apiKey", { value: "x" }),
    "the same id in the profile open": document({ entityId: "setting/apiKey" }),
  };
}

const HABIT_VALUES: Readonly<Record<string, readonly unknown[]>> = {
  name: ["", 7, undefined],
  color: [""],
  icon: [null],
  category: [""],
  frequency: ["hourly"],
  targetCount: [0, "8"],
  customDays: [[0], [8], [1, 1], [1.5], "1"],
  notificationEnabled: [null],
  notificationTime: ["24:00", "9:30"],
  isActive: [1],
  createdAt: ["2026-01-31", "2026-02-30T12:00:00Z", "2026-01-31T24:00:00Z"],
  description: [undefined, 7],
};

const ENTRY_VALUES: Readonly<Record<string, readonly unknown[]>> = {
  id: ["", "x".repeat(129)],
  completed: ["yes"],
  count: [-1],
  timestamp: ["yesterday"],
};

function brokenPayloads(): Record<string, OperationInput> {
  return {
    ...brokenFields("habit/water", HABIT_PAYLOAD, HABIT_VALUES),
    ...brokenFields("entry/water/2026-01-31", ENTRY_PAYLOAD, ENTRY_VALUES),
    "a habit with the id of another": entity("habit/water", { ...HABIT_PAYLOAD, id: "tea" }),
    "an entry of another habit": entity("entry/tea/2026-01-31", ENTRY_PAYLOAD),
    "an entry of another day": entity("entry/water/2026-02-01", ENTRY_PAYLOAD),
    "a setting without a value": entity("setting/theme", {}),
    "a setting with a further field": entity("setting/theme", { value: 1, by: "ada" }),
    "a setting that is too large": {
      ...entity("setting/theme", { value: FILL }),
      fill: { text: "x", times: MAX_SETTING_BYTES - 1 },
    },
  };
}

function brokenFields(
  entityId: string,
  good: Readonly<Record<string, unknown>>,
  values: Readonly<Record<string, readonly unknown[]>>,
): Record<string, OperationInput> {
  const inputs: Record<string, OperationInput> = {};
  for (const [name, wrong] of Object.entries(values)) {
    for (const value of wrong) {
      // A field that is undefined is left out, and not named as changed.
      const fields = JSON.parse(JSON.stringify({ ...good, [name]: value })) as typeof good;
      inputs[`${entityId}: ${name} ${describe(value)}`] = entity(entityId, fields);
    }
  }
  return inputs;
}

function describe(value: unknown): string {
  const text = value === undefined ? "missing" : JSON.stringify(value);
  return text.length > 40 ? "too long" : text;
}
