/** The two requests of a sign-in. The password is in neither. */
import { createTimer } from "./request-timer.ts";
import type { PasswordChallenge } from "../../rules/identity/auth-message.ts";
import type { ProofOutcome } from "../../rules/identity/prove-password.ts";
import type { LoginData } from "./login-data.ts";

export type RequestProblem =
  | { readonly kind: "throttled"; readonly seconds: number }
  | { readonly kind: "refused" }
  | { readonly kind: "offline" }
  /** Anything the page cannot make sense of, with what a person can tell who runs the server. */
  | { readonly kind: "unanswered"; readonly reference: string };

export interface TimedChallenge extends PasswordChallenge {
  /** By the clock of this device. */
  readonly endsAt: number;
}

export interface Completion {
  readonly code: string;
  readonly serverSignature: string;
}

export async function beginLogin(
  { endpoint, csrfHeader, attempt }: LoginData,
  username: string,
): Promise<TimedChallenge | RequestProblem> {
  const body = { action: "begin", csrf: attempt.state, attempt: { username, ...attempt } };
  const answer = await post(endpoint, csrfHeader, attempt.state, body);
  if ("kind" in answer) return answer;
  const { challengeId, salt, iterations, serverNonce, expiresAt } = answer.body;
  if (
    typeof challengeId !== "string" ||
    typeof salt !== "string" ||
    typeof iterations !== "number" ||
    typeof serverNonce !== "string" ||
    typeof expiresAt !== "string"
  ) {
    return { kind: "unanswered", reference: answer.reference };
  }
  // Only the time left counts: this device's clock may be wrong, and so may the server's.
  const endsAt = Date.now() + (Date.parse(expiresAt) - answer.serverTime);
  return { challengeId, salt, iterations, serverNonce, endsAt };
}

export async function completeLogin(
  { endpoint, csrfHeader, attempt }: LoginData,
  challengeId: string,
  { clientNonce, proof }: Extract<ProofOutcome, { kind: "proved" }>,
): Promise<Completion | RequestProblem> {
  const body = { action: "complete", csrf: attempt.state, challengeId, clientNonce, proof };
  const answer = await post(endpoint, csrfHeader, attempt.state, body);
  if ("kind" in answer) return answer;
  const { code, serverSignature } = answer.body;
  if (typeof code !== "string" || typeof serverSignature !== "string") {
    return { kind: "unanswered", reference: answer.reference };
  }
  return { code, serverSignature };
}

interface Answer {
  readonly body: Readonly<Record<string, unknown>>;
  readonly reference: string;
  readonly serverTime: number;
}

const TIMEOUT_MS = 30_000;
const LONGEST_WAIT_SECONDS = 3600;

async function post(
  endpoint: string,
  csrfHeader: string,
  csrf: string,
  body: object,
): Promise<Answer | RequestProblem> {
  const timer = createTimer(TIMEOUT_MS);
  try {
    const response = await fetch(endpoint, {
      method: "POST",
      headers: { "Content-Type": "application/json", [csrfHeader]: csrf },
      body: JSON.stringify(body),
      cache: "no-store",
      credentials: "omit",
      redirect: "error",
      signal: timer.signal,
    });
    return await readAnswer(response);
  } catch {
    return { kind: "offline" };
  } finally {
    timer.stop();
  }
}

async function readAnswer(response: Response): Promise<Answer | RequestProblem> {
  const reference = `${response.status} · ${response.headers.get("X-Request-Id") ?? "-"}`;
  if (response.status === 401) return { kind: "refused" };
  if (response.status === 429) {
    const seconds = Number(response.headers.get("Retry-After"));
    const known = Number.isInteger(seconds) && seconds > 0;
    return { kind: "throttled", seconds: known ? Math.min(seconds, LONGEST_WAIT_SECONDS) : 15 };
  }
  const body = await readObject(response);
  if (!response.ok || body === null) return { kind: "unanswered", reference };
  const date = Date.parse(response.headers.get("Date") ?? "");
  return { body, reference, serverTime: Number.isNaN(date) ? Date.now() : date };
}

async function readObject(response: Response): Promise<Readonly<Record<string, unknown>> | null> {
  const text = await response.text();
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" ? (value as Readonly<Record<string, unknown>> | null) : null;
  } catch {
    return null;
  }
}
