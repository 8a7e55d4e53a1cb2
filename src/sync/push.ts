/** POST /v1/push: every operation is validated before the first write. */
import type { SyncProfile } from "../contract/sync/operation-limits.ts";
import type { SyncLimits } from "../contract/sync/values.ts";
import { jsonAnswer, type Answer } from "../http/answer.ts";
import { createCursorEncoder } from "../rules/sync/cursor.ts";
import { describeProblems } from "../rules/sync/describe-problems.ts";
import type { ReadOperation } from "../rules/sync/read-operation.ts";
import { scanOperations } from "../rules/sync/scan-operations.ts";
import { validateBatch } from "../rules/sync/validate-operation.ts";
import { answerError } from "./answer-problem.ts";
import type { StoredReceipt, SyncStore } from "./store.ts";

export interface PushSettings {
  readonly store: SyncStore;
  readonly limits: SyncLimits;
  readonly profile: SyncProfile;
  now(): number;
}

/** The body as it came, and what was parsed from it. */
export interface PushContent {
  readonly text: string;
  readonly value: { readonly operations: readonly unknown[] };
}

/** Not async: while a push waits for the store, only what is to be stored stays in memory. */
export function pushOperations(
  { store, limits, profile, now }: PushSettings,
  { text, value }: PushContent,
  requestId: string,
): Answer | Promise<Answer> {
  const values = value.operations;
  if (values.length > limits.maxPushOperations) return answerError("invalid_request", requestId);
  const scanned = scanOperations(text, values);
  if (scanned === null) return answerError("invalid_request", requestId);
  const batch = validateBatch(scanned, values, profile);
  if (batch.kind === "invalid") {
    return answerError("invalid_sync_operation", requestId, {
      message: describeProblems(batch.problems),
    });
  }
  return append(store, batch.operations, now(), requestId);
}

async function append(
  store: SyncStore,
  operations: readonly ReadOperation[],
  now: number,
  requestId: string,
): Promise<Answer> {
  const outcome = await store.operations.append(operations, now);
  if (outcome.kind === "conflict") return answerError("operation_conflict", requestId);
  return jsonAnswer(200, receiptsToText(outcome.generation, outcome.receipts));
}

/** Nothing in it needs escaping, and there are many. */
function receiptsToText(generation: string, receipts: readonly StoredReceipt[]): string {
  const cursorOf = createCursorEncoder(generation);
  let text = "";
  for (const { offset, duplicate, changed } of receipts) {
    text += `${text === "" ? "" : ","}{"cursor":"${cursorOf(offset)}","offset":${offset},"duplicate":${duplicate},"changed":${changed}}`;
  }
  return `{"receipts":[${text}]}`;
}
