/** What the settings tell the script that changes the password. */
import type { PasswordError } from "../../../rules/identity/grammar.ts";
import type { LoginMessages } from "../../login/login-data.ts";
import type { SessionData } from "../session-data.ts";

export interface PasswordMessages extends LoginMessages {
  readonly freshMissing: string;
  readonly tooShort: string;
  readonly tooLong: string;
  readonly notText: string;
  readonly same: string;
}

export interface PasswordData extends SessionData {
  readonly username: string;
  readonly messages: PasswordMessages;
}

export function describePasswordError(messages: PasswordMessages, fault: PasswordError): string {
  switch (fault) {
    case "too-short":
      return messages.tooShort;
    case "too-long":
      return messages.tooLong;
    case "not-text":
      return messages.notText;
  }
}
