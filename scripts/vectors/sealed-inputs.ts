/** What the vectors of end-to-end encryption ask. */
import { createKeyEntity, rotateKeyEntity } from "../../src/client/encryption/key-entity.ts";
import { toRecoveryKey } from "../../src/client/encryption/recovery-key.ts";
import { createSealer } from "../../src/client/encryption/sealer.ts";
import { rotateAccountKeys } from "../../src/client/encryption/account-keys.ts";
import type { AccountKeys } from "../../src/client/sync/encryption.ts";
import { KEY_ENTITY_ID } from "../../src/contract/sync/operation-limits.ts";
import type { Operation, Revision } from "../../src/contract/sync/operation.ts";
import { encodeBase64Url } from "../../src/rules/base64url.ts";
import { buildOperation, type OperationContent } from "../../src/rules/sync/operation.ts";
import { parseOperation } from "../../src/rules/sync/operation-text.ts";
import type { OperationPart } from "../../src/rules/sync/sealable-name.ts";
import { countedKey, countedNonces, fixedKeys } from "../../test/fixtures/encryption-keys.ts";

export interface KeyTexts {
  readonly dataKey: string;
  readonly nameKey: string;
  /** The data keys before, the first one first. */
  readonly former?: readonly string[];
}

export type SealedInput =
  | { readonly rule: "key-id" | "to-recovery-key"; readonly dataKey: string }
  | { readonly rule: "entity-id"; readonly nameKey: string; readonly entityId: string }
  | ({ readonly rule: "field-name"; readonly nameKey: string } & FieldPlace)
  | ({
      readonly rule: "value";
      readonly dataKey: string;
      readonly revision: Revision;
      readonly field: string;
      readonly value: unknown;
      readonly nonces: readonly string[];
    } & FieldPlace)
  | {
      readonly rule: "seal";
      readonly keys: KeyTexts;
      readonly operation: Operation;
      readonly nonces: readonly string[];
    }
  | { readonly rule: "open"; readonly keys: KeyTexts; readonly operation: Operation }
  | {
      readonly rule: "create-key";
      readonly keys: KeyTexts;
      readonly revision: Revision;
      readonly nonces: readonly string[];
    }
  | {
      readonly rule: "rotate-key";
      readonly keys: KeyTexts;
      readonly next: KeyTexts;
      readonly revision: Revision;
      readonly nonces: readonly string[];
    }
  | {
      readonly rule: "read-key";
      readonly dataKey: string;
      readonly operations: readonly Operation[];
    }
  | { readonly rule: "read-recovery-key"; readonly text: string };

interface FieldPlace {
  /** An opaque id. */
  readonly entityId: string;
  readonly part: OperationPart;
  readonly name: string;
}

const KEYS = fixedKeys();
const NEXT = rotateAccountKeys(KEYS, countedKey(100));
const OTHER = fixedKeys(150);
const dataKey = encodeBase64Url(KEYS.dataKey);
const nameKey = encodeBase64Url(KEYS.nameKey);
const NOTE_ID = createSealer(KEYS).sealedId("note/1");

function toTexts(keys: AccountKeys): KeyTexts {
  const former = Array.from(keys.former.values(), encodeBase64Url);
  return {
    dataKey: encodeBase64Url(keys.dataKey),
    nameKey: encodeBase64Url(keys.nameKey),
    ...(former.length > 0 && { former }),
  };
}

function nonces(count: number): string[] {
  const createNonce = countedNonces();
  return Array.from({ length: count }, () => encodeBase64Url(createNonce()));
}

