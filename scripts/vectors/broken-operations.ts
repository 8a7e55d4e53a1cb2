/** Operations that break one rule each. */
import {
  MAX_ENTITY_ID_LENGTH,
  MAX_FIELDS,
  MAX_OPERATION_BYTES,
  MAX_SETTING_BYTES,
  MAX_STRING_CHARACTERS,
} from "../../src/contract/sync/operation-limits.ts";
import {
  createOperation,
  ENTRY_PAYLOAD,
  HABIT_PAYLOAD,
} from "../../test/fixtures/sync-operation.ts";
import {
  document,
  entity,
  fields,
  FILL,
  habits,
  nested,
  note,
  open,
  payload,
  revised,
  sized,
  tombstone,
  type OperationInput,
} from "./operation-inputs.ts";

export const BROKEN_BOUNDS: Record<string, OperationInput> = {
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

export const BROKEN_SHAPES: Record<string, OperationInput> = {
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

const restored = createOperation({
  kind: "restore",
  entityId: "note/1",
  payload: { text: "", at: 1 },
});
const patch = createOperation({ kind: "patch", entityId: "note/1", payload: { text: "" } });

export const BROKEN_RULES: Record<string, OperationInput> = {
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

export const BROKEN_PAYLOADS: Record<string, OperationInput> = {
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
