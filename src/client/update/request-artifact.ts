/** A request for an artifact that resumes after the bytes of an earlier attempt. */
import type { ByteSource } from "../transport/byte-source.ts";
import type { Deadline } from "../transport/deadline.ts";
import { isStrongEtag, parseContentRange } from "../../rules/http-headers.ts";
import type { Fetch } from "../transport/request-text.ts";
import type { DownloadError } from "./download-result.ts";

export interface ArtifactRequest {
  readonly url: string;
  readonly fileName: string;
  readonly size: number;
  /** The number of bytes that the app already has. */
  readonly from: number;
  /** The strong ETag of the response that the app's bytes came from; null only when there are none. */
  readonly etag: string | null;
  readonly fetch: Fetch;
  readonly deadline: Deadline;
  readonly stallTimeoutMs: number;
}

export type ArtifactResponse =
  | {
      readonly kind: "body";
      readonly body: ByteSource;
      /** Null when the bytes of the body must not be resumed. */
      readonly etag: string | null;
      /** The number of bytes at the start of the body that the app already has. */
      readonly repeatedBytes: number;
    }
  | DownloadError;

export async function requestArtifact(request: ArtifactRequest): Promise<ArtifactResponse> {
  if (request.from > 0) {
    const rest = await send(request, {
      Range: `bytes=${request.from}-`,
      ...(request.etag === null ? {} : { "If-Range": request.etag }),
    });
    if (rest.kind !== "response") return rest;
    if (continues(rest.response, request)) return toRest(rest.response, request);
    // RFC 9110 14.2: a server may ignore the range and send everything.
    if (rest.response.status === 200) return toWhole(rest.response, request);
    if (rest.response.status !== 206 && rest.response.status !== 416) return toError(rest.response);
    // The server cannot resume here, so the whole artifact is requested.
    rest.response.body?.cancel().catch(() => {});
  }
  // The signed size is not that of a compressed response. (For a range, `fetch` sets this itself.)
  const whole = await send(request, { "Accept-Encoding": "identity" });
  if (whole.kind !== "response") return whole;
  return whole.response.status === 200 ? toWhole(whole.response, request) : toError(whole.response);
}

type SendResult = { readonly kind: "response"; readonly response: Response } | DownloadError;

async function send(
  { url, fetch, deadline, stallTimeoutMs }: ArtifactRequest,
  headers: Readonly<Record<string, string>>,
): Promise<SendResult> {
  try {
    const response = await deadline.during(() =>
      fetch(url, {
        headers,
        // File hosts redirect to their storage; size and digest are checked in any case.
        redirect: "follow",
        credentials: "omit",
        referrerPolicy: "no-referrer",
        signal: deadline.signal,
      }),
    );
    if (response.redirected && !isHttps(response.url)) return { kind: "insecure-address" };
    return { kind: "response", response };
  } catch (cause) {
    return findInterruption(deadline, stallTimeoutMs) ?? { kind: "unreachable", cause };
  }
}

/** Null when neither the time limit nor the caller ended the wait. */
export function findInterruption(deadline: Deadline, stallTimeoutMs: number): DownloadError | null {
  const reason = deadline.reason();
  if (reason === "timeout") return { kind: "stalled", stallTimeoutMs };
  return reason === "cancelled" ? { kind: "cancelled" } : null;
}

export function isHttps(url: string): boolean {
  return url.startsWith("https://");
}

/** Whether the response starts exactly at `from`, in the same file. It may end early. */
function continues({ status, headers }: Response, { from, size, etag }: ArtifactRequest): boolean {
  const range = parseContentRange(headers.get("Content-Range"));
  return (
    status === 206 &&
    range?.first === from &&
    range.last < size &&
    (range.total ?? size) === size &&
    (headers.get("ETag") ?? etag) === etag
  );
}

function toRest(response: Response, { size, etag }: ArtifactRequest): ArtifactResponse {
  const range = parseContentRange(response.headers.get("Content-Range"));
  return toBody(response, range?.total === size ? etag : null, 0);
}

/**
 * Bytes are resumed only when the response had a strong ETag and the length of the file: a page that a
 * network puts in the place of the file would spoil every later attempt.
 */
function toWhole(response: Response, { fileName, size, from }: ArtifactRequest): ArtifactResponse {
  const { headers } = response;
  const contentType = headers.get("Content-Type");
  if (isHtml(contentType) && !/\.html?$/i.test(fileName)) {
    response.body?.cancel().catch(() => {});
    return { kind: "not-the-file", contentType };
  }
  const etag = headers.get("ETag");
  const isWhole = headers.get("Content-Length") === String(size);
  return toBody(response, isWhole && isStrongEtag(etag) ? etag : null, from);
}

function isHtml(contentType: string | null): contentType is string {
  return /^(?:text\/html|application\/xhtml\+xml)\s*(?:;|$)/i.test(contentType ?? "");
}

function toBody(response: Response, etag: string | null, repeatedBytes: number): ArtifactResponse {
  return { kind: "body", body: response.body ?? new Blob().stream(), etag, repeatedBytes };
}

function toError(response: Response): DownloadError {
  return response.status === 206
    ? { kind: "wrong-range", contentRange: response.headers.get("Content-Range") }
    : { kind: "http-status", status: response.status };
}
