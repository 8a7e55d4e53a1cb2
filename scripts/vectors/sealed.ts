/** What docs/protocol/sealed.md makes of fixed keys. Apps draw theirs at random. */
import {
  createKeyRecord,
  openOrigin,
  takeOverList,
  type DataKeys,
} from "../../src/client/encryption/account-key-list.ts";
import {
  hkdf,
  toDataKey,
  toWriteHash,
  type DataKey,
} from "../../src/client/encryption/data-key.ts";
import { padText } from "../../src/client/encryption/envelope.ts";
import { createOpaqueNaming } from "../../src/client/encryption/opaque-naming.ts";
import { plainOperationToText } from "../../src/client/encryption/operation-plain-text.ts";
import {
  createOperationSealer,
  toAssociatedText,
} from "../../src/client/encryption/operation-sealer.ts";
import { readRecoveryKey, toRecoveryKey } from "../../src/client/encryption/recovery-key.ts";
import { decodeBase64Url, encodeBase64Url } from "../../src/rules/base64url.ts";
import { parseOperation, scanOperation, type Field } from "../../src/rules/sync/operation-text.ts";
import { findEnvelope } from "../../src/rules/sync/sealed-operation.ts";
import { validateOperation } from "../../src/rules/sync/validate-operation.ts";
import { ENCRYPTION_INPUTS, type SealedInput } from "./sealed-inputs.ts";
import type { VectorSource } from "./vector-file.ts";

export function createSealedVectors(): VectorSource<SealedInput> {
  return {
    name: "sealed",
    description:
      "End-to-end encryption: docs/protocol/sealed.md. `input.rule` names what is asked: `derive` and `derive-names` (the keys that follow from a data key), `entity-id` and `field-name` (null: the name is refused), `seal` of an operation's text and `open` of a sealed one (values as JSON texts), `record` of a key, `take-over` of a list with a key, `origin` (who replaced the key by that of the record; null: no device that had it), `to-recovery-key` and `read-recovery-key` (null: a typing error). Keys are Base64URL; `keys` are an account's, the first one first.",
    inputs: ENCRYPTION_INPUTS,
    expect: expectSealed,
    codes: ["opened", "not-sealed", "unknown-key", "damaged", "taken-over", "refused"],
  };
}

export function expectSealed(input: SealedInput): object {
  switch (input.rule) {
    case "derive":
      return expectKeys(toKey(input.dataKey));
    case "derive-names": {
      const nameKey = hkdf(toBytes(input.dataKey), "name-key");
      return {
        nameKey: encodeBase64Url(nameKey),
        entityIdKey: encodeBase64Url(hkdf(nameKey, "entity-id")),
        fieldNameKey: encodeBase64Url(hkdf(nameKey, "field-name")),
      };
    }
    case "entity-id":
      return { entityId: createOpaqueNaming(toKey(input.firstKey)).entityId(input.entityId) };
    case "field-name": {
      const { entityId, part, name } = input;
      const naming = createOpaqueNaming(toKey(input.firstKey));
      return { name: name.isWellFormed() ? naming.fieldName(entityId, part, name) : null };
    }
    case "seal":
      return expectSeal(input);
    case "open":
      return expectOpen(input);
    case "record": {
      const keys = toKeys(input.keys);
      return createKeyRecord(keys.at(-1) ?? keys[0], keys.slice(0, -1), input.origin);
    }
    case "take-over": {
      const keys = takeOverList(input.list, toKey(input.dataKey));
      if (keys === null) return { kind: "refused" };
      return { kind: "taken-over", keys: keys.map(({ bytes }) => encodeBase64Url(bytes)) };
    }
    case "origin":
      return { origin: openOrigin(input.record, toKey(input.dataKey)) };
    case "to-recovery-key":
      return { recoveryKey: toRecoveryKey(toBytes(input.dataKey)) };
    case "read-recovery-key": {
      const dataKey = readRecoveryKey(input.text);
      return { dataKey: dataKey && encodeBase64Url(dataKey) };
    }
  }
}

function expectKeys(key: DataKey): object {
  return {
    keyId: key.id,
    operationKey: encodeBase64Url(key.operationKey),
    nonceKey: encodeBase64Url(hkdf(key.bytes, "nonce")),
    writeSecret: encodeBase64Url(key.writeSecret),
    write: toWriteHash(key),
  };
}

function expectSeal(input: Extract<SealedInput, { rule: "seal" }>): object {
  const keys = toKeys(input.keys);
  const sealer = createOperationSealer(keys);
  const named = sealer.toNamed(parseOperation(input.text));
  return {
    associatedData: toAssociatedText(keys.at(-1)?.id ?? "", named),
    plainText: new TextDecoder().decode(padText(plainOperationToText(named.plain))),
    operation: JSON.parse(sealer.seal(named)) as object,
  };
}

function expectOpen(input: Extract<SealedInput, { rule: "open" }>): object {
  const scanned = scanOperation(JSON.stringify(input.operation));
  const checked = validateOperation(scanned, "sealed");
  const envelope = findEnvelope(scanned.metadata);
  if (checked.kind === "invalid" || envelope === null) {
    return { kind: "unreadable", reason: "not-sealed" };
  }
  const { kind, revision, entityId: opaqueId, ...fields } = checked.operation;
  const [payload, metadata] = [fields.payloadFields, fields.metadataFields].map((part) =>
    part.map(({ name }) => name),
  ) as [string[], string[]];
  const sealer = createOperationSealer(toKeys(input.keys));
  const opened = sealer.open({ kind, revision, opaqueId, payload, metadata }, envelope);
  if (typeof opened === "string") return { kind: "unreadable", reason: opened };
  const toPairs = (part: readonly Field[]) => part.map(({ name, json }) => [name, json]);
  return {
    kind: "opened",
    entityId: opened.entityId,
    payload: toPairs(opened.payload),
    metadata: toPairs(opened.metadata),
  };
}

function toKeys(texts: readonly string[]): DataKeys {
  return texts.map(toKey) as unknown as DataKeys;
}

function toKey(text: string): DataKey {
  return toDataKey(toBytes(text));
}

function toBytes(text: string): Uint8Array {
  return decodeBase64Url(text) ?? new Uint8Array();
}
