/** The two requests of a sign-in. The password is in neither. */
import type { PasswordChallenge } from "../../rules/identity/auth-message.ts";
import type { ProofResult } from "../../rules/identity/prove-password.ts";
import { unansweredBy, type JsonResponse, type RequestError } from "./post.ts";

export interface SignInExchange {
  begin(username: string): Promise<TimedChallenge | RequestError>;
  complete(challengeId: string, proof: PasswordProof): Promise<Completion | RequestError>;
}

export type PasswordProof = Extract<ProofResult, { kind: "proved" }>;

export interface TimedChallenge extends PasswordChallenge {
  /** By the clock of this device. */
  readonly endsAt: number;
}

export interface Completion {
  readonly serverSignature: string;
  /** Where the browser goes next. */
  readonly target: string;
}

export function readChallenge(answer: JsonResponse): TimedChallenge | RequestError {
  const { challengeId, salt, iterations, serverNonce, expiresAt } = answer.body;
  if (
    typeof challengeId !== "string" ||
    typeof salt !== "string" ||
    typeof iterations !== "number" ||
    typeof serverNonce !== "string" ||
    typeof expiresAt !== "string"
  ) {
    return unansweredBy(answer);
  }
  // Only the time left counts: this device's clock may be wrong, and so may the server's.
  const endsAt = Date.now() + (Date.parse(expiresAt) - answer.serverTime);
  return { challengeId, salt, iterations, serverNonce, endsAt };
}
