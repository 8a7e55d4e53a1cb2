/** What the browser brought back from a login (RFC 6749 4.1.2, RFC 9207 2.4). */
import { isSameText } from "./same-text.ts";

/** The members of an address's query, in order, decoded. */
export type Parameters = readonly (readonly [name: string, value: string])[];

export interface ExpectedCallback {
  readonly state: string;
  /** Whether this text names the service that was asked. */
  readonly isIssuer: (text: string) => boolean;
  readonly issuerRequired: boolean;
}

export type CallbackError =
  /** Missing, repeated, or not the one that was sent: some other login, or an attack. */
  | { readonly kind: "state-mismatch" }
  /** Another service answered than the one that was asked. */
  | { readonly kind: "wrong-service" }
  | { readonly kind: "login-refused"; readonly error: LoginError }
  | { readonly kind: "missing-code" };

/** RFC 6749 4.1.2.1; a word that is not among them is `other`. */
const LOGIN_ERRORS = [
  "access_denied",
  "invalid_request",
  "invalid_scope",
  "server_error",
  "temporarily_unavailable",
  "unauthorized_client",
  "unsupported_response_type",
] as const;
export type LoginError = (typeof LOGIN_ERRORS)[number] | "other";

/** The state is checked before anything else is believed. */
export function readCallback(
  parameters: Parameters,
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
    const error = LOGIN_ERRORS.find((known) => known === given) ?? "other";
    return { kind: "login-refused", error };
  }
  const code = readOne(parameters, "code");
  return code === null ? { kind: "missing-code" } : { kind: "code", code };
}

/** RFC 6749 3.1: an empty parameter is an absent one, a repeated one is nothing to rely on. */
function readOne(parameters: Parameters, wanted: string): string | null {
  const [first, second] = parameters.filter(([name]) => name === wanted);
  return first === undefined || second !== undefined || first[1] === "" ? null : first[1];
}
