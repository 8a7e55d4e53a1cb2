/** Asks for an artifact from where an earlier attempt ended, and makes sense of what comes back. */
import { attempt } from "./attempt.ts";
import type { ByteSource } from "../transport/byte-source.ts";
import { parseContentRange } from "./content-range.ts";
import type { Deadline } from "../transport/deadline.ts";
import type { DownloadError } from "./download-outcome.ts";
import { isStrongEtag } from "./etag.ts";
import type { Fetch } from "../transport/exchange-text.ts";

export interface ArtifactRequest {
  readonly url: string;
  readonly size: number;
  /** How many bytes are there already. */
  readonly from: number;
  /** The strong ETag of the answer that those bytes came with. */
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
      /** How many bytes at its start are there already. */
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
    if (rest.response.status !== 206 && rest.response.status !== 416) return refuse(rest.response);
    // It cannot continue where we are, so it is asked once for the whole.
    rest.response.body?.cancel().catch(() => {});
  }
  // The size is the file's, not that of a compressed copy. (With a range, fetch says so itself.)
  const whole = await send(request, { "Accept-Encoding": "identity" });
  if (whole.kind !== "response") return whole;
  return whole.response.status === 200
    ? toBody(whole.response, request.from)
    : refuse(whole.response);
}

type Sent = { readonly kind: "response"; readonly response: Response } | DownloadError;

async function send(
  { url, fetch, deadline, stallTimeoutMs }: ArtifactRequest,
  headers: Readonly<Record<string, string>>,
): Promise<Sent> {
  const sent = await attempt(() =>
    deadline.during(() =>
      fetch(url, {
        headers,
        // File hosts redirect to their stores as a rule; size and digest judge what comes.
        redirect: "follow",
        credentials: "omit",
        referrerPolicy: "no-referrer",
        signal: deadline.signal,
      }),
    ),
  );
  if (sent.kind === "failed") {
    return interruption(deadline, stallTimeoutMs) ?? { kind: "unreachable", cause: sent.cause };
  }
  const response = sent.value;
  if (response.redirected && !isHttps(response.url)) return { kind: "insecure-address" };
  return { kind: "response", response };
}

/** What ended a wait, when it was our own clock or the caller. */
export function interruption(deadline: Deadline, stallTimeoutMs: number): DownloadError | null {
  const reason = deadline.reason();
  if (reason === "timeout") return { kind: "stalled", stallTimeoutMs };
  return reason === "cancelled" ? { kind: "cancelled" } : null;
}

export function isHttps(url: string): boolean {
  return url.startsWith("https://");
}

/** Whether the answer is the artifact from exactly where we are. It may end early. */
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

function refuse(response: Response): DownloadError {
  return response.status === 206
    ? { kind: "wrong-range", contentRange: response.headers.get("Content-Range") }
    : { kind: "http-status", status: response.status };
}
