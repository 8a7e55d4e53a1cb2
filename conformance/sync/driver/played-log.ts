/** The log of a played account: pushes, pages, and stores that were restored or rolled back. */
import type { Members } from "../../../src/contract/is-object.ts";
import type { SyncErrorCode } from "../../../src/contract/sync/errors.ts";
import type { Operation } from "../../../src/contract/sync/operation.ts";
import type { RefusedOperation } from "../../../src/rules/sync/refused-operations.ts";
import { isSameContent } from "../../../src/rules/sync/content-identity.ts";
import { scanOperation } from "../../../src/rules/sync/operation-text.ts";
import { validateClear } from "../../../src/rules/sync/validate-operation.ts";
import type { SeenRequest } from "../../drivers/loopback-service.ts";
import { encodeCursor, readCursorMembers } from "../cursor.ts";

export type LogResult =
  | { readonly kind: "ok"; readonly body: Members }
  | {
      readonly kind: "refused";
      readonly code: SyncErrorCode;
      readonly operations: readonly RefusedOperation[];
    };

export interface LogLimits {
  readonly maximumPushOperations: number;
  readonly maximumPullOperations: number;
  /** No page has more, whatever is asked for: the pushes of the log are of this size. */
  readonly pageOperations?: number;
}

const DEFAULT_PULL = 100;
const MARK = "AAAAAAAAAAA";

export function createPlayedLog({
  maximumPushOperations,
  maximumPullOperations,
  pageOperations = maximumPullOperations,
}: LogLimits) {
  const operations: Operation[] = [];
  let generation = 1;

  const cursorAt = (offset: number) =>
    encodeCursor({ generation: String(generation), offset, mark: MARK });
  const find = ({ operationId }: Operation) =>
    operations.find((one) => one.operationId === operationId);

  function store(operation: Operation): Members {
    const duplicate = find(operation) !== undefined;
    if (!duplicate) operations.push(operation);
    const ids = operations.map(({ operationId }) => operationId);
    const offset = ids.indexOf(operation.operationId) + 1;
    return { cursor: cursorAt(offset), offset, duplicate, changed: !duplicate };
  }

  return {
    operations,
    store,
    headCursor: () => cursorAt(operations.length),
    /** All operations are judged before the first is stored. */
    push({ operations: pushed }: Members): LogResult {
      if (!Array.isArray(pushed) || pushed.length === 0 || pushed.length > maximumPushOperations) {
        return refuse("invalid_request");
      }
      const invalid = pushed.flatMap((one: unknown, index) => {
        const result = validateClear(scanOperation(JSON.stringify(one)), "habits");
        return result.kind === "valid" ? [] : [{ index, code: result.code }];
      });
      if (invalid.length > 0) return refuse("invalid_sync_operation", invalid);
      const batch = pushed as Operation[];
      const reused = batch.flatMap((one, index) => {
        const stored = find(one);
        const isNew = stored === undefined || isSameContent(toText(stored), toText(one));
        return isNew ? [] : [{ index, code: "id_reused" }];
      });
      if (reused.length > 0) return refuse("operation_conflict", reused);
      return { kind: "ok", body: { receipts: batch.map(store) } };
    },
    pull({ query }: SeenRequest): LogResult {
      const limit = Number(query.get("limit") ?? DEFAULT_PULL);
      const isLimit = Number.isInteger(limit) && limit >= 1 && limit <= maximumPullOperations;
      if (!isLimit) return refuse("invalid_request");
      const cursor = query.get("cursor") ?? cursorAt(0);
      const { generation: cursorGeneration, offset } = readCursorMembers(cursor) ?? {};
      if (typeof offset !== "number") return refuse("invalid_cursor");
      const isHere = cursorGeneration === String(generation) && offset <= operations.length;
      const end = offset + Math.min(limit, pageOperations);
      const page = isHere ? operations.slice(offset, end) : [];
      const body = {
        operations: page,
        cursor: cursorAt(isHere ? offset + page.length : operations.length),
        headOffset: operations.length,
        compactionFloor: 0,
        requiresSnapshot: !isHere,
        recoveryReason: isHere ? "none" : "generation_changed",
      };
      return { kind: "ok", body };
    },
    /** The store is set to an earlier state of itself: the log stays the same one. */
    rollBack: (length: number) => void operations.splice(length),
    /** The store is restored from a backup of its first operations: the log is another one. */
    restore(length: number): void {
      operations.splice(length);
      generation++;
    },
  };
}

function refuse(code: SyncErrorCode, operations: readonly RefusedOperation[] = []): LogResult {
  return { kind: "refused", code, operations };
}

function toText(operation: Operation): string {
  return JSON.stringify(operation);
}
