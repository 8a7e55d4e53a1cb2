/** A request for an artifact that resumes after the bytes of an earlier attempt. */
import type { ByteSource } from "../transport/byte-source.ts";
import type { Deadline } from "../transport/deadline.ts";
import { isStrongEtag, parseContentRange } from "../../rules/http-headers.ts";
import type { Fetch } from "../transport/request-text.ts";
import type { DownloadError } from "./download-result.ts";

export interface ArtifactRequest {
  readonly url: string;
  readonly size: number;
  /** The number of bytes that the app already has. */
  readonly from: number;
  /** The strong ETag of the response that the app's bytes came from. */
  readonly etag: string | null;
  readonly fetch: Fetch;
  readonly deadline: Deadline;
  readonly stallTimeoutMs: number;
}

export type ArtifactResponse =
  | {
      readonly kind: "body";
      readonly body: ByteSource;
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
    if (continues(rest.response, request)) return toBody(rest.response, 0);
    // RFC 9110 14.2: a server may ignore the range and send everything.
    if (rest.response.status === 200) return toBody(rest.response, request.from);
    if (rest.response.status !== 206 && rest.response.status !== 416) return toError(rest.response);
    // The server cannot resume here, so the whole artifact is requested.
    rest.response.body?.cancel().catch(() => {});
  }
  // The signed size is not that of a compressed response. (For a range, `fetch` sets this itself.)
  const whole = await send(request, { "Accept-Encoding": "identity" });
  if (whole.kind !== "response") return whole;
  return whole.response.status === 200
    ? toBody(whole.response, request.from)
    : toError(whole.response);
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

/** Whether the response starts exactly at `from`. It may end early. */
function continues(response: Response, { from, size }: ArtifactRequest): boolean {
  const range = parseContentRange(response.headers.get("Content-Range"));
  return (
    response.status === 206 &&
    range?.first === from &&
    range.last < size &&
    (range.total ?? size) === size
  );
}

function toBody(response: Response, repeatedBytes: number): ArtifactResponse {
  const etag = response.headers.get("ETag");
  return {
    kind: "body",
    body: response.body ?? new Blob().stream(),
    etag: isStrongEtag(etag) ? etag : null,
    repeatedBytes,
  };
}

function toError(response: Response): DownloadError {
  return response.status === 206
    ? { kind: "wrong-range", contentRange: response.headers.get("Content-Range") }
    : { kind: "http-status", status: response.status };
}
