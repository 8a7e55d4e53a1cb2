/** An account whose data the server cannot read: the keys of its devices, and what the server has, opened. */
import { createEncryption } from "../../../src/client/encryption/index.ts";
import { toDataKey, type DataKey } from "../../../src/client/encryption/data-key.ts";
import {
  createOperationSealer,
  type OperationSealer,
} from "../../../src/client/encryption/operation-sealer.ts";
import { toRecoveryKey } from "../../../src/client/encryption/recovery-key.ts";
import type { Operation } from "../../../src/contract/sync/operation.ts";
import type { SyncEncryption } from "../../../src/client/sync/client-keys.ts";
import type { KeyStore } from "../../../src/client/sync/encryption.ts";
import type { EntityState, Register, Registers } from "../../../src/rules/sync/merge.ts";
import { scanOperation, type Field } from "../../../src/rules/sync/operation-text.ts";
import { buildOperation, operationIdOf } from "../../../src/rules/sync/operation.ts";
import { validateSealed } from "../../../src/rules/sync/validate-operation.ts";
import { changeEncryption } from "../sealed/change-encryption.ts";
import type { Dice } from "./dice.ts";
import type { EditHistory } from "./edit-history.ts";

export interface SealedAccount {
  /** Of every key that a device made the account's, or tried to: the person has written them all down, the newest last. */
  readonly recoveryKeys: readonly string[];
  /** Those with which a device began the account: never more than one. */
  readonly firstKeys: Set<string>;
  /** Whether a device has found its key to be the account's. */
  isMade(): boolean;
  /** A key that is not of this account. */
  readonly wrongKey: string;
  /** Every key that a device of the account made, by id. */
  readonly keys: ReadonlyMap<string, DataKey>;
  /** For one device. Its keys follow from the seed, because the order of records follows from them. */
  createEncryption(keyStore: KeyStore): SyncEncryption;
  /** The app's id of an entity that an edit named. */
  entityIdOf(opaqueId: string): string;
  /** Seals an edit under one of the keys. */
  seal(operation: Operation, key: DataKey): Operation;
  /** Throws at what does not open. */
  openOperation(operation: Operation): Operation;
  /** What a server that keeps no values has of an entity, with those that its log holds. */
  openState(state: EntityState, log: readonly Operation[]): EntityState;
}

interface OpenedOperation {
  readonly operation: Operation;
  /** The fields by their opaque names. */
  readonly fields: Record<"payload" | "metadata", ReadonlyMap<string, Field>>;
}

export function createSealedAccount(dice: Dice, history: EditHistory): SealedAccount {
  const keys = new Map<string, DataKey>();
  const recoveryKeys: string[] = [];
  const entityIds = new Map<string, string>();
  let first: DataKey | null = null;
  let opening: { readonly keys: number; readonly sealer: OperationSealer } | null = null;

  /** Opens what any key ever sealed. */
  function sealer(): OperationSealer {
    if (first === null) throw new Error("The account has no key");
    if (opening?.keys === keys.size) return opening.sealer;
    opening = { keys: keys.size, sealer: createOperationSealer([first, ...keys.values()]) };
    return opening.sealer;
  }

  function entityIdOf(opaqueId: string): string {
    const known = entityIds.get(opaqueId);
    if (known !== undefined) return known;
    for (const { entityId } of history.records) {
      entityIds.set(sealer().opaqueIdOf(entityId), entityId);
    }
    const found = entityIds.get(opaqueId);
    if (found === undefined) throw new Error(`No edit named the entity ${opaqueId}`);
    return found;
  }

  function open(sealed: Operation): OpenedOperation {
    const { operationId, kind, revision } = sealed;
    const result = validateSealed(scanOperation(JSON.stringify(sealed)));
    if (result.kind === "invalid") throw new Error(`${operationId} is not sealed`);
    const { entityId: opaqueId, envelope, payloadFields, metadataFields } = result.operation;
    if (envelope === undefined) throw new Error(`${operationId} has no envelope`);
    const [payload, metadata] = [toNames(payloadFields), toNames(metadataFields)];
    const plain = sealer().open({ kind, revision, opaqueId, payload, metadata }, envelope);
    if (typeof plain === "string") throw new Error(`${operationId} is ${plain}`);
    return {
      operation: buildOperation({
        kind,
        revision,
        entityId: plain.entityId,
        payload: toValues(plain.payload),
        metadata: toValues(plain.metadata),
      }),
      fields: {
        payload: new Map(payload.map((name, index) => [name, plain.payload[index] as Field])),
        metadata: new Map(metadata.map((name, index) => [name, plain.metadata[index] as Field])),
      },
    };
  }

  return {
    recoveryKeys,
    firstKeys: new Set(),
    isMade: () => first !== null,
    wrongKey: toRecoveryKey(dice.bytes(32)),
    keys,
    createEncryption(keyStore) {
      const plain = createEncryption({ keyStore });
      return changeEncryption(plain, {
        createDataKey: () => toDataKey(dice.bytes(32)),
        createKeyRecord(key, former, origin) {
          if (!keys.has(key.id)) recoveryKeys.push(toRecoveryKey(key.bytes));
          keys.set(key.id, key);
          return plain.createKeyRecord(key, former, origin);
        },
        takeOverList(list, key) {
          const all = plain.takeOverList(list, key);
          if (all !== null) first ??= all[0];
          return all;
        },
      });
    },
    entityIdOf,
    seal(operation, key) {
      const { kind, revision, document } = operation;
      if (first === null) throw new Error("The account has no key");
      const own = createOperationSealer([first, key]);
      const {
        schemaVersion: _version,
        entityId,
        deleted: _deleted,
        payload,
        ...metadata
      } = document;
      const toFields = (members: object) =>
        Object.entries(members).map(([name, value]) => ({ name, json: JSON.stringify(value) }));
      const clear = {
        text: "",
        operationId: operation.operationId,
        kind,
        revision,
        entityId,
        payloadFields: toFields(payload ?? {}),
        metadataFields: toFields(metadata),
      };
      return JSON.parse(own.seal(own.toNamed(clear))) as Operation;
    },
    openOperation: (operation) => open(operation).operation,
    openState(state, log) {
      const byId = new Map(log.map((operation) => [operation.operationId, operation]));
      const opened = new Map<string, OpenedOperation>();
      const openRegisters = (part: "payload" | "metadata", registers: Registers): Registers =>
        new Map(
          [...registers].map(([opaque, { revision }]) => {
            const id = operationIdOf(revision);
            const operation = byId.get(id);
            if (operation === undefined) throw new Error(`The log lacks ${id}, which owns a field`);
            const owner = opened.get(id) ?? open(operation);
            opened.set(id, owner);
            const field = owner.fields[part].get(opaque);
            if (field === undefined) throw new Error(`${id} does not have what it owns`);
            return [field.name, { json: field.json, revision } satisfies Register] as const;
          }),
        );
      return {
        ...state,
        entityId: entityIdOf(state.entityId),
        payloadFields: openRegisters("payload", state.payloadFields),
        metadataFields: openRegisters("metadata", state.metadataFields),
      };
    },
  };
}

function toNames(fields: readonly Field[]): readonly string[] {
  return fields.map(({ name }) => name);
}

function toValues(fields: readonly Field[]): Record<string, unknown> {
  return Object.fromEntries(fields.map(({ name, json }) => [name, JSON.parse(json) as unknown]));
}
