/** What the login page of the sync service shows. */
import type { Attempt } from "./schemas.ts";

export type LoginAttempt = Omit<Attempt, "username">;

export interface LoginErrorView {
  readonly status: number;
  readonly code: string;
  /** Why, where the page has its own words for it. */
  readonly reason: "redirect-not-listed" | null;
  readonly requestId: string;
}
