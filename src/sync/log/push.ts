/** POST /v1/push: every operation is validated before the first one is written. */
import { MAX_CLOCK_STEP, type SyncProfile } from "../../contract/sync/operation-limits.ts";
import { REFUSED_HEADER } from "../../contract/sync/refused-operations.ts";
import type { SyncLimits } from "../../contract/sync/values.ts";
import type { HttpError } from "../../http/http-error.ts";
import { jsonResponse, type HttpResponse } from "../../http/response.ts";
import { ruleError } from "../../rules/sync/operation-error.ts";
import { refusedToHeader } from "../../rules/sync/refused-operations.ts";
import { encodeCursor } from "./cursor.ts";
import { errorResponse } from "../responses/error-response.ts";
import { readKeyProof, type KeyProof } from "../keys/key-proof.ts";
import { createPushReader, type PushReader } from "./push-reader.ts";
import { storageUsedUpResponse, type StorageQuota } from "./quota.ts";
import {
  describeInvalid,
  readPush,
  type InvalidOperations,
  type PushReadResult,
} from "./read-push.ts";
import type { NewOperation, StoredReceipt, SyncStore } from "../store.ts";
import type { ObservedPush, SyncObserver } from "./sync-observer.ts";

export interface PushSettings {
  readonly store: Pick<SyncStore, "operations">;
  readonly limits: Omit<SyncLimits, "authorizePerMinute">;
  readonly profile: SyncProfile;
  now(): number;
  /** The reader is closed with the handler. */
  readonly reader?: PushReader;
  readonly quota?: StorageQuota | undefined;
  /** Called after each push that is stored, before it is acknowledged. */
  onStored?(generation: string, receipts: readonly StoredReceipt[]): void;
  readonly observer?: SyncObserver | undefined;
}

export interface PushHandler {
  /** `keyHeader` is what proves the account's key. */
  handle(
    bytes: Uint8Array,
    requestId: string,
    keyHeader?: string | null,
  ): Promise<HttpResponse | HttpError>;
  close(): Promise<void>;
}

export function createPushHandler(settings: PushSettings): PushHandler {
  const { store, limits, profile, now, observer } = settings;
  const rules = { maxOperations: limits.maxPushOperations, profile };
  const { reader = createPushReader(rules) } = settings;
  let inProgress = 0;

  /** A push that is alone would only lose time on the way to the thread and back. */
  function read(bytes: Uint8Array): PushReadResult | Promise<PushReadResult> {
    if (inProgress === 1) return readPush(bytes, rules);
    void reader.start();
    return reader.read(bytes);
  }

  async function append(
    operations: readonly NewOperation[],
    requestId: string,
    proof: KeyProof | null,
  ): Promise<HttpResponse | HttpError> {
    const write = () => store.operations.append(operations, now(), proof);
    const result = await (settings.quota?.append(operations, write) ?? write());
    if (result === null) {
      observer?.pushed({ kind: "over-quota" });
      return storageUsedUpResponse(requestId);
    }
    // The owner deleted everything while the push was on its way.
    if (result.kind === "cleared") return { kind: "unauthenticated" };
    if (result.kind === "conflict") {
      observer?.pushed({ kind: "conflict" });
      return conflictResponse(result.indexes, requestId);
    }
    if (result.kind === "key-unknown" || result.kind === "key-replaced") {
      observer?.pushed({ kind: "invalid" });
      return errorResponse(KEY_ERRORS[result.kind], requestId);
    }
    if (result.kind !== "stored") {
      observer?.pushed({ kind: "invalid" });
      const error = APPEND_ERRORS[result.kind];
      const errors = result.indexes.map((index) => ({ index, ...error }));
      return invalidResponse(describeInvalid(errors), requestId);
    }
    const { generation, receipts } = result;
    observer?.pushed(describePush(receipts));
    settings.onStored?.(generation, receipts);
    return jsonResponse(200, receiptsToText(generation, receipts));
  }

  async function respond(
    result: PushReadResult,
    requestId: string,
    proof: KeyProof | null,
  ): Promise<HttpResponse | HttpError> {
    if (result.kind !== "operations") observer?.pushed({ kind: "invalid" });
    switch (result.kind) {
      case "operations":
        return append(result.operations, requestId, proof);
      case "invalid-operations":
        return invalidResponse(result, requestId);
      case "invalid-body":
        return { kind: "invalid-body", code: "invalid_request" };
      case "invalid-json":
        return result;
    }
  }

  return {
    async handle(bytes, requestId, keyHeader = null) {
      inProgress++;
      try {
        return await respond(await read(bytes), requestId, readKeyProof(keyHeader));
      } finally {
        inProgress--;
      }
    },
    close: () => reader.close(),
  };
}

function describePush(receipts: readonly StoredReceipt[]): ObservedPush {
  const duplicates = receipts.filter(({ duplicate }) => duplicate).length;
  return { kind: "stored", operations: receipts.length - duplicates, duplicates };
}

function invalidResponse({ message, refused }: InvalidOperations, requestId: string): HttpResponse {
  const headers = { [REFUSED_HEADER]: refused };
  return errorResponse("invalid_sync_operation", requestId, { message, headers });
}

const KEY_ERRORS = { "key-unknown": "key_unknown", "key-replaced": "key_replaced" } as const;

/** The rules that only the log can check. */
const APPEND_ERRORS = {
  "sequence-jump": ruleError(
    "sequence_jump",
    `revision.sequence must be at most ${MAX_CLOCK_STEP} above the greatest of the account`,
  ),
  "under-unknown-key": ruleError(
    "key_unknown",
    "the account's list of keys must have the key that the operation is sealed under",
  ),
};

function conflictResponse(indexes: readonly number[], requestId: string): HttpResponse {
  const refused = refusedToHeader(indexes.map((index) => ({ index, code: "id_reused" })));
  return errorResponse("operation_conflict", requestId, { headers: { [REFUSED_HEADER]: refused } });
}

function receiptsToText(generation: string, receipts: readonly StoredReceipt[]): string {
  return JSON.stringify({
    receipts: receipts.map(({ offset, mark, duplicate, changed }) => ({
      cursor: encodeCursor({ generation, offset, mark }),
      offset,
      duplicate,
      changed,
    })),
  });
}
