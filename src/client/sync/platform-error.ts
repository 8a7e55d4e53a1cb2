/** What the client cannot do without; the app says which it is, in its own words. */
export type PlatformErrorReason =
  /** Browsers have WebCrypto only on pages of https and of localhost. */
  | "webcrypto-missing"
  /** There is no IndexedDB. */
  | "storage-missing"
  /** Site data is blocked for this page, or the window is private. */
  | "storage-denied"
  /** The database cannot be opened, such as for want of space. */
  | "storage-failed";

/** The platform lacks what the client needs. The message is for the person who meets it. */
export class PlatformError extends Error {
  readonly reason: PlatformErrorReason;

  constructor(reason: PlatformErrorReason, cause?: unknown) {
    super(MESSAGES[reason], { cause });
    this.reason = reason;
  }
}

const MESSAGES: Readonly<Record<PlatformErrorReason, string>> = {
  "webcrypto-missing": "WebCrypto is missing: open the page over https or from localhost",
  "storage-missing": "IndexedDB is missing: update the browser; on Node use createSqliteStorage",
  "storage-denied":
    "The browser lets this page store nothing: allow site data, or leave the private window",
  "storage-failed":
    "The browser cannot open its storage: free some space, then load the page again",
};

/** Of a page that may not store, in the browsers that say so when the database is opened. */
const DENIALS: ReadonlySet<string> = new Set([
  "SecurityError",
  "NotAllowedError",
  "InvalidStateError",
]);

export function toPlatformError(cause: unknown): PlatformError {
  const name = (cause as { name?: string } | null)?.name ?? "";
  return new PlatformError(DENIALS.has(name) ? "storage-denied" : "storage-failed", cause);
}
