/** What became of an account, or the command's failure. */
import type { AccountOutcome } from "../../../sync/administration.ts";
import {
  MAX_PASSWORD_CHARACTERS,
  MIN_PASSWORD_CHARACTERS,
  type PasswordFault,
} from "../../../rules/identity/grammar.ts";
import { CommandError } from "../../command.ts";

type DoneOutcome = Extract<AccountOutcome, { kind: "done" }>;

export function expectDone(outcome: AccountOutcome): DoneOutcome {
  switch (outcome.kind) {
    case "done":
      return outcome;
    case "password-refused":
      throw passwordError(outcome.fault);
    case "invalid-username":
      throw new CommandError(
        "The name cannot be used: it needs 1 to 128 characters and no control characters",
      );
    case "account-exists":
      throw new CommandError(
        "There is an account already, and an instance has one: change its password with `trellis sync account password`",
      );
    case "no-account":
      throw new CommandError(
        "There is no account yet: make it with `trellis sync account create --username NAME`",
      );
  }
}

export function passwordError(fault: PasswordFault, what = "password"): CommandError {
  switch (fault) {
    case "too-short":
      return new CommandError(
        `The ${what} is too short: it needs at least ${MIN_PASSWORD_CHARACTERS} characters`,
      );
    case "too-long":
      return new CommandError(
        `The ${what} is too long: it may have ${MAX_PASSWORD_CHARACTERS} characters`,
      );
    case "not-text":
      return new CommandError(`The ${what} is not text that every device can write`);
  }
}
