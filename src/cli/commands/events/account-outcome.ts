/** What became of an account, or the command's failure. */
import type { AccountResult } from "../../../events/administration.ts";
import { passwordError, usernameError } from "../../account-faults.ts";
import { CommandError } from "../../command.ts";
import { failWithoutAccount } from "./open-store.ts";

type DoneResult = Extract<AccountResult, { kind: "done" }>;

export function expectDone(outcome: AccountResult, username: string): DoneResult {
  switch (outcome.kind) {
    case "done":
      return outcome;
    case "password-refused":
      throw passwordError(outcome.fault);
    case "invalid-username":
      throw usernameError();
    case "unknown-time-zone":
      throw new CommandError(
        "There is no such time zone: give an IANA name such as Europe/Berlin or UTC",
      );
    case "account-exists":
      throw new CommandError(
        `There is an account "${username}" already: change its password with \`trellis events account password\``,
      );
    case "no-account":
      return failWithoutAccount(username);
  }
}
