/** What the pages tell the scripts that prove a password to the service itself. */
import type { SignInData } from "../login/login-data.ts";

export interface SessionData extends SignInData {
  readonly endpoint: string;
  readonly csrf: string;
}
