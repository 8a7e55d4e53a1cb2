/** How far a download is, for a progress bar. */
export interface DownloadProgress {
  /** The number of bytes written to the sink, those of an earlier attempt included. Never decreases. */
  readonly receivedBytes: number;
  /** The signed size of the file. */
  readonly totalBytes: number;
  /** The app stores it with the partial file, for `partial.etag` of a later attempt. Null: it cannot be resumed. */
  readonly etag: string | null;
}

/** What a download came to: a file with the signed digest and size, or the reason why there is none. */
export type DownloadResult = DownloadComplete | DownloadIncomplete;

/** Size and SHA-256 equal those of the signed manifest, and the sink is closed. */
export interface DownloadComplete {
  /** Tells it from an incomplete download. */
  readonly kind: "complete";
  /** The number of bytes, as signed. */
  readonly size: number;
  /** The digest, as signed. */
  readonly sha256: string;
}

/** A download that ended early. When it is `resumable`, pass it on as `partial` of the next attempt. */
export interface DownloadIncomplete extends DownloadProgress {
  /** Tells it from a complete download. */
  readonly kind: "incomplete";
  /** Why the download ended. */
  readonly error: DownloadError;
  /** False: discard the written bytes, which are not known to be a prefix of the artifact. */
  readonly resumable: boolean;
}

/** Why a download did not complete. */
export type DownloadError =
  | { readonly kind: "unreachable"; readonly cause: unknown }
  | { readonly kind: "connection-lost"; readonly cause: unknown }
  | { readonly kind: "stalled"; readonly stallTimeoutMs: number }
  | { readonly kind: "cancelled" }
  /** The artifact's address, or the one it redirected to, is not https. */
  | { readonly kind: "insecure-address" }
  | { readonly kind: "http-status"; readonly status: number }
  /** A page, such as the sign-in of a network, in the place of the artifact. None of it was written. */
  | { readonly kind: "not-the-file"; readonly contentType: string }
  /** A partial response to a request for the whole artifact. */
  | { readonly kind: "wrong-range"; readonly contentRange: string | null }
  /** The body ended early. */
  | { readonly kind: "truncated" }
  /** The body is longer than the signed size. */
  | { readonly kind: "too-large" }
  | { readonly kind: "digest-mismatch"; readonly expected: string; readonly found: string }
  /** The partial file cannot be read, has no strong ETag, or is longer than the artifact. */
  | { readonly kind: "partial-unusable"; readonly cause: unknown }
  | { readonly kind: "sink-failed"; readonly cause: unknown };

const NOT_RESUMABLE: ReadonlySet<DownloadError["kind"]> = new Set([
  "too-large",
  "digest-mismatch",
  "partial-unusable",
  "sink-failed",
]);

export function isResumable(
  error: DownloadError,
  { receivedBytes, etag }: Pick<DownloadProgress, "receivedBytes" | "etag">,
): boolean {
  return !NOT_RESUMABLE.has(error.kind) && (receivedBytes === 0 || etag !== null);
}
