import type { AccountResult } from "../../../events/administration.ts";
import type { KeyAdoption } from "../../../identity/bind-instance-key.ts";
import type { RenameResult } from "../../../identity/rename-account.ts";
import {
  CommandError,
  flag,
  type OptionSpecs,
  type OptionValues,
  type StoreContext,
} from "../../command.ts";
import { passwordError } from "../../secret-input.ts";

/** What the account commands need to know about a service. */
export interface AccountService {
  readonly create: {
    /** Appended to the description that all services share. */
    readonly note: string;
    readonly example: string;
    readonly options: OptionSpecs;
    run(
      context: AccountContext,
      username: string,
      password: string,
    ): Promise<{ readonly message: string; readonly json: object }>;
  };
  readonly password: {
    readonly note: string;
    readonly options: OptionSpecs;
    /** What a new password signs out: its noun, and its member of the JSON result. */
    readonly signedOut: { readonly noun: string; readonly member: string };
    run(
      context: AccountContext,
      password: string,
    ): Promise<{ readonly username: string; readonly signedOut: number }>;
  };
}

/** What renaming an account needs to know about a service. */
export interface RenameService {
  readonly example: string;
  /** Who stays signed in. */
  readonly note: string;
  readonly options: OptionSpecs;
  /** The present name, which must exist. */
  findName(context: AccountContext): Promise<string>;
  rename(context: AccountContext, before: string, after: string): Promise<RenameResult>;
}

export const NEW_KEY_OPTION = {
  "new-instance-key": flag(
    "The store's instance key is lost: use the one at instanceKeyFile from now on, or make it",
  ),
};

/** `otherwise` without the option. */
export function adoptionOf({ options }: AccountContext, otherwise: KeyAdoption): KeyAdoption {
  return options["new-instance-key"] === true ? "any-store" : otherwise;
}

export interface AccountContext extends StoreContext {
  readonly options: OptionValues;
}

/** Those of sync are among them. */
type AccountError = Exclude<AccountResult, { readonly kind: "done" }>;

/** Returns the successful result or fails the command. */
export function expectAccountDone<R extends { readonly kind: "done" } | AccountError>(
  result: R,
  messages: { readonly exists: string; readonly missing: string },
): Extract<R, { readonly kind: "done" }> {
  if (result.kind === "done") return result as Extract<R, { readonly kind: "done" }>;
  throw toCommandError(result, messages);
}

function toCommandError(
  error: AccountError,
  { exists, missing }: { readonly exists: string; readonly missing: string },
): CommandError {
  switch (error.kind) {
    case "password-refused":
      return passwordError(error.error);
    case "invalid-username":
      return invalidUsername();
    case "unknown-time-zone":
      return new CommandError(
        "The time zone is not known: give an IANA name such as Europe/Berlin or UTC",
      );
    case "account-exists":
      return new CommandError(exists);
    case "no-account":
      return new CommandError(missing);
  }
}

export function invalidUsername(): CommandError {
  return new CommandError(
    "The username is not valid: it needs 1 to 128 characters and no control characters",
  );
}
