/** Changes that the app makes: each is an operation, durable before its promise settles. */
import type { SyncProfile } from "../../contract/sync/operation-limits.ts";
import { DEFAULT_SYNC_LIMITS } from "../../contract/sync/values.ts";
import { utf8Length } from "../../rules/sync/operation-bounds.ts";
import { createSerialize } from "../serialize.ts";
import type { TransactionResult } from "../collections/collection.ts";
import { editToOperations } from "./edit-to-operations.ts";
import { encodeEdit, type Edit, type EncodedEdit } from "./encode-edit.ts";
import { refuseEdit, refuseFailed, type RefusedEdit } from "./errors.ts";
import type { LocalStore } from "./local-store.ts";
import type { LocalTransaction } from "./local-transaction.ts";
import { BODY_BYTES } from "./push-queue.ts";
import { readPosition, type PushLimits } from "./records.ts";
import type { EditResult } from "./results.ts";
import type { SyncSettings } from "./settings.ts";
import { storeOperations } from "./store-operation.ts";

/** Edits that wait for a transaction of the storage. */
interface Waiting {
  readonly edits: readonly EncodedEdit[];
  /** Whether the edits are all or nothing; otherwise there is one. */
  readonly together: boolean;
  resolve(results: readonly EditResult[]): void;
}

/** The greatest number of edits in one transaction. */
const MAX_GROUP = 100;

/** Edits that come while a transaction is in progress share the next one. */
export function createEditor(store: LocalStore, { profile, codec }: SyncSettings) {
  const waiting: Waiting[] = [];
  const serialize = createSerialize();
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
        const [first] = group;
        if (first?.together !== true) return applyEach(transaction, group, profile);
        const applied = await applyTogether(transaction, first.edits, profile);
        if (!("kind" in applied)) return [applied];
        refused = applied;
        throw new Error("The edits are refused together");
      });
      for (const [index, { resolve }] of group.entries()) resolve(results[index] ?? []);
    } catch (error) {
      // The storage may have failed before the work began.
      if (group.length === 0) group = takeGroup();
      for (const { resolve } of group) resolve([refused ?? refuseFailed(error)]);
    }
  }

  function inOrder<T>(encoding: Promise<T>): Promise<T> {
    // An encoding that fails before its turn must not be an unhandled rejection.
    encoding.catch(() => {});
    return serialize(() => encoding);
  }

  async function apply(edits: readonly Edit[], together: boolean): Promise<readonly EditResult[]> {
    // Values are encoded at once, because the app may change them later.
    const encoding = Promise.all(edits.map((edit) => encodeEdit(edit, codec)));
    // A codec takes longer for some edits than for others, and they must keep their order.
    const encoded = await (codec === null ? encoding : inOrder(encoding));
    const good: EncodedEdit[] = [];
    for (const edit of encoded) {
      if (edit.kind === "refused") return [edit];
      good.push(edit);
    }
    return new Promise((resolve) => {
      waiting.push({ edits: good, together, resolve });
      schedule();
    });
  }

  return {
    async apply(edit: Edit): Promise<EditResult> {
      const [result] = await apply([edit], false);
      return result as EditResult;
    },
    /** All or nothing. */
    async applyTogether(edits: readonly Edit[]): Promise<TransactionResult> {
      if (edits.length === 0) return { kind: "stored", operationIds: [] };
      const operationIds: string[] = [];
      for (const result of await apply(edits, true)) {
        if (result.kind === "refused") return result;
        operationIds.push(result.operationId);
      }
      return { kind: "stored", operationIds };
    },
  };
}

async function applyEach(
  transaction: LocalTransaction,
  group: readonly Waiting[],
  profile: SyncProfile,
): Promise<EditResult[][]> {
  const results: EditResult[][] = [];
  for (const { edits } of group) {
    for (const edit of edits) {
      const texts = await editToOperations(transaction, edit, profile);
      results.push(["kind" in texts ? texts : await storeOperations(transaction, texts, profile)]);
    }
  }
  return results;
}

/** A refusal leaves the transaction to be rolled back. */
async function applyTogether(
  transaction: LocalTransaction,
  edits: readonly EncodedEdit[],
  profile: SyncProfile,
): Promise<EditResult[] | RefusedEdit> {
  const { pushLimits = DEFAULT_PUSH_LIMITS } = await readPosition(transaction);
  const { sequence: first } = transaction.nextRevision();
  let bytes = BODY_BYTES;
  const results: EditResult[] = [];
  for (const edit of edits) {
    const texts = await editToOperations(transaction, edit, profile);
    if ("kind" in texts) return texts;
    for (const text of texts) bytes += utf8Length(text) + 1;
    const result = await storeOperations(transaction, texts, profile);
    if (result.kind === "refused") return result;
    results.push(result);
  }
  const { sequence: next } = transaction.nextRevision();
  if (next - first > pushLimits.pushOperations || bytes > pushLimits.pushBytes) {
    return refuseTooLarge(pushLimits);
  }
  if (next - first > 1) await transaction.joinQueued({ first, last: next - 1 });
  return results;
}

/** For a device that has not seen a server yet. */
const DEFAULT_PUSH_LIMITS: PushLimits = {
  pushOperations: DEFAULT_SYNC_LIMITS.maxPushOperations,
  pushBytes: DEFAULT_SYNC_LIMITS.maxBodyBytes,
};

function refuseTooLarge({ pushOperations, pushBytes }: PushLimits): RefusedEdit {
  return refuseEdit(
    "transaction_too_large",
    `a transaction has at most ${pushOperations} edits and ${pushBytes} bytes`,
  );
}
