/** Whether a token request says everything that is needed to redeem a code (RFC 6749 4.1.3). */
import type { RegisteredClient } from "./check-authorization.ts";
import {
  checkBasic,
  checkClientKnown,
  checkGiven,
  checkGivenOnce,
  checkMediaType,
  checkQuery,
  checkReadable,
  checkSize,
  refuse,
  runFormChecks,
  type FormCheck,
  type FormError,
  type FormRequest,
  type FormSubject,
} from "./form-request.ts";

export type TokenRequestResult =
  | {
      readonly kind: "accepted";
      readonly clientId: string;
      readonly code: string;
      readonly redirectUri: string;
      /** In whatever form it came: a wrong one burns the code, as any other wrong one does. */
      readonly codeVerifier: string;
    }
  | FormError;

/** In this order; the first fault is the answer. The code itself is judged after all of them. */
export const TOKEN_CHECKS: readonly FormCheck[] = [
  checkMediaType,
  checkSize,
  checkReadable,
  checkGivenOnce,
  checkQuery,
  checkBasic,
  checkGiven("grant_type"),
  checkGrantTypeSupported,
  checkGiven("client_id"),
  checkGiven("code"),
  checkGiven("redirect_uri"),
  checkGiven("code_verifier"),
  checkClientKnown,
];

export function checkTokenRequest(
  request: FormRequest,
  clients: readonly RegisteredClient[],
): TokenRequestResult {
  const outcome = runFormChecks(TOKEN_CHECKS, request, clients);
  if (outcome.kind === "refused") return outcome;
  const read = (name: string) => outcome.parameters.values.get(name) ?? "";
  return {
    kind: "accepted",
    clientId: read("client_id"),
    code: read("code"),
    redirectUri: read("redirect_uri"),
    codeVerifier: read("code_verifier"),
  };
}

function checkGrantTypeSupported({ parameters }: FormSubject): FormError | null {
  return parameters.values.get("grant_type") === "authorization_code"
    ? null
    : refuse("unsupported_grant_type");
}
