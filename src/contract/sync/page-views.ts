/** What the login page of the sync service shows. */
import type { Attempt } from "./schemas.ts";

export type LoginAttempt = Omit<Attempt, "username">;

export interface LoginErrorView {
  readonly status: number;
  readonly code: string;
  readonly requestId: string;
}
