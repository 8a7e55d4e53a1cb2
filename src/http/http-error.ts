/** The errors of the kit, and the codes by which a service reports them. */
import type { BodyError } from "./read-body.ts";
import type { ParameterError } from "./read-input.ts";

export type HttpError =
  | { readonly kind: "target-too-long" }
  | { readonly kind: "malformed-target" }
  | { readonly kind: "unknown-path" }
  | { readonly kind: "method-not-allowed"; readonly allow: readonly string[] }
  | { readonly kind: "rate-limited"; readonly retryAfterSeconds: number }
  | { readonly kind: "malformed-request"; readonly status: 400 | 408 | 431 }
  | { readonly kind: "unexpected" }
  | {
      readonly kind: "unavailable";
      readonly retryAfterSeconds: number;
      /** The operator wants it so, which pages explain. */
      readonly isSuspended?: true;
    }
  | { readonly kind: "origin-denied" }
  | { readonly kind: "unauthenticated" }
  | { readonly kind: "invalid-body"; readonly code: string }
  | ParameterError
  | BodyError;

/** The response while the store cannot be used; a lost connection or a lock is often back soon. */
export const STORAGE_UNAVAILABLE: HttpError = { kind: "unavailable", retryAfterSeconds: 5 };

export interface ErrorTable<Code extends string> {
  readonly errors: Readonly<Record<Code, { readonly status: number }>>;
  /** The code of each error, and its status where that is not the code's own. */
  readonly codes: Readonly<
    Record<
      // Routes declare the codes of their parameters and bodies.
      Exclude<HttpError["kind"], "invalid-parameter" | "invalid-body">,
      Code | { readonly code: Code; readonly status: number }
    >
  >;
}

export interface CodedError<Code extends string> {
  readonly code: Code;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

export function toCodedError<Code extends string>(
  error: HttpError,
  { errors, codes }: ErrorTable<Code>,
): CodedError<Code> {
  const entry = "code" in error ? (error.code as Code) : codes[error.kind];
  const { code, status } =
    typeof entry === "string" ? { code: entry, status: errors[entry].status } : entry;
  return error.kind === "malformed-request"
    ? { code, status: error.status, headers: {} }
    : { code, status, headers: headersOf(error, status) };
}

/** The headers that RFC 9110 asks for with a status (11.6.1, 15.5.6) or suggests (10.2.3). */
function headersOf(error: HttpError, status: number): Record<string, string> {
  if (status === 405 && "allow" in error) return { Allow: error.allow.join(", ") };
  if (status === 401 && error.kind === "unauthenticated") return { "WWW-Authenticate": "Bearer" };
  if ((status === 429 || status === 503) && "retryAfterSeconds" in error) {
    return { "Retry-After": String(error.retryAfterSeconds) };
  }
  return {};
}
