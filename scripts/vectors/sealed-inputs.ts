/** What the vectors of end-to-end encryption ask. */
import { createKeyRecord, type KeyOrigin } from "../../src/client/encryption/account-key-list.ts";
import type { DataKey } from "../../src/client/encryption/data-key.ts";
import { sealText } from "../../src/client/encryption/envelope.ts";
import {
  createOperationSealer,
  toAssociatedText,
} from "../../src/client/encryption/operation-sealer.ts";
import type { FieldPart } from "../../src/client/encryption/opaque-naming.ts";
import { toRecoveryKey } from "../../src/client/encryption/recovery-key.ts";
import type { AccountKey } from "../../src/contract/sync/schemas.ts";
import type { Operation, Revision } from "../../src/contract/sync/operation.ts";
import { encodeBase64Url } from "../../src/rules/base64url.ts";
import { buildOperation, type OperationContent } from "../../src/rules/sync/operation.ts";
import { parseOperation } from "../../src/rules/sync/operation-text.ts";
import { countedDataKey } from "../../test/fixtures/data-keys.ts";

export type SealedInput =
  | { readonly rule: "derive" | "derive-names" | "to-recovery-key"; readonly dataKey: string }
  | { readonly rule: "entity-id"; readonly firstKey: string; readonly entityId: string }
  | {
      readonly rule: "field-name";
      readonly firstKey: string;
      /** An opaque id. */
      readonly entityId: string;
      readonly part: FieldPart;
      readonly name: string;
    }
  /** `keys` are the account's, the first one first; `text` is that of an operation of the app. */
  | { readonly rule: "seal"; readonly keys: readonly string[]; readonly text: string }
  | { readonly rule: "open"; readonly keys: readonly string[]; readonly operation: Operation }
  | { readonly rule: "record"; readonly keys: readonly string[]; readonly origin: KeyOrigin | null }
  | { readonly rule: "take-over"; readonly dataKey: string; readonly list: readonly AccountKey[] }
  | { readonly rule: "origin"; readonly dataKey: string; readonly record: AccountKey }
  | { readonly rule: "read-recovery-key"; readonly text: string };

const [FIRST, SECOND, THIRD, OTHER] = [0, 100, 160, 50].map(countedDataKey) as [
  DataKey,
  DataKey,
  DataKey,
  DataKey,
];
const SEALER = createOperationSealer([FIRST]);
const toText = ({ bytes }: DataKey) => encodeBase64Url(bytes);
const dataKey = toText(FIRST);

const at = (sequence: number, deviceId = "phone"): Revision => ({ deviceId, sequence });

const NOTE: OperationContent = {
  kind: "create",
  revision: at(7),
  entityId: "note/1",
  payload: { title: "Gr\u00fc\u00dfe \u{1f40e}", done: false, tags: ["a", { b: null }] },
  metadata: { by: "ada" },
};
const PATCH: OperationContent = {
  ...NOTE,
  kind: "patch",
  payload: { title: "Milk", done: true },
  metadata: {},
};
const DELETE: OperationContent = { ...NOTE, kind: "delete" };

function clearText(content: Partial<OperationContent>): string {
  return JSON.stringify(buildOperation({ ...NOTE, ...content }));
}

function seal(content: Partial<OperationContent> = {}, keys: readonly DataKey[] = [FIRST]) {
  return { rule: "seal", keys: keys.map(toText), text: clearText(content) } as const;
}

/** A plain text of `bytes` bytes, without its padding. */
function sized(bytes: number): SealedInput {
  const { length } = '["note/1",[["t",""]],[]]';
  return seal({ payload: { t: "x".repeat(bytes - length) }, metadata: {} });
}

type Wire = Operation & { document: Record<string, unknown> };

function sealedOf(content: OperationContent): Wire {
  const clear = parseOperation(clearText(content));
  return JSON.parse(SEALER.seal(SEALER.toNamed(clear))) as Wire;
}

/** A sealed operation, after a change to what a server sends. */
function open(
  content: OperationContent,
  change: (operation: Wire) => unknown = () => {},
  keys: readonly DataKey[] = [FIRST],
): SealedInput {
  const operation = sealedOf(content);
  change(operation);
  const { deviceId, sequence } = operation.revision;
  operation.operationId = `operation/${deviceId}/${sequence}`;
  return { rule: "open", keys: keys.map(toText), operation };
}

