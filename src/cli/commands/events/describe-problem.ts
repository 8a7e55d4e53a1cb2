/** Why a subscription was refused, as the command's failure. */
import type { SubscriptionProblem } from "../../../events/pages.ts";
import { MAX_SUBSCRIPTIONS } from "../../../events/subscriptions/subscriptions.ts";
import { CommandError } from "../../command.ts";
import { describeErrorCode } from "./describe-import.ts";

export function subscriptionErrorToCliError(problem: SubscriptionProblem): CommandError {
  const details = problem.kind === "fetch-failed" ? { fault: problem.fault } : {};
  return new CommandError(describe(problem), { problem: problem.kind, ...details });
}

function describe(problem: SubscriptionProblem): string {
  switch (problem.kind) {
    case "url-invalid":
      return describeErrorCode("url-invalid");
    case "name-too-long":
      return "The name is too long: it may have 100 characters";
    case "type-invalid":
      return "The type is too long";
    case "already-subscribed":
      return "The account has this calendar already: see `trellis events subscriptions list`";
    case "too-many":
      return `The account has ${MAX_SUBSCRIPTIONS} subscriptions, and may not have more`;
    case "not-found":
      return "There is no such subscription: see `trellis events subscriptions list`";
    case "too-soon":
      return "Too many calendars were tried for this account: wait ten minutes, then try again";
    case "rules-invalid":
      return `The rules cannot be read at rule ${problem.line}: expected lines such as \`exam: Klausur, Prüfung\``;
    case "fetch-failed":
      return `The calendar cannot be read: ${describeErrorCode(problem.fault)}`;
  }
}