const NOTE: OperationContent = {
  kind: "create",
  revision: { deviceId: "phone", sequence: 7 },
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

function seal(content: Partial<OperationContent> = {}): SealedInput {
  const operation = buildOperation({ ...NOTE, ...content });
  return { rule: "seal", keys: toTexts(KEYS), operation, nonces: nonces(6) };
}

/** A sealed operation, after a change to what a server sends. */
function open(
  content: OperationContent,
  change: (operation: Wire) => unknown = () => {},
  keys: AccountKeys = KEYS,
): SealedInput {
  const clear = parseOperation(JSON.stringify(buildOperation(content)));
  const operation = JSON.parse(createSealer(KEYS, countedNonces()).seal(clear)) as Wire;
  change(operation);
  const { deviceId, sequence } = operation.revision;
  operation.operationId = `operation/${deviceId}/${sequence}`;
  return { rule: "open", keys: toTexts(keys), operation };
}

type Wire = Operation & { document: Record<string, unknown> };

/** Changes the value of the first field of the payload. */
function changeValue(edit: (value: string) => unknown): (operation: Wire) => void {
  return ({ document: { payload = {} }, changedFields: [name = ""] }) => {
    payload[name] = edit(String(payload[name]));
  };
}

/** Changes the bytes behind the key id. */
function changeBytes(edit: (bytes: Buffer) => Uint8Array): (operation: Wire) => void {
  return changeValue((value) => {
    const bytes = edit(Buffer.from(value.slice(11), "base64url"));
    return value.slice(0, 11) + encodeBase64Url(bytes);
  });
}

function flip(position: number): (operation: Wire) => void {
  return changeBytes((bytes) => bytes.map((byte, at) => (at === position ? byte ^ 1 : byte)));
}

const at = (sequence: number): Revision => ({ deviceId: "phone", sequence });
const CREATED = createKeyEntity(KEYS, at(1), countedNonces());
const ROTATED = rotateKeyEntity(KEYS, NEXT, at(9), countedNonces());

function readKey(keys: AccountKeys, ...texts: readonly string[]): SealedInput {
  const operations = texts.map((text) => JSON.parse(text) as Operation);
  return { rule: "read-key", dataKey: encodeBase64Url(keys.dataKey), operations };
}

function fieldName(part: OperationPart, name: string): SealedInput {
  return { rule: "field-name", nameKey, entityId: NOTE_ID, part, name };
}

function value(field: string, content: unknown): SealedInput {
  const name = "AAAAAAAAAAAAAAAAAAAAAA";
  const place = { entityId: NOTE_ID, part: "payload", name, revision: at(7) } as const;
  return { rule: "value", dataKey, ...place, field, value: content, nonces: nonces(1) };
}

const RECOVERY = toRecoveryKey(new Uint8Array(32).fill(8));
const recover = (text: string): SealedInput => ({ rule: "read-recovery-key", text });

export const ENCRYPTION_INPUTS: Record<string, SealedInput> = {
  "the id of a data key": { rule: "key-id", dataKey },
  "the opaque id of an entity": { rule: "entity-id", nameKey, entityId: "note/1" },
  "the opaque id of an entity with an escape": {
    rule: "entity-id",
    nameKey,
    entityId: "note/a%20b",
  },
  "the opaque name of a payload field": fieldName("payload", "title"),
  "the opaque name of a metadata field": fieldName("metadata", "title"),
  "the opaque name of an empty payload field": fieldName("payload", ""),
  "the opaque name of a field with letters of other planes": fieldName(
    "payload",
    "\u{1f40e}/\u00fc",
  ),
  "an ill-formed name": fieldName("payload", "a\ud800"),
  "the name of the lifecycle, which an app cannot have": fieldName("metadata", ""),
  "a value that is padded to 64 bytes": value("title", "Milk"),
  "a value of 64 bytes": value("t", "x".repeat(57)),
  "a value of 65 bytes": value("t", "x".repeat(58)),
  "a longer value": value("text", "x\u00fc".repeat(400)),
  "a create": seal(),
  "a create without fields": seal({ payload: {}, metadata: {} }),
  "a restore": seal({ kind: "restore" }),
  "a delete": seal({ kind: "delete" }),
  "a patch with a field that it does not change": seal({
    ...PATCH,
    payload: { title: "Milk", done: true },
    changedFields: ["done"],
  }),
  "opening a create": open(NOTE),
  "opening a patch": open(PATCH),
  "opening a delete": open({ ...NOTE, kind: "delete" }),
  "opening with a former key": open(NOTE, () => {}, NEXT),
  "an unknown key": open(PATCH, () => {}, { ...OTHER, nameKey: KEYS.nameKey }),
  "an unknown key of the lifecycle": open(NOTE, () => {}, { ...OTHER, nameKey: KEYS.nameKey }),
  "another name key": open(PATCH, () => {}, { ...KEYS, nameKey: OTHER.dataKey }),
  "a changed nonce": open(PATCH, flip(0)),
  "a changed ciphertext": open(PATCH, flip(24)),
  "a changed tag": open(PATCH, flip(103)),
  "a truncated ciphertext": open(
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
    document.entityId = createSealer(KEYS).sealedId("note/2");
  }),
  "the other part": open(PATCH, (operation) => {
    Object.assign(operation.document, operation.document.payload, { payload: {} });
    operation.changedMetadataFields = operation.changedFields.splice(0);
  }),
  "two values in each other's place": open(
    PATCH,
    ({ document: { payload = {} }, changedFields: [a = "", b = ""] }) => {
      [payload[a], payload[b]] = [payload[b], payload[a]];
    },
  ),
  "a clear value": open(
    PATCH,
    changeValue(() => "Milk"),
  ),
  "a value that is no text": open(
    PATCH,
    changeValue(() => 7),
  ),
  "another version": open(
    PATCH,
    changeValue((text) => `2${text.slice(1)}`),
  ),
  "a value with padding of Base64": open(
    PATCH,
    changeValue((text) => `${text}=`),
  ),
  "a value with unused bits": open(
    PATCH,
    changeValue((text) => `${text.slice(0, -1)}B`),
  ),
  "a value that is too short": open(
    PATCH,
    changeValue((text) => text.slice(0, 11 + 53)),
  ),
  "a clear entity id": open(PATCH, ({ document }) => (document.entityId = "note/1")),
  "a lifecycle that is missing": open({ ...NOTE, metadata: {} }, (operation) => {
    for (const name of operation.changedMetadataFields.splice(0)) delete operation.document[name];
  }),
  "a lifecycle of another revision": open({ ...NOTE, metadata: {} }, ({ revision }) => {
    revision.sequence++;
  }),
  "a create that became a delete": open({ ...NOTE, metadata: {} }, (operation) => {
    operation.kind = "delete";
    operation.document.deleted = true;
    delete operation.document.payload;
    operation.changedFields = [];
  }),
  "a create that became a patch": open(NOTE, (operation) => (operation.kind = "patch")),
  "a patch that became a create": open(PATCH, (operation) => (operation.kind = "create")),
  "the create of the key entity": {
    rule: "create-key",
    keys: toTexts(KEYS),
    revision: at(1),
    nonces: nonces(2),
  },
  "a rotation": {
    rule: "rotate-key",
    keys: toTexts(KEYS),
    next: toTexts(NEXT),
    revision: at(9),
    nonces: nonces(3),
  },
  "the account's first key": readKey(KEYS, CREATED),
  "a key that was replaced": readKey(KEYS, CREATED, ROTATED),
  "the key that replaced it": readKey(NEXT, CREATED, ROTATED),
  "a rotation that is withheld": readKey(NEXT, CREATED),
  "another account's key": readKey(OTHER, CREATED, ROTATED),
  "a key that replaced itself": readKey(
    NEXT,
    CREATED,
    ROTATED,
    rotateKeyEntity(NEXT, NEXT, at(12), countedNonces()),
  ),
  "no create": readKey(NEXT, ROTATED),
  "a rotation under another revision": readKey(
    KEYS,
    CREATED,
    ROTATED.replaceAll('"sequence":9', '"sequence":10').replace("phone/9", "phone/10"),
  ),
  "a deletion, which is not believed": readKey(
    KEYS,
    CREATED,
    JSON.stringify(buildOperation({ kind: "delete", revision: at(20), entityId: KEY_ENTITY_ID })),
  ),
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
