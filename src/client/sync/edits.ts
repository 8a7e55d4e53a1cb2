/** Changes that the app makes: each is an operation, durable before its promise settles. */
import { DOCUMENT_SCHEMA_VERSION, type SyncProfile } from "../../contract/sync/operation-limits.ts";
import type { Revision } from "../../contract/sync/operation.ts";
import { PROTOCOL_VERSION } from "../../contract/sync/values.ts";
import { operationIdOf } from "../../rules/sync/operation.ts";
import { fieldsToText } from "../../rules/sync/visible-entity.ts";
import {
  encodeEdit,
  type Edit,
  type EncodedEdit,
  type FieldTexts,
  type OperationEdit,
} from "./encode-edit.ts";
import { isRefused, toRestorable, toVisible } from "./entity-record.ts";
import type { LocalStore } from "./local-store.ts";
import type { LocalTransaction } from "./local-transaction.ts";
import { refuseEdit, refuseFailed } from "./errors.ts";
import type { EditResult } from "./results.ts";
import { createSerialize } from "../serialize.ts";
import type { SyncSettings } from "./settings.ts";
import { planRestore } from "./restore.ts";
import { storeOperation, storeOperations } from "./store-operation.ts";

interface WaitingEdit {
  readonly edit: EncodedEdit;
  resolve(result: EditResult): void;
}

/** The greatest number of edits in one transaction. */
const MAX_GROUP = 100;

/** Edits that come while a transaction is in progress share the next one. */
export function createEditor(store: LocalStore, { profile, codec }: SyncSettings) {
  const waiting: WaitingEdit[] = [];
  const serialize = createSerialize();
  let isScheduled = false;

  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    void applyGroup();
  }

  async function applyGroup(): Promise<void> {
    let group: readonly WaitingEdit[] = [];
    const takeGroup = () => {
      isScheduled = false;
      group = waiting.splice(0, MAX_GROUP);
      if (waiting.length > 0) schedule();
    };
    try {
      const results = await store.write(async (transaction) => {
        takeGroup();
        const results: EditResult[] = [];
        for (const { edit } of group) results.push(await applyEdit(transaction, edit, profile));
        return results;
      });
      for (const [index, { resolve }] of group.entries()) resolve(results[index] as EditResult);
    } catch (error) {
      // The storage failed before the work began.
      if (group.length === 0) takeGroup();
      for (const { resolve } of group) resolve(refuseFailed(error));
    }
  }

  function inOrder<T>(encoding: Promise<T>): Promise<T> {
    // An encoding that fails before its turn must not be an unhandled rejection.
    encoding.catch(() => {});
    return serialize(() => encoding);
  }

  return async (edit: Edit): Promise<EditResult> => {
    // Values are encoded at once, because the app may change them later.
    const encoding = encodeEdit(edit, codec);
    // A codec takes longer for some edits than for others, and they must keep their order.
    const encoded = await (codec === null ? encoding : inOrder(encoding));
    if (encoded.kind === "refused") return encoded;
    return new Promise((resolve) => {
      waiting.push({ edit: encoded, resolve });
      schedule();
    });
  };
}

async function applyEdit(
  transaction: LocalTransaction,
  edit: EncodedEdit,
  profile: SyncProfile,
): Promise<EditResult> {
  const { kind, entityId, payload } = edit;
  if (payload === null) return bringBack(transaction, edit, profile);
  const needsEntity = kind === "patch" || kind === "delete";
  const stored = needsEntity ? await transaction.readStored(entityId) : [];
  const visible = toVisible(stored);
  if (needsEntity && visible === null) {
    return refuseEdit("entity_not_found", `there is no entity "${entityId}" on this device`);
  }
  const revision = transaction.nextRevision();
  // The rules of `habits` judge a whole payload, in which a refused field would be refused again; elsewhere a
  // patch carries what it changes.
  const accepted = toVisible(stored.filter((one) => !isRefused(one))) ?? visible;
  const rest = kind === "patch" && profile === "habits" ? accepted?.payload : undefined;
  return storeOperation(
    transaction,
    toOperationText({ ...edit, payload }, revision, rest),
    profile,
  );
}

async function bringBack(
  transaction: LocalTransaction,
  { entityId, metadata }: EncodedEdit,
  profile: SyncProfile,
): Promise<EditResult> {
  const held = toRestorable(await transaction.readStored(entityId));
  if (held === null) {
    return refuseEdit("entity_not_found", `nothing of "${entityId}" is on this device`);
  }
  const { deviceId, sequence } = transaction.nextRevision();
  const texts = planRestore(held, metadata, profile).map((edit, index) =>
    toOperationText(edit, { deviceId, sequence: sequence + index }),
  );
  return storeOperations(transaction, texts, profile);
}

/** `rest` are the fields of the payload that the edit does not change. */
function toOperationText(
  { kind, entityId, payload, metadata }: OperationEdit,
  revision: Revision,
  rest: FieldTexts = new Map(),
): string {
  const isDelete = kind === "delete";
  const document: [string, string][] = [
    ["schemaVersion", String(DOCUMENT_SCHEMA_VERSION)],
    ["entityId", JSON.stringify(entityId)],
    ["deleted", String(isDelete)],
  ];
  if (!isDelete) document.push(["payload", fieldsToText(new Map([...rest, ...payload]))]);
  return fieldsToText([
    ["protocolVersion", String(PROTOCOL_VERSION)],
    ["operationId", JSON.stringify(operationIdOf(revision))],
    ["kind", JSON.stringify(kind)],
    ["revision", JSON.stringify(revision)],
    ["document", fieldsToText([...document, ...metadata])],
    ["changedFields", JSON.stringify([...payload.keys()])],
    ["changedMetadataFields", JSON.stringify([...metadata.keys()])],
  ]);
}
