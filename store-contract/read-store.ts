import assert from "node:assert/strict";
import { parseEntityState } from "../src/rules/sync/entity-state-text.ts";
import { applyOperation, type EntityState } from "../src/rules/sync/merge.ts";
import { parseOperation, scanOperations } from "../src/rules/sync/operation-text.ts";
import type { AccountKey } from "../src/contract/sync/schemas.ts";
import type { KeyProof } from "../src/sync/keys/key-proof.ts";
import type {
  LogPage,
  MarkedHead,
  NewOperation,
  OperationStore,
  StoredReceipt,
  SyncStore,
} from "../src/sync/store.ts";
import { NOW } from "./samples.ts";

/** Appends a batch that must be stored. */
export async function append(
  { operations }: SyncStore,
  batch: readonly NewOperation[],
  proof: KeyProof | null = null,
): Promise<StoredReceipt[]> {
  const result = await operations.append(batch, NOW, proof);
  assert.equal(result.kind, "stored", "an append without contradictions is stored");
  assert.ok(result.kind === "stored");
  assert.equal(result.receipts.length, batch.length, "one receipt for each operation");
  return result.receipts;
}

export function offsetsOf(receipts: readonly StoredReceipt[]): number[] {
  return receipts.map(({ offset }) => offset);
}

/** The operations of a page, each as it was pushed. */
export function textsOf({ text, count }: Pick<LogPage, "text" | "count">): string[] {
  const body = `{"operations":[${text}]}`;
  const { operations } = JSON.parse(body) as { operations: unknown[] };
  const texts = (scanOperations(body, operations) ?? []).map((operation) => operation.text);
  assert.equal(count, texts.length, "a page counts its operations");
  return texts;
}

/** What a page has of these operations. */
export function joinOperations(texts: readonly string[]): Pick<LogPage, "text" | "count"> {
  return { text: texts.join(","), count: texts.length };
}

/** All operations in order, as texts, read page by page. */
export async function readLog(
  operations: OperationStore,
  { after = 0, limit = 500 } = {},
): Promise<string[]> {
  const texts: string[] = [];
  for (let from = after; ;) {
    const page = await operations.page(from, limit);
    assert.ok(page.count <= limit, "a page has no more operations than its limit");
    texts.push(...textsOf(page));
    if (page.lastOffset >= page.headOffset) return texts;
    assert.ok(page.lastOffset > from, "a page before the head leads on");
    from = page.lastOffset;
  }
}

/** The records of the list of keys, oldest first. */
export async function readKeys({ keys }: SyncStore): Promise<AccountKey[]> {
  const records: AccountKey[] = [];
  for await (const record of keys.list()) records.push(record);
  return records;
}

export interface ReadSnapshot {
  readonly head: MarkedHead;
  readonly states: EntityState[];
}

export async function readSnapshot(operations: OperationStore): Promise<ReadSnapshot> {
  const states: EntityState[] = [];
  let head: MarkedHead | undefined;
  for await (const item of operations.snapshot()) {
    head ??= item.head;
    assert.deepEqual(item.head, head, "a snapshot has one head");
    if (item.state !== null) states.push(parseEntityState(item.state));
  }
  assert.ok(head !== undefined, "a snapshot always has a head");
  return { head, states };
}

/** What these operations add up to, by entity id. */
export function mergeTexts(texts: readonly string[]): EntityState[] {
  const statesById = new Map<string, EntityState>();
  for (const operation of texts.map(parseOperation)) {
    const { entityId } = operation;
    const { state } = applyOperation(statesById.get(entityId) ?? null, operation);
    statesById.set(entityId, state);
  }
  return [...statesById.values()].sort((a, b) => (a.entityId < b.entityId ? -1 : 1));
}

/** Everything of the log that is visible, to compare it before and after. */
export async function readAll({ operations }: SyncStore) {
  return {
    head: await operations.head(),
    log: await readLog(operations),
    snapshot: await readSnapshot(operations),
  };
}
