/** The errors of the kit, and the codes by which a service reports them. */
import type { Strictness, StrictnessReason } from "../contract/strictness.ts";
import type { BodyError, UnexpectedBody } from "./read-body.ts";
import type { ParameterError } from "./read-input.ts";

export type HttpError =
  | { readonly kind: "target-too-long" }
  | { readonly kind: "malformed-target" }
  | { readonly kind: "unknown-path" }
  | { readonly kind: "method-not-allowed"; readonly allow: readonly string[] }
  | { readonly kind: "rate-limited"; readonly retryAfterSeconds: number }
  | { readonly kind: "malformed-request" }
  | { readonly kind: "unroutable" }
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
  /** The handler found no resource, or cannot serve it; the route declares the code. */
  | { readonly kind: "no-resource"; readonly code: string }
  | ParameterError
  | BodyError
  | UnexpectedBody;

/** The response while the store cannot be used; a lost connection or a lock is often back soon. */
export const STORAGE_UNAVAILABLE: HttpError = { kind: "unavailable", retryAfterSeconds: 5 };

export interface CodedError<Code extends string> {
  readonly code: Code;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** The table of the contract has a row for every error but those whose codes the routes declare. */
export function toCodedError<Code extends string>(
  error: HttpError,
  strictness: Strictness<Code>,
): CodedError<Code> {
  const { code, status } =
    "code" in error
      ? { code: error.code as Code, status: strictness.errors[error.code as Code].status }
      : strictness.errorOf(error.kind satisfies StrictnessReason);
  return { code, status, headers: headersOf(error, status) };
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
