/** Why a name or a password cannot be used, as the command's failure. */
import {
  MAX_PASSWORD_CHARACTERS,
  MIN_PASSWORD_CHARACTERS,
  type PasswordError,
} from "../rules/identity/grammar.ts";
import { CommandError } from "./command.ts";

export function usernameError(): CommandError {
  return new CommandError(
    "The name cannot be used: it needs 1 to 128 characters and no control characters",
  );
}

export function passwordError(fault: PasswordError, what = "password"): CommandError {
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
