/** The first answer of a password proof. */
import type { ProofChallenge } from "../contract/events/schemas.ts";
import { jsonAnswer, type Answer } from "../http/answer.ts";
import type { HttpProblem } from "../http/http-problem.ts";
import type { BeginOutcome } from "../identity/sign-in.ts";

export function answerChallenge(outcome: BeginOutcome): Answer | HttpProblem {
  if (outcome.kind === "throttled") return { ...outcome, kind: "rate-limited" };
  const { expiresAt, ...challenge } = outcome.challenge;
  const answer: ProofChallenge = { ...challenge, expiresAt: new Date(expiresAt).toISOString() };
  return jsonAnswer(200, JSON.stringify(answer));
}
