/** Encryption with one defect each. A hostile server, or what a simulation sees on the wire, must show every one. */
import { openText, sealText } from "../../../src/client/encryption/envelope.ts";
import {
  createOperationSealer,
  toAssociatedText,
  type NamedOperation,
  type OpaqueOperation,
  type OperationSealer,
} from "../../../src/client/encryption/operation-sealer.ts";
import {
  parsePlainOperation,
  plainOperationToText,
} from "../../../src/client/encryption/operation-plain-text.ts";
import type { DataKeys } from "../../../src/client/encryption/account-key-list.ts";
import type { DataKey } from "../../../src/client/encryption/data-key.ts";
import type { SyncEncryption } from "../../../src/client/sync/client-keys.ts";
import type { Operation } from "../../../src/contract/sync/operation.ts";
import type { AccountKey } from "../../../src/contract/sync/schemas.ts";
import type { FormKeys } from "../../../src/client/sync/encryption.ts";
import type { RecordForm } from "../../../src/client/sync/record-form.ts";
import { encodeBase64Url } from "../../../src/rules/base64url.ts";
import { parseOperation, toParsedOperation } from "../../../src/rules/sync/operation-text.ts";
import { findEnvelope } from "../../../src/rules/sync/sealed-operation.ts";
import { changeEncryption } from "./change-encryption.ts";
import { withEnvelope } from "./change-operation.ts";

export type BreakEncryption = (encryption: SyncEncryption) => SyncEncryption;

/** Seals and opens as if the operation were another one. */
function binding(toBound: (operation: OpaqueOperation) => OpaqueOperation): BreakEncryption {
  return (encryption) =>
    changeEncryption(encryption, { createSealer: (keys) => createBoundSealer(keys, toBound) });
}

function createBoundSealer(
  keys: DataKeys,
  toBound: (operation: OpaqueOperation) => OpaqueOperation,
): OperationSealer {
  const sealer = createOperationSealer(keys);
  const current = keys.at(-1) ?? keys[0];
  return {
    ...sealer,
    seal(operation) {
      const associated = toAssociatedText(current.id, toBound(operation));
      const sealed = sealText(current, associated, plainOperationToText(operation.plain));
      const wire = JSON.parse(sealer.seal(operation)) as Operation;
      return JSON.stringify(withEnvelope(wire, () => sealed));
    },
    open(operation, { keyId, bytes }) {
      const key = keys.find(({ id }) => id === keyId);
      if (key === undefined) return "unknown-key";
      const text = openText(key, toAssociatedText(keyId, toBound(operation)), bytes);
      const plain = text === null ? null : parsePlainOperation(text);
      if (plain === null) return "damaged";
      // By their names, of which the server may show some.
      const names = new Set([...operation.payload, ...operation.metadata]);
      const named = sealer.toNamed({
        text: "",
        operationId: "",
        ...operation,
        entityId: plain.entityId,
        payloadFields: plain.payload,
        metadataFields: plain.metadata,
      });
      const shown = (part: "payload" | "metadata") =>
        named.plain[part].filter((_, index) => names.has(named[part][index] ?? ""));
      return { ...plain, payload: shown("payload"), metadata: shown("metadata") };
    },
  };
}

const NO_REVISION = { deviceId: "any", sequence: 1 };

