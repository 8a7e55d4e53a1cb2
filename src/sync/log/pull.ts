/** GET /v1/pull: operations are sent as they were stored, without parsing them. */
import { INSIDE_PUSH, PAGE_HEADER } from "../../contract/sync/page-header.ts";
import type { RecoveryReason } from "../../contract/sync/values.ts";
import { jsonResponse, type HttpResponse } from "../../http/response.ts";
import {
  checkCursor,
  decodeCursor,
  encodeCursor,
  knowsLostHistory,
  type Cursor,
  type MarkedCursor,
} from "./cursor.ts";
import { errorResponse } from "../responses/error-response.ts";
import type { LogPage, OperationStore } from "../store.ts";

export interface PullSettings {
  /** Whether a page says which key is the account's. */
  readonly tellsKey: boolean;
  /** The device knows a later history than the store. */
  onLostHistory(cursor: Cursor): Promise<void>;
  onPage(page: LogPage, recoveryReason: RecoveryReason): void;
}

export async function pullResponse(
  operations: OperationStore,
  cursorText: string | undefined,
  limit: number,
  requestId: string,
  { tellsKey, onLostHistory, onPage }: PullSettings,
): Promise<HttpResponse> {
  const cursor = cursorText === undefined ? null : decodeCursor(cursorText);
  if (cursorText !== undefined && cursor === null)
    return errorResponse("invalid_cursor", requestId);
  const page = await operations.page(cursor?.offset ?? 0, limit);
  const reason = checkCursor(cursor, page, page.afterMark);
  if (cursor !== null && knowsLostHistory(cursor, page, page.afterMark))
    await onLostHistory(cursor);
  onPage(page, reason);
  const key = tellsKey ? `,"keyId":${JSON.stringify(page.keyId)}` : "";
  return reason === "none"
    ? pageResponse(page, page.text, { offset: page.lastOffset, mark: page.lastMark }, reason, key)
    : // The client starts over; the head tells it how much there is to pull.
      pageResponse(page, "", { offset: page.headOffset, mark: page.mark }, reason, key);
}

function pageResponse(
  { generation, headOffset, compactionFloor, endsInside }: LogPage,
  operations: string,
  place: Pick<MarkedCursor, "offset" | "mark">,
  recoveryReason: RecoveryReason,
  key: string,
): HttpResponse {
  const cursor = encodeCursor({ generation, ...place });
  const requiresSnapshot = recoveryReason !== "none";
  const isInside = endsInside && !requiresSnapshot;
  return jsonResponse(
    200,
    [
      `{"operations":[`,
      operations,
      `],"cursor":"${cursor}","headOffset":${headOffset},"compactionFloor":${compactionFloor},"requiresSnapshot":${requiresSnapshot},"recoveryReason":"${recoveryReason}"${key}}`,
    ],
    isInside ? { [PAGE_HEADER]: INSIDE_PUSH } : {},
  );
}
