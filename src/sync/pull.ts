/** GET /v1/pull: operations are sent as they were stored, never parsed and printed again. */
import type { RecoveryReason } from "../contract/sync/values.ts";
import { jsonResponse, type HttpResponse } from "../http/response.ts";
import { decodeCursor, encodeCursor, checkCursor, type Cursor } from "./cursor.ts";
import { errorResponse } from "./error-response.ts";
import type { LogHead, OperationStore } from "./store.ts";

export async function pullResponse(
  operations: OperationStore,
  cursorText: string | undefined,
  limit: number,
  requestId: string,
): Promise<HttpResponse> {
  const cursor = cursorText === undefined ? null : decodeCursor(cursorText);
  if (cursorText !== undefined && cursor === null)
    return errorResponse("invalid_cursor", requestId);
  const page = await operations.page(cursor?.offset ?? 0, limit);
  const reason = checkCursor(cursor, page);
  return reason === "none"
    ? answerPage(page, page.texts, page.lastOffset, reason)
    : // The client starts anew; the head tells it how far there is to go.
      answerPage(page, [], page.headOffset, reason);
}

function answerPage(
  { generation, headOffset, compactionFloor }: LogHead,
  texts: readonly string[],
  offset: Cursor["offset"],
  recoveryReason: RecoveryReason,
): HttpResponse {
  const cursor = encodeCursor({ generation, offset });
  const closing = `],"cursor":"${cursor}","headOffset":${headOffset},"compactionFloor":${compactionFloor},"requiresSnapshot":${recoveryReason !== "none"},"recoveryReason":"${recoveryReason}"}`;
  return jsonResponse(200, joinToBytes('{"operations":[', texts, closing));
}

/** One text of a whole page would be a large object to V8, which takes up memory long after its time. */
const TEXTS_AT_ONCE = 100;

function joinToBytes(
  opening: string,
  texts: readonly string[],
  closing: string,
): Uint8Array<ArrayBuffer> {
  const pieces = [opening];
  for (let start = 0; start < texts.length; start += TEXTS_AT_ONCE) {
    if (start > 0) pieces.push(",");
    pieces.push(texts.slice(start, start + TEXTS_AT_ONCE).join(","));
  }
  pieces.push(closing);
  const size = pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0);
  const bytes = Buffer.allocUnsafeSlow(size);
  let written = 0;
  for (const piece of pieces) written += bytes.write(piece, written);
  return bytes;
}
