/** An account whose data the server cannot read: the keys of its devices, and what the server has, opened. */
import { createEncryption } from "../../../src/client/encryption/index.ts";
import type { Operation } from "../../../src/client/index.ts";
import type { SyncEncryption } from "../../../src/client/sync/client-keys.ts";
import type { AccountKeys, KeyStore, Sealer } from "../../../src/client/sync/encryption.ts";
import { createMemoryKeyStore } from "../../../src/client/encryption/memory-key-store.ts";
import { KEY_ENTITY_ID } from "../../../src/contract/sync/operation-limits.ts";
import type { EntityState, Registers } from "../../../src/rules/sync/merge.ts";
import { parseOperation, type Field } from "../../../src/rules/sync/operation-text.ts";
import { buildOperation, operationIdOf } from "../../../src/rules/sync/operation.ts";
import { LIFECYCLE_NAME, type OperationPart } from "../../../src/rules/sync/sealable-name.ts";
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
  /** For one device. Its keys follow from the seed, because the order of records follows from them. */
  createEncryption(keyStore: KeyStore): SyncEncryption;
  /** The app's id of an entity that an edit named. */
  entityIdOf(sealedId: string): string;
  /** Null for the key entity. Throws at what does not open. */
  openOperation(operation: Operation): Operation | null;
  /** Null for the key entity. Throws at what does not open. */
  openState(state: EntityState): EntityState | null;
}

export function createSealedAccount(dice: Dice, history: EditHistory): SealedAccount {
  const plain = createEncryption({ keyStore: createMemoryKeyStore() });
  const dataKeysById = new Map<string, Uint8Array>();
  const recoveryKeys: string[] = [];
  const entityIds = new Map<string, string>();
  const wrongKey = plain.toRecoveryKey(dice.bytes(32));
  let confirmed: AccountKeys | null = null;
  let opening: { readonly keys: number; readonly sealer: Sealer } | null = null;

  /** Opens what any key ever sealed. */
  function sealer(): Sealer {
    if (confirmed === null) throw new Error("The account has no key");
    if (opening?.keys === dataKeysById.size) return opening.sealer;
    const keys = { ...confirmed, former: new Map(dataKeysById) };
    opening = { keys: dataKeysById.size, sealer: plain.createSealer(keys) };
    return opening.sealer;
  }

  function writeDown({ keyId, dataKey }: AccountKeys): void {
    if (!dataKeysById.has(keyId)) recoveryKeys.push(plain.toRecoveryKey(dataKey));
    dataKeysById.set(keyId, dataKey);
  }

  function entityIdOf(sealedId: string): string {
    const known = entityIds.get(sealedId);
    if (known !== undefined) return known;
    for (const { entityId } of history.records)
      entityIds.set(sealer().sealedId(entityId), entityId);
    const found = entityIds.get(sealedId);
    if (found === undefined) throw new Error(`No edit named the entity ${sealedId}`);
    return found;
  }

  function openRegisters(entityId: string, part: OperationPart, registers: Registers): Registers {
    const lifecycleName = sealer().sealedName(entityId, "metadata", LIFECYCLE_NAME);
    const fields = [...registers].filter(([name]) => name !== lifecycleName);
    return new Map(
      fields.map(([name, { json, revision }]) => {
        const result = sealer().open({
          text: "",
          operationId: operationIdOf(revision),
          kind: "patch",
          entityId,
          revision,
          payloadFields: [],
          metadataFields: [],
          [`${part}Fields`]: [{ name, json }],
        });
        if (result.kind === "unreadable") {
          throw new Error(`The server has a ${result.reason} value`);
        }
        const [field] = result.operation[`${part}Fields`];
        return [field?.name ?? "", { json: field?.json ?? "", revision }] as const;
      }),
    );
  }

  return {
    recoveryKeys,
    firstKeys: new Set(),
    isMade: () => confirmed !== null,
    wrongKey,
    createEncryption: (keyStore) =>
      changeEncryption(createEncryption({ keyStore }), {
        createDataKey: () => dice.bytes(32),
        createAccountKeys: (dataKey) => ({
          ...plain.createAccountKeys(dataKey),
          nameKey: dice.bytes(32),
        }),
        createKeyEntity(keys, revision) {
          writeDown(keys);
          return plain.createKeyEntity(keys, revision);
        },
        rotateKeyEntity(keys, next, revision) {
          writeDown(next);
          return plain.rotateKeyEntity(keys, next, revision);
        },
        readKeyEntity(operations, dataKey) {
          const result = plain.readKeyEntity(operations, dataKey);
          if (result.kind === "account-key") confirmed ??= result.keys;
          return result;
        },
      }),
    entityIdOf,
    openOperation(operation) {
      const { operationId, kind, revision } = operation;
      const { entityId: sealedId } = operation.document;
      if (sealedId === KEY_ENTITY_ID) return null;
      const result = sealer().open(parseOperation(JSON.stringify(operation)));
      if (result.kind === "unreadable") throw new Error(`${operationId} is ${result.reason}`);
      const { payloadFields, metadataFields } = result.operation;
      const entityId = result.operation.entityId ?? entityIdOf(sealedId);
      const [payload, metadata] = [toValues(payloadFields), toValues(metadataFields)];
      return buildOperation({ kind, revision, entityId, payload, metadata });
    },
    openState(state) {
      const { entityId } = state;
      if (entityId === KEY_ENTITY_ID) return null;
      return {
        ...state,
        entityId: entityIdOf(entityId),
        payloadFields: openRegisters(entityId, "payload", state.payloadFields),
        metadataFields: openRegisters(entityId, "metadata", state.metadataFields),
      };
    },
  };
}

function toValues(fields: readonly Field[]): Record<string, unknown> {
  return Object.fromEntries(fields.map(({ name, json }) => [name, JSON.parse(json) as unknown]));
}
