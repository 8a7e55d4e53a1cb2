/** The words for what went wrong at a sign-in, and what support needs when the words are not enough. */
import type { LoginMessages } from "./login-data.ts";
import type { LoginProblem } from "./run-login.ts";

export function describeProblem(
  messages: LoginMessages,
  problem: LoginProblem,
): readonly [message: string, detail?: string] {
  switch (problem.kind) {
    case "refused":
      return [messages.wrong];
    case "throttled":
      return [messages.throttled];
    case "expired":
      return [messages.expired];
    case "outdated":
      return [messages.outdated];
    case "offline":
      return [messages.offline];
    case "forged":
      return [messages.forged];
    case "weakened":
      return [messages.weakened];
    case "unanswered":
      return [messages.unanswered, problem.reference];
  }
}
