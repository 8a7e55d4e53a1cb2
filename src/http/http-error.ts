/** Everything that can go wrong with a request, as values. */
import type { BodyError } from "./read-body.ts";
import type { ParameterError } from "./read-input.ts";

/** Everything that can go wrong before a handler answers. The service words each. */
export type HttpError =
  | { readonly kind: "target-too-long" }
  | { readonly kind: "malformed-target" }
  | { readonly kind: "unknown-path" }
  | { readonly kind: "method-not-allowed"; readonly allow: readonly string[] }
  | { readonly kind: "rate-limited"; readonly retryAfterSeconds: number }
  | { readonly kind: "malformed-request"; readonly status: 400 | 408 | 431 }
  | { readonly kind: "unexpected" }
  | { readonly kind: "unavailable"; readonly retryAfterSeconds: number }
  | { readonly kind: "origin-denied" }
  | { readonly kind: "unauthenticated" }
  | { readonly kind: "invalid-body"; readonly code: string }
  | ParameterError
  | BodyError;
