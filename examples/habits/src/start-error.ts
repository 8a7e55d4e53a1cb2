/** Why the app cannot start, as far as a person can do something about it. */
import { PlatformError, type PlatformErrorReason } from "trellis/client";

export type StartErrorKind = PlatformErrorReason | LoadErrorKind | "unexpected";

type LoadErrorKind = "unreachable" | "no-config";

/** The app's own server did not send what the app needs. */
export class LoadError extends Error {
  readonly kind: LoadErrorKind;

  constructor(kind: LoadErrorKind, cause: unknown) {
    super(kind, { cause });
    this.kind = kind;
  }
}

export function kindOfStartError(error: unknown): StartErrorKind {
  if (error instanceof PlatformError) return error.reason;
  return error instanceof LoadError ? error.kind : "unexpected";
}

/** What the platform says itself, for the person who is asked about it; null when it says nothing more. */
export function describeCause(error: unknown): string | null {
  if (!(error instanceof Error)) return String(error);
  if (error.cause !== undefined) return describeCause(error.cause);
  return error instanceof PlatformError ? null : `${error.name}: ${error.message}`;
}
