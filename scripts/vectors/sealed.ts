/** What docs/protocol/sealed.md makes of fixed keys and nonces. Apps draw both at random. */
import {
  createOpaqueNames,
  createValueKeys,
  keyIdOf,
} from "../../src/client/encryption/derived-keys.ts";
import { fieldToPlainText } from "../../src/client/encryption/field-text.ts";
import { createKeyEntity, rotateKeyEntity } from "../../src/client/encryption/key-entity.ts";
import { readKeyEntity } from "../../src/client/encryption/read-key-entity.ts";
import { readRecoveryKey, toRecoveryKey } from "../../src/client/encryption/recovery-key.ts";
import {
  sealValue,
  toAssociatedData,
  toPlainText,
} from "../../src/client/encryption/sealed-value.ts";
import { createSealer } from "../../src/client/encryption/sealer.ts";
import type { AccountKeys, KeyEntityResult, OpenResult } from "../../src/client/sync/encryption.ts";
import { decodeBase64Url, encodeBase64Url } from "../../src/rules/base64url.ts";
import { parseOperation, type Field } from "../../src/rules/sync/operation-text.ts";
import { isSealableName } from "../../src/rules/sync/sealable-name.ts";
import { ENCRYPTION_INPUTS, type KeyTexts, type SealedInput } from "./sealed-inputs.ts";
import type { VectorSource } from "./vector-file.ts";

export function createSealedVectors(): VectorSource<SealedInput> {
  return {
    name: "sealed",
    description:
      "End-to-end encryption: docs/protocol/sealed.md. `input.rule` names what is asked: `key-id`, `entity-id` and `field-name` (null: the name is refused), `value` (associated data, padded plain text, sealed value), `seal` and `open` of an operation, `create-key`, `rotate-key` and `read-key` of the key entity, `to-recovery-key` and `read-recovery-key` (null: a typing error). Keys and nonces are Base64URL. `input.nonces` are used in the order of the payload, the lifecycle, the metadata; in the key entity `check`, `keys`, `next`.",
    inputs: ENCRYPTION_INPUTS,
    expect: expectSealed,
    codes: Object.keys({
      opened: true,
      damaged: true,
      "unknown-key": true,
      lifecycle: true,
      "not-sealed": true,
      "account-key": true,
      replaced: true,
      "other-key": true,
      missing: true,
    } satisfies Record<
      | Exclude<OpenResult["kind"], "unreadable">
      | Extract<OpenResult, { kind: "unreadable" }>["reason"]
      | KeyEntityResult["kind"],
      true
    >),
  };
}

export function expectSealed(input: SealedInput): object {
  switch (input.rule) {
    case "key-id":
      return { keyId: keyIdOf(toBytes(input.dataKey)) };
    case "entity-id":
      return { entityId: createOpaqueNames(toBytes(input.nameKey)).sealedId(input.entityId) };
    case "field-name": {
      const { entityId, part, name } = input;
      const names = createOpaqueNames(toBytes(input.nameKey));
      return {
        name: isSealableName(part, name) ? names.fieldName(entityId, part, name) : null,
      };
    }
    case "value":
      return expectValue(input);
    case "seal": {
      const sealer = createSealer(toAccountKeys(input.keys), takeNonces(input.nonces));
      return JSON.parse(sealer.seal(parseOperation(JSON.stringify(input.operation)))) as object;
    }
    case "open": {
      const operation = parseOperation(JSON.stringify(input.operation));
      return toOpened(createSealer(toAccountKeys(input.keys)).open(operation));
    }
    case "create-key": {
      const keys = toAccountKeys(input.keys);
      return JSON.parse(createKeyEntity(keys, input.revision, takeNonces(input.nonces))) as object;
    }
    case "rotate-key": {
      const [keys, next] = [toAccountKeys(input.keys), toAccountKeys(input.next)];
      const nonces = takeNonces(input.nonces);
      return JSON.parse(rotateKeyEntity(keys, next, input.revision, nonces)) as object;
    }
    case "read-key": {
      const operations = input.operations.map((one) => parseOperation(JSON.stringify(one)));
      return toReading(readKeyEntity(operations, toBytes(input.dataKey)));
    }
    case "to-recovery-key":
      return { recoveryKey: toRecoveryKey(toBytes(input.dataKey)) };
    case "read-recovery-key": {
      const dataKey = readRecoveryKey(input.text);
      return { dataKey: dataKey && encodeBase64Url(dataKey) };
    }
  }
}

function expectValue(input: Extract<SealedInput, { rule: "value" }>): object {
  const { entityId: sealedId, part, name, revision, field, value, nonces } = input;
  const dataKey = toBytes(input.dataKey);
  const keyId = keyIdOf(dataKey);
  const place = { sealedId, part, name, revision };
  const text = fieldToPlainText({ name: field, json: JSON.stringify(value) });
  const findKey = createValueKeys(new Map([[keyId, dataKey]]));
  const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return {
    associatedData: decode(toAssociatedData(keyId, place)),
    plainText: decode(toPlainText(text)),
    sealed: sealValue(findKey, keyId, place, text, takeNonces(nonces)),
  };
}

function toOpened(result: OpenResult): object {
  if (result.kind === "unreadable") return result;
  const { entityId, payloadFields, metadataFields } = result.operation;
  const toPairs = (fields: readonly Field[]) =>
    fields.map(({ name, json }) => [name, JSON.parse(json) as unknown]);
  return {
    kind: result.kind,
    entityId,
    payload: toPairs(payloadFields),
    metadata: toPairs(metadataFields),
  };
}

function toReading(result: KeyEntityResult): object {
  if (result.kind !== "account-key") return result;
  const { keyId, nameKey, former } = result.keys;
  const formerKeys = Array.from(former.values(), encodeBase64Url);
  return { kind: result.kind, keyId, nameKey: encodeBase64Url(nameKey), former: formerKeys };
}

export function toAccountKeys({ dataKey, nameKey, former = [] }: KeyTexts): AccountKeys {
  const key = toBytes(dataKey);
  const formerKeys = former.map(toBytes).map((one) => [keyIdOf(one), one] as const);
  return {
    keyId: keyIdOf(key),
    dataKey: key,
    nameKey: toBytes(nameKey),
    former: new Map(formerKeys),
  };
}

function takeNonces(nonces: readonly string[]): () => Uint8Array {
  const left = [...nonces];
  return () => toBytes(left.shift() ?? "");
}

function toBytes(text: string): Uint8Array {
  return decodeBase64Url(text) ?? new Uint8Array();
}