/** What a device that has the key sealed in the place of the plain text. */
function openPlain(text: string, content: OperationContent = PATCH): SealedInput {
  return open(content, (operation) => {
    const { kind, revision, changedFields, changedMetadataFields } = operation;
    const names = { payload: changedFields, metadata: changedMetadataFields };
    const place = { opaqueId: operation.document.entityId, kind, revision, ...names };
    operation.document["sealed"] = sealText(FIRST, toAssociatedText(FIRST.id, place), text);
  });
}

function changeEnvelope(edit: (envelope: string) => unknown): (operation: Wire) => void {
  return ({ document }) => {
    document["sealed"] = edit(String(document["sealed"]));
  };
}

/** `2.`, a key id and a dot. */
const HEAD = 25;

/** Changes the bytes behind the key id. */
function changeBytes(edit: (bytes: Buffer) => Uint8Array): (operation: Wire) => void {
  return changeEnvelope((text) => {
    const bytes = edit(Buffer.from(text.slice(HEAD), "base64url"));
    return text.slice(0, HEAD) + encodeBase64Url(bytes);
  });
}

function flip(position: number): (operation: Wire) => void {
  return changeBytes((bytes) => {
    const place = position < 0 ? bytes.length + position : position;
    return bytes.map((byte, index) => (index === place ? byte ^ 1 : byte));
  });
}

function withoutField(operation: Wire): void {
  const [name = ""] = operation.changedFields.splice(0, 1);
  delete operation.document.payload?.[name];
}

function moveToMetadata({ document, changedFields, changedMetadataFields }: Wire): void {
  const { payload, sealed } = document;
  delete document["sealed"];
  const names = changedFields.splice(0).map((name) => [name, ""] as const);
  changedMetadataFields.push(...names.map(([name]) => name));
  const members = [...names, ["sealed", sealed] as const].toSorted(([a], [b]) => (a < b ? -1 : 1));
  for (const name of Object.keys(payload ?? {})) delete payload?.[name];
  Object.assign(document, Object.fromEntries(members));
}

const ORIGIN: KeyOrigin = { deviceId: "laptop", at: "2026-11-19T08:30:00.000Z" };
const FIRST_RECORD = createKeyRecord(FIRST, [], null);
const SECOND_RECORD = createKeyRecord(SECOND, [FIRST], ORIGIN);
const THIRD_RECORD = createKeyRecord(THIRD, [FIRST, SECOND], ORIGIN);
const LIST = [FIRST_RECORD, SECOND_RECORD, THIRD_RECORD];

function takeOver(key: DataKey, ...list: readonly AccountKey[]): SealedInput {
  return { rule: "take-over", dataKey: toText(key), list };
}

function flipText(text: string): string {
  return `${text.slice(0, -6)}${text.at(-6) === "A" ? "B" : "A"}${text.slice(-5)}`;
}

function fieldName(part: FieldPart, name: string): SealedInput {
  const { opaqueId } = SEALER.toNamed(parseOperation(clearText({})));
  return { rule: "field-name", firstKey: dataKey, entityId: opaqueId, part, name };
}

const entityId = (id: string): SealedInput => ({
  rule: "entity-id",
  firstKey: dataKey,
  entityId: id,
});

const RECOVERY = toRecoveryKey(new Uint8Array(32).fill(8));
const recover = (text: string): SealedInput => ({ rule: "read-recovery-key", text });