export const BROKEN_SEALINGS = {
  "binds no revision": binding((operation) => ({ ...operation, revision: NO_REVISION })),

  "binds no kind": binding((operation) => ({ ...operation, kind: "patch" })),

  "binds no names": binding((operation) => ({ ...operation, payload: [], metadata: [] })),

  "binds no entity": binding((operation) => ({ ...operation, opaqueId: "sealed/any" })),

  "takes values that are not sealed": (encryption) =>
    changeEncryption(encryption, {
      validateSealed(scanned) {
        const result = encryption.validateSealed(scanned);
        const envelope = findEnvelope(scanned.metadata);
        return result.kind === "valid" || envelope === null
          ? result
          : { kind: "valid", operation: { ...toParsedOperation(scanned), envelope } };
      },
    }),

  "merges before it opens": (encryption) =>
    changeEncryption(encryption, {
      createForm: (keys) => ({ ...encryption.createForm(keys), isReadable: () => true }),
    }),

  "seals twice with other bytes": (encryption) =>
    changeEncryption(encryption, {
      createSealer(keys) {
        const sealer = createOperationSealer(keys);
        return { ...sealer, seal: (operation) => sealer.seal(withSpace(operation)) };
      },
    }),

  "uses a nonce again": (encryption) =>
    changeEncryption(encryption, {
      createSealer: (keys) => withEnvelopes(keys, (sealed) => ONE_NONCE + sealed.slice(32)),
    }),

  "names a field alike in all entities": (encryption) =>
    changeEncryption(encryption, {
      createSealer(keys) {
        const sealer = createOperationSealer(keys);
        return {
          ...sealer,
          toNamed: (operation) => nameAlike(sealer.toNamed(operation)),
        };
      },
    }),

  "seals under a key before it is stored": (encryption) => {
    let made: DataKey | null = null;
    return changeEncryption(encryption, {
      createKeyRecord(key, former, origin) {
        made = key;
        return encryption.createKeyRecord(key, former, origin);
      },
      createSealer([first, ...others]) {
        return createOperationSealer([first, ...others, made ?? others.at(-1) ?? first]);
      },
    });
  },

  "seals an edit when it is made": (encryption) =>
    changeForm(encryption, ({ sealer }) => ({
      toStored: (operation) => parseOperation(sealer.seal(sealer.toNamed(operation))),
    })),

  "takes a change for another one when it is sealed again": (encryption) =>
    changeForm(encryption, () => ({ isSame: (one, other) => one.text === other.text })),

  "stays on its list of keys for ever": (encryption) => {
    let own: readonly AccountKey[] = [];
    return changeEncryption(encryption, {
      takeOverList(list, key) {
        const isLonger = own.every(({ keyId }, index) => list[index]?.keyId === keyId);
        const all = isLonger ? encryption.takeOverList(list, key) : null;
        if (all !== null) own = list;
        return all;
      },
    });
  },

  "forgets the keys of the list that it leaves": (encryption) => {
    let listed: readonly string[] = [];
    const forgotten = new Set<string>();
    const { keyStore } = encryption;
    return changeEncryption(encryption, {
      keyStore: {
        ...keyStore,
        async write(name, text) {
          const held = JSON.parse(text) as { readonly keys: readonly string[] };
          const keys = held.keys.filter((key) => !forgotten.has(key));
          await keyStore.write(name, JSON.stringify({ ...held, keys }));
        },
      },
      takeOverList(list, key) {
        const all = encryption.takeOverList(list, key);
        if (all === null) return null;
        const next = all.map(({ bytes }) => encodeBase64Url(bytes));
        for (const one of listed) if (!next.includes(one)) forgotten.add(one);
        listed = next;
        return all;
      },
    });
  },

  "does not check a list": (encryption) =>
    changeEncryption(encryption, {
      takeOverList: (list, key) =>
        encryption.takeOverList(list, key) ?? (list.at(-1)?.keyId === key.id ? [key] : null),
    }),

  "believes any origin of a key": (encryption) =>
    changeEncryption(encryption, {
      openOrigin: () => ({ deviceId: "any", at: "2026-01-01T00:00:00Z" }),
    }),
} as const satisfies Readonly<Record<string, BreakEncryption>>;

function changeForm(
  encryption: SyncEncryption,
  change: (keys: FormKeys) => Partial<RecordForm>,
): SyncEncryption {
  return changeEncryption(encryption, {
    createForm: (keys) => ({ ...encryption.createForm(keys), ...(keys && change(keys)) }),
  });
}

const ONE_NONCE = "A".repeat(32);

/** Changes the nonce, the cipher text and the tag. */
function withEnvelopes(keys: DataKeys, change: (sealed: string) => string): OperationSealer {
  const sealer = createOperationSealer(keys);
  return {
    ...sealer,
    seal: (operation) =>
      sealer.seal(operation).replace(/(?<="2\.[\w-]{22}\.)[\w-]+/, (sealed) => change(sealed)),
  };
}

function nameAlike(operation: NamedOperation): NamedOperation {
  const alike = (names: readonly string[]) =>
    names.map((_, index) => Buffer.alloc(16, index).toString("base64url")).toSorted();
  return {
    ...operation,
    payload: alike(operation.payload),
    metadata: alike(operation.metadata),
  };
}

let seals = 0;

/** The same operation in another spelling, at every call. */
function withSpace(operation: NamedOperation): NamedOperation {
  const { plain } = operation;
  const [first, ...others] = plain.payload;
  if (first === undefined) return operation;
  const json = `${" ".repeat(++seals % 300)}${first.json}`;
  return { ...operation, plain: { ...plain, payload: [{ ...first, json }, ...others] } };
}
