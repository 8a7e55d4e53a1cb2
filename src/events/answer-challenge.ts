/** The first answer of a password proof. */
import type { ProofChallenge } from "../contract/events/schemas.ts";
import { jsonResponse, type HttpResponse } from "../http/response.ts";
import type { HttpError } from "../http/http-error.ts";
import type { BeginResult } from "../identity/sign-in.ts";

export function answerChallenge(outcome: BeginResult): HttpResponse | HttpError {
  if (outcome.kind === "throttled") return { ...outcome, kind: "rate-limited" };
  const { expiresAt, ...challenge } = outcome.challenge;
  const answer: ProofChallenge = { ...challenge, expiresAt: new Date(expiresAt).toISOString() };
  return jsonResponse(200, JSON.stringify(answer));
}
