/** Whether a revocation request names a token and a client (RFC 7009 2.1). */
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
  runFormChecks,
  type FormCheck,
  type FormError,
  type FormRequest,
} from "./form-request.ts";

export type RevocationRequestResult =
  | { readonly kind: "accepted"; readonly clientId: string; readonly token: string }
  | FormError;

/** In this order; the first fault is the answer. A hint is of no use here and ignored. */
export const REVOCATION_CHECKS: readonly FormCheck[] = [
  checkMediaType,
  checkSize,
  checkReadable,
  checkGivenOnce,
  checkQuery,
  checkBasic,
  checkGiven("token"),
  checkGiven("client_id"),
  checkClientKnown,
];

export function checkRevocationRequest(
  request: FormRequest,
  clients: readonly RegisteredClient[],
): RevocationRequestResult {
  const outcome = runFormChecks(REVOCATION_CHECKS, request, clients);
  if (outcome.kind === "refused") return outcome;
  const read = (name: string) => outcome.parameters.values.get(name) ?? "";
  return { kind: "accepted", clientId: read("client_id"), token: read("token") };
}
