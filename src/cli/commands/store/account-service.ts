import type { Database } from "../../../database/database.ts";
import type { KeyAdoption, Keyed } from "../../../identity/bind-instance-key.ts";
import type { StoreAccess, StoreOwner } from "../../../database/store-kind.ts";
import {
  CommandError,
  type Line,
  type OptionSpecs,
  type OptionValues,
  type PromptContext,
  type StoreContext,
} from "../../command.ts";
import { passwordError } from "../../secret-input.ts";
import type { IssuedAccountLink } from "../../../identity/account-links.ts";
import type {
  ChangedPassword,
  CreatedAccount,
  RealmAdministration,
} from "../../../identity/account/account-administration.ts";

export interface AccountAdministration extends Pick<
  RealmAdministration,
  "listLinks" | "revokeLinks"
> {
  readonly store: Keyed<{ readonly database: Database }>;
  readonly settings: { readonly baseUrl: string };
}

/** What the account commands need to know about a service. `A` is its administration. */
export interface AccountService<A extends AccountAdministration = AccountAdministration> {
  readonly name: StoreOwner;
  withAdministration<T>(
    context: StoreContext,
    access: StoreAccess,
    work: (administration: A) => Promise<T>,
    adoption?: KeyAdoption,
  ): Promise<T>;
  /** The options that name one of several accounts. */
  readonly nameOptions: OptionSpecs;
  /** The present name of the account, which must exist. */
  findName(administration: A, options: OptionValues): Promise<string>;
  readonly create: {
    /** The sentences that follow the description which all services share. */
    readonly note: string;
    readonly example: string;
    readonly options: OptionSpecs;
    run(
      administration: A,
      username: string,
      password: string,
      options: OptionValues,
    ): Promise<{ readonly message: string; readonly json: object }>;
    /** Invites the person of the account; absent where a command of its own does so. */
    invite?(administration: A, username: string | null): Promise<IssuedAccountLink>;
  };
  readonly password: {
    readonly note: string;
    readonly options: OptionSpecs;
    /** What a new password signs out: its noun, and its member of the JSON result. */
    readonly signedOut: { readonly noun: string; readonly member: string };
    /** May ask what else the new password ends, before anything is changed. */
    run(
      administration: A,
      password: string,
      keepsPasskeys: boolean,
      context: PromptContext,
    ): Promise<PasswordChange>;
  };
  readonly resetLink: {
    /** A sentence that says what the use of the link signs out. */
    readonly note: string;
    readonly example: string;
    readonly options: OptionSpecs;
    /** May ask what else the link ends, before it is made. */
    run(administration: A, context: PromptContext): Promise<ResetLink>;
  };
  readonly rename: {
    readonly example: string;
    /** A sentence that says who stays signed in. */
    readonly note: string;
  };
}

export interface ResetLink {
  readonly link: IssuedAccountLink;
  /** What the use of the link does, after "Using it". */
  readonly ends: string;
}

export interface PasswordChange {
  readonly username: string;
  readonly signedOut: number;
  readonly removedPasskeys: number;
  /** What else happened, or did not. */
  readonly further?: { readonly message: Line; readonly json: object };
}

type AccountError =
  | Exclude<CreatedAccount | ChangedPassword, { readonly kind: "done" }>
  | { readonly kind: "unknown-time-zone" };

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
    "The username is not valid: it needs 1 to 128 characters, no control or invisible characters, and no space at its ends",
  );
}

export const LINK_DESCRIPTION =
  "Prints a one-time link. While attackers guess a password, a browser that has never signed in must wait, even with the right password. The person opens the link in the browser of the new device and presses a button: that browser no longer has to wait. It still needs the password, because the link alone gives no access. The link works once, for ten minutes.";