export const ENCRYPTION_INPUTS: Record<string, SealedInput> = {
  "the keys that follow from a data key": { rule: "derive", dataKey },
  "the keys that names follow from": { rule: "derive-names", dataKey },
  "the opaque id of an entity": entityId("note/1"),
  "the opaque id of an entity with an escape": entityId("note/a%20b"),
  "the opaque name of a payload field": fieldName("payload", "title"),
  "the opaque name of a metadata field": fieldName("metadata", "title"),
  "the opaque name of an empty field": fieldName("metadata", ""),
  "the opaque name of a field with letters of other planes": fieldName(
    "payload",
    "\u{1f40e}/\u00fc",
  ),
  "an ill-formed name": fieldName("payload", "a\ud800"),

  "a create": seal(),
  "a create without metadata": seal({ metadata: {} }),
  "a create without payload": seal({ payload: {} }),
  "a create without fields": seal({ payload: {}, metadata: {} }),
  "a restore": seal({ kind: "restore" }),
  "a delete": seal({ kind: "delete" }),
  "a delete without metadata": seal({ kind: "delete", metadata: {} }),
  "a patch with a field that it does not change": seal({
    ...PATCH,
    payload: { title: "Milk", done: true },
    changedFields: ["done"],
  }),
  "a value that no parser may round": {
    rule: "seal",
    keys: [dataKey],
    text: clearText({ payload: { a: 1, b: [2] } })
      .replace('"a":1', '"a": 9007199254740993')
      .replace('"b":[2]', '"b":[ 1.50, 1e2 ]'),
  },
  "a create under the third key": seal({}, [FIRST, SECOND, THIRD]),
  "a plain text of 127 bytes": sized(127),
  "a plain text of 128 bytes": sized(128),
  "a plain text of 129 bytes": sized(129),
  "a longer plain text": sized(1500),

  "opening a create": open(NOTE),
  "opening a patch": open(PATCH),
  "opening a delete": open(DELETE),
  "opening a delete without metadata": open({ ...DELETE, metadata: {} }),
  "opening with a former key": open(NOTE, () => {}, [FIRST, SECOND]),
  "opening what others wrote with white space": openPlain(
    ' [ "note/1" , [ ["done", 9007199254740993] , [ "title" , [ 1.50 ] ] ] , [ ] ] ',
  ),
  "a field name that its opaque name does not have": openPlain(
    '["note/1",[["other",1],["another",2]],[]]',
  ),
  "an entity in the clear": open(PATCH, ({ document }) => (document.entityId = "note/1")),
  "no envelope": open(PATCH, ({ document }) => delete document["sealed"]),
  "an envelope that is no text": open(
    PATCH,
    changeEnvelope(() => 7),
  ),
  "another version": open(
    PATCH,
    changeEnvelope((text) => `3${text.slice(1)}`),
  ),
  "an envelope with padding of Base64": open(
    PATCH,
    changeEnvelope((text) => `${text}==`),
  ),
  "an envelope that is too short": open(
    PATCH,
    changeEnvelope((text) => text.slice(0, HEAD + 53)),
  ),
  "a value beside the envelope": open(PATCH, ({ document, changedFields: [name = ""] }) => {
    document.payload = { ...document.payload, [name]: "Milk" };
  }),
  "a delete with metadata that it does not name": open(DELETE, (operation) => {
    operation.changedMetadataFields = [];
  }),
  "a patch with a field that is not named": open(PATCH, (operation) => {
    operation.changedFields.shift();
  }),
  "an unknown key": open(PATCH, () => {}, [OTHER]),
  "an unknown key and a changed byte": open(PATCH, flip(30), [OTHER]),
  "a changed nonce": open(PATCH, flip(0)),
  "a changed cipher text": open(PATCH, flip(24)),
  "a changed tag": open(PATCH, flip(-1)),
  "a truncated cipher text": open(
    PATCH,
    changeBytes((bytes) => bytes.subarray(0, -1)),
  ),
  "nothing but a nonce and a tag": open(
    PATCH,
    changeBytes((bytes) => bytes.subarray(0, 40)),
  ),
  "another device": open(PATCH, ({ revision }) => (revision.deviceId = "laptop")),
  "another sequence": open(PATCH, ({ revision }) => revision.sequence++),
  "another entity": open(PATCH, ({ document }) => {
    document.entityId = sealedOf({ ...PATCH, entityId: "note/2" }).document.entityId;
  }),
  "a patch that became a create": open(PATCH, (operation) => (operation.kind = "create")),
  "a create that became a restore": open(NOTE, (operation) => (operation.kind = "restore")),
  "a create that became a delete": open({ ...NOTE, metadata: {} }, (operation) => {
    operation.kind = "delete";
    operation.document.deleted = true;
    delete operation.document.payload;
    operation.changedFields = [];
  }),
  "half of an operation": open(PATCH, withoutField),
  "the other part": open(PATCH, moveToMetadata),
  "the envelope of another operation": open(PATCH, ({ document }) => {
    document["sealed"] = sealedOf({ ...PATCH, revision: at(8) }).document["sealed"];
  }),
  "another name key": open(PATCH, () => {}, [OTHER, FIRST]),
  "a plain text that is no JSON": openPlain("Milk"),
  "a plain text of two parts": openPlain('["note/1",[["done",1],["title",2]]]'),
  "fewer fields than names": openPlain('["note/1",[["done",1]],[]]'),
  "a field that is no pair": openPlain('["note/1",[["done",1],["title"]],[]]'),
  "the id of another entity in the plain text": openPlain('["note/2",[["done",1],["title",2]],[]]'),
  "a value that is nested too deeply": openPlain(
    `["note/1",[["done",1],["title",${"[".repeat(14)}${"]".repeat(14)}]],[]]`,
  ),
  "a value with a member twice": openPlain('["note/1",[["done",1],["title",{"a":1,"a":2}]],[]]'),

  "the record of an account's first key": { rule: "record", keys: [dataKey], origin: null },
  "the record of a rotation": {
    rule: "record",
    keys: [dataKey, toText(SECOND), toText(THIRD)],
    origin: ORIGIN,
  },
  "the record of a list that begins again": {
    rule: "record",
    keys: [dataKey, toText(SECOND), toText(THIRD)],
    origin: null,
  },
  "who replaced a key": { rule: "origin", dataKey, record: SECOND_RECORD },
  "who replaced another key": { rule: "origin", dataKey, record: THIRD_RECORD },
  "a rotation that is shown for another": {
    rule: "origin",
    dataKey,
    record: { ...THIRD_RECORD, ...(SECOND_RECORD.from && { from: SECOND_RECORD.from }) },
  },
  "the account's first key": takeOver(FIRST, FIRST_RECORD),
  "the third key": takeOver(THIRD, ...LIST),
  "a key that was replaced": takeOver(SECOND, ...LIST),
  "a rotation that is withheld": takeOver(SECOND, ...LIST.slice(0, 2)),
  "another account's key": takeOver(OTHER, ...LIST),
  "a list that begins again": takeOver(THIRD, createKeyRecord(THIRD, [FIRST, SECOND], null)),
  "a list without its first record": takeOver(THIRD, ...LIST.slice(1)),
  "a list without the one in the middle": takeOver(THIRD, FIRST_RECORD, THIRD_RECORD),
  "a record of another account": takeOver(
    THIRD,
    FIRST_RECORD,
    { ...createKeyRecord(OTHER, [FIRST], ORIGIN) },
    THIRD_RECORD,
  ),
  "another write secret": takeOver(
    THIRD,
    { ...FIRST_RECORD, write: SECOND_RECORD.write },
    ...LIST.slice(1),
  ),
  "former keys that do not open": takeOver(
    THIRD,
    FIRST_RECORD,
    { ...SECOND_RECORD, keys: flipText(SECOND_RECORD.keys) },
    THIRD_RECORD,
  ),
  "an origin that does not open": takeOver(THIRD, FIRST_RECORD, SECOND_RECORD, {
    ...THIRD_RECORD,
    from: flipText(String(THIRD_RECORD.from)),
  }),
  "former keys with another first one": takeOver(
    THIRD,
    FIRST_RECORD,
    createKeyRecord(SECOND, [OTHER, FIRST], ORIGIN),
    createKeyRecord(THIRD, [FIRST, OTHER, SECOND], ORIGIN),
  ),
  "an empty list": takeOver(FIRST),

  "a recovery key": { rule: "to-recovery-key", dataKey },
  "a recovery key as it was shown": recover(RECOVERY),
  "a recovery key in small letters, without dashes": recover(
    RECOVERY.toLowerCase().replaceAll("-", ""),
  ),
  "a recovery key with spaces and letters that look like digits": recover(
    ` ${RECOVERY.replaceAll("-", " ").replaceAll("0", "o").replaceAll("1", "L")}\n`,
  ),
  "a recovery key with a wrong character": recover(RECOVERY.replace(/.$/, "7")),
  "a recovery key that lacks a character": recover(RECOVERY.slice(0, -1)),
  "a recovery key with a letter that it never has": recover(RECOVERY.replace(/.$/, "U")),
  "a recovery key with other marks between its groups": recover(RECOVERY.replaceAll("-", "_")),
  "no recovery key": recover(""),
};
