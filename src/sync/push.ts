/** POST /v1/push: every operation is validated before the first write. */
import type { SyncProfile } from "../contract/sync/operation-limits.ts";
import type { SyncLimits } from "../contract/sync/values.ts";
import { jsonResponse, type HttpResponse } from "../http/response.ts";
import type { HttpError } from "../http/http-error.ts";
import { createCursorEncoder } from "../rules/sync/cursor.ts";
import { errorResponse } from "./error-response.ts";
import { createPushReader } from "./push-reader.ts";
import { readPush, type PushReadResult } from "./read-push.ts";
import type { OperationSource, StoredReceipt, SyncStore } from "./store.ts";

export interface PushSettings {
  readonly store: SyncStore;
  readonly limits: SyncLimits;
  readonly profile: SyncProfile;
  now(): number;
}

export interface Pushes {
  answer(bytes: Uint8Array, requestId: string): Promise<HttpResponse | HttpError>;
  close(): Promise<void>;
}

export function createPushes({ store, limits, profile, now }: PushSettings): Pushes {
  const rules = { maxOperations: limits.maxPushOperations, profile };
  const reader = createPushReader(rules);
  let inProgress = 0;

  /** A push that is alone gains nothing by going to another thread and back. */
  function read(bytes: Uint8Array): PushReadResult | Promise<PushReadResult> {
    if (inProgress === 1) return readPush(bytes, rules);
    void reader.start();
    return reader.read(bytes);
  }

  async function append(operations: OperationSource, requestId: string): Promise<HttpResponse> {
    const outcome = await store.operations.append(operations, now());
    if (outcome.kind === "conflict") return errorResponse("operation_conflict", requestId);
    return jsonResponse(200, receiptsToText(outcome.generation, outcome.receipts));
  }

  function answer(
    reading: PushReadResult,
    requestId: string,
  ): HttpResponse | HttpError | Promise<HttpResponse> {
    switch (reading.kind) {
      case "operations":
        return append(reading.operations, requestId);
      case "invalid-operations":
        return errorResponse("invalid_sync_operation", requestId, { message: reading.message });
      case "invalid-body":
        return { kind: "invalid-body", code: "invalid_request" };
      case "invalid-json":
        return reading;
    }
  }

  return {
    // Nothing here waits with the body in its hands: only what is to be stored stays in memory.
    async answer(bytes, requestId) {
      inProgress++;
      try {
        return await answer(await read(bytes), requestId);
      } finally {
        inProgress--;
      }
    },
    close: () => reader.close(),
  };
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
