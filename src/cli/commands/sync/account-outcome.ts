/** What became of an account, or the command's failure. */
import type { AccountResult } from "../../../sync/administration.ts";
import { passwordError, usernameError } from "../../account-faults.ts";
import { CommandError } from "../../command.ts";

type DoneResult = Extract<AccountResult, { kind: "done" }>;

export function expectDone(outcome: AccountResult): DoneResult {
  switch (outcome.kind) {
    case "done":
      return outcome;
    case "password-refused":
      throw passwordError(outcome.error);
    case "invalid-username":
      throw usernameError();
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
