/** Changes that the app makes: each is an operation, durable before its promise settles. */
import type { ClearProfile } from "../../contract/sync/operation-limits.ts";
import type { TransactionResult } from "../collections/collection.ts";
import { editToOperations } from "./edit-to-operations.ts";
import { encodeEdit, type Edit, type EncodedEdit } from "./encode-edit.ts";
import { refuseEdit, refuseFailed, type RefusedEdit } from "./errors.ts";
import type { LocalStore } from "./local-store.ts";
import type { LocalTransaction } from "./local-transaction.ts";
import type { SyncSettings } from "./settings.ts";
import { storeOperations, toStored } from "./store-operation.ts";

/** Edits that wait for a transaction of the storage. */
interface Waiting {
  readonly edits: readonly EncodedEdit[];
  /** Whether the edits are all or nothing, also in a push; otherwise there is one. */
  readonly together: boolean;
  resolve(result: TransactionResult): void;
}

/** How many edits that came one by one may share a transaction of the storage. */
const MAX_GROUP = 100;
/** The greatest number of edits that are all or nothing, as an import is made of. */
const MAX_TOGETHER = 1000;

/** Edits that come while a transaction is in progress share the next one. */
export function createEditor(store: LocalStore, { profile, encryption }: SyncSettings) {
  const waiting: Waiting[] = [];
  let isScheduled = false;

  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    void applyGroup();
  }

  /** Edits that are all or nothing have a transaction of their own. */
  function takeGroup(): readonly Waiting[] {
    const next = waiting.slice(0, MAX_GROUP).findIndex(({ together }) => together);
    const group = waiting.splice(0, next === -1 ? MAX_GROUP : Math.max(1, next));
    isScheduled = false;
    if (waiting.length > 0) schedule();
    return group;
  }

  async function applyGroup(): Promise<void> {
    let group: readonly Waiting[] = [];
    let refused: RefusedEdit | null = null;
    try {
      const results = await store.write(async (transaction) => {
        group = takeGroup();
        const applied: TransactionResult[] = [];
        for (const { edits, together } of group) {
          const result = await applyEdits(transaction, edits, together, profile);
          applied.push(result);
          if (!together || result.kind === "stored") continue;
          refused = result;
          throw new Error("The edits are refused together");
        }
        return applied;
      });
      for (const [index, { resolve }] of group.entries())
        resolve(results[index] as TransactionResult);
    } catch (error) {
      // The storage may have failed before the work began.
      if (group.length === 0) group = takeGroup();
      for (const { resolve } of group) resolve(refused ?? refuseFailed(error));
    }
  }

  return async function apply(
    edits: readonly Edit[],
    together: boolean,
  ): Promise<TransactionResult> {
    if (edits.length === 0) return { kind: "stored", operationIds: [] };
    if (edits.length > MAX_TOGETHER) {
      const text = `a transaction has at most ${MAX_TOGETHER} edits, and this one has ${edits.length}: make several`;
      return refuseEdit("transaction_too_large", text);
    }
    // Values are encoded at once, because the app may change them later.
    const encoded: EncodedEdit[] = [];
    for (const edit of edits) {
      const result = encodeEdit(edit);
      if (result.kind === "refused") return result;
      const unsealable = encryption?.findUnsealable(result) ?? null;
      if (unsealable !== null) return unsealable;
      encoded.push(result);
    }
    return new Promise((resolve) => {
      waiting.push({ edits: encoded, together, resolve });
      schedule();
    });
  };
}

/** Stops at the first edit that is refused. */
async function applyEdits(
  transaction: LocalTransaction,
  edits: readonly EncodedEdit[],
  together: boolean,
  profile: ClearProfile,
): Promise<TransactionResult> {
  const { sequence: first } = transaction.nextRevision();
  const operationIds: string[] = [];
  const { form } = transaction;
  // All at once: one after the other, a browser takes longer to read them than for all the rest.
  await Promise.all(edits.map(({ entityId }) => transaction.readStored(form.recordIdOf(entityId))));
  for (const edit of edits) {
    const texts = await editToOperations(transaction, edit, profile);
    const formed = "kind" in texts ? texts : toStored(form, texts, profile);
    if ("kind" in formed) return formed;
    if (formed.length > 0) operationIds.push(await storeOperations(transaction, formed));
  }
  const last = transaction.nextRevision().sequence - 1;
  if (together && first < last) transaction.joinQueued({ first, last });
  return { kind: "stored", operationIds };
}

/** The result of the first edit of several. */
export function toEditResult({ operationIds: [operationId = ""] }: StoredTogether) {
  return { kind: "stored", operationId } as const;
}

type StoredTogether = Extract<TransactionResult, { kind: "stored" }>;
