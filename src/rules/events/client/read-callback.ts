/** The authorization response that the browser brings back (RFC 6749 4.1.2, RFC 9207 2.4). */
import { isSameText } from "../../same-text.ts";

/** The decoded query parameters, in order. */
export type QueryParameters = readonly (readonly [name: string, value: string])[];

export interface ExpectedCallback {
  readonly state: string;
  /** Whether this is the issuer that the login began at. */
  readonly isIssuer: (text: string) => boolean;
  readonly issuerRequired: boolean;
}

/** Why the address that the browser returned to completes no login. */
export type CallbackError =
  /** The state is missing, repeated, or of another login: possibly an attack. */
  | { readonly kind: "state-mismatch" }
  /** Another service responded than the one that the login began at. */
  | { readonly kind: "wrong-service" }
  | { readonly kind: "login-refused"; readonly code: CallbackErrorCode }
  | { readonly kind: "missing-code" };

/** RFC 6749 4.1.2.1; any other code is read as `other`. */
const ERROR_CODES = [
  "access_denied",
  "invalid_request",
  "invalid_scope",
  "server_error",
  "temporarily_unavailable",
  "unauthorized_client",
  "unsupported_response_type",
] as const;
/**
 * The OAuth error code with which the service refused a login; `access_denied` means that the person
 * declined.
 */
export type CallbackErrorCode = (typeof ERROR_CODES)[number] | "other";

/** Checks the state before any other parameter. */
export function readCallback(
  parameters: QueryParameters,
  expected: ExpectedCallback,
): { readonly kind: "code"; readonly code: string } | CallbackError {
  const state = readOne(parameters, "state");
  if (state === null || !isSameText(state, expected.state)) return { kind: "state-mismatch" };
  const hasIssuer = parameters.some(([name]) => name === "iss");
  if (hasIssuer || expected.issuerRequired) {
    const issuer = readOne(parameters, "iss");
    if (issuer === null || !expected.isIssuer(issuer)) return { kind: "wrong-service" };
  }
  if (parameters.some(([name]) => name === "error")) {
    const given = readOne(parameters, "error");
    const code = ERROR_CODES.find((known) => known === given) ?? "other";
    return { kind: "login-refused", code };
  }
  const code = readOne(parameters, "code");
  return code === null ? { kind: "missing-code" } : { kind: "code", code };
}

/** RFC 6749 3.1: an empty parameter counts as absent, and none may be repeated. */
function readOne(parameters: QueryParameters, wanted: string): string | null {
  const [first, second] = parameters.filter(([name]) => name === wanted);
  return first === undefined || second !== undefined || first[1] === "" ? null : first[1];
}
