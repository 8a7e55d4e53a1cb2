/** How a download can end, and what the app hears on the way. */

export interface DownloadProgress {
  /** In the sink, those of an earlier attempt included. Never falls. */
  readonly receivedBytes: number;
  readonly totalBytes: number;
  /** Keep it beside the partial file, for `partial.etag` of a later attempt. */
  readonly etag: string | null;
}

export type DownloadResult = DownloadComplete | DownloadIncomplete;

/** Size and SHA-256 are those of the signed manifest, and the sink is closed. */
export interface DownloadComplete {
  readonly kind: "complete";
  readonly size: number;
  readonly sha256: string;
}

export interface DownloadIncomplete extends DownloadProgress {
  readonly kind: "incomplete";
  readonly problem: DownloadError;
  /** False: discard what the sink has, it is not a beginning of the artifact. */
  readonly resumable: boolean;
}

export type DownloadError =
  | { readonly kind: "unreachable"; readonly cause: unknown }
  | { readonly kind: "connection-lost"; readonly cause: unknown }
  | { readonly kind: "stalled"; readonly stallTimeoutMs: number }
  | { readonly kind: "cancelled" }
  /** The artifact's address, or the one it redirected to, is not https. */
  | { readonly kind: "insecure-address" }
  | { readonly kind: "http-status"; readonly status: number }
  /** A part came although the whole was asked for. */
  | { readonly kind: "wrong-range"; readonly contentRange: string | null }
  /** The body ended early. */
  | { readonly kind: "truncated" }
  /** There is more than the signed size. */
  | { readonly kind: "too-large" }
  | { readonly kind: "digest-mismatch"; readonly expected: string; readonly found: string }
  /** The partial file cannot be read, or is longer than the artifact. */
  | { readonly kind: "partial-unusable"; readonly cause: unknown }
  | { readonly kind: "sink-failed"; readonly cause: unknown };

const SPOILED: ReadonlySet<DownloadError["kind"]> = new Set([
  "too-large",
  "digest-mismatch",
  "partial-unusable",
  "sink-failed",
]);

export function isResumable(problem: DownloadError): boolean {
  return !SPOILED.has(problem.kind);
}
