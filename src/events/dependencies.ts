import type { EventsRateLimits } from "../contract/events/values.ts";
import type { RateLimiter } from "../http/rate-limit.ts";
import type { SharedRateLimiter } from "../http/shared-rate-limit.ts";
import type { StoredServiceNotice } from "../http/stored-service.ts";
import type { Accounts } from "../identity/accounts.ts";
import type { RandomBytes } from "../rules/web-crypto.ts";
import type { SecurityLog } from "../identity/security-log.ts";
import type { SignIn } from "../identity/sign-in.ts";
import type { RegisteredClient } from "../rules/events/wire/authorization.ts";
import type { CsrfGuard } from "../identity/csrf.ts";
import type { Grants } from "./oauth/grants.ts";
import type { Interactions } from "./oauth/interactions.ts";
import type { PageSessions } from "./page-session.ts";
import type { EventsPages } from "./pages.ts";
import type { EventsSessions } from "./sessions.ts";
import type { EventsRecords, EventsStore } from "./store.ts";
import type { EventSubscriptions } from "./subscriptions/subscriptions.ts";

export interface EventsDependencies {
  readonly store: EventsStore;
  readonly security: SecurityLog<EventsRecords>;
  /** The public origin, as in the metadata and in `iss`. */
  readonly issuer: string;
  readonly clients: readonly RegisteredClient[];
  /** Sign-ins have the limit of authorization requests, and are counted apart by `clientShares`. */
  readonly limiters: Readonly<Record<keyof EventsRateLimits, RateLimiter>> & {
    readonly signIn: SharedRateLimiter;
  };
  readonly csrf: CsrfGuard;
  readonly sessions: EventsSessions;
  readonly pageSessions: PageSessions;
  readonly interactions: Interactions;
  readonly grants: Grants;
  readonly accounts: Accounts;
  readonly signIn: SignIn;
  readonly subscriptions: EventSubscriptions;
  readonly pages: EventsPages;
  onNotice(notice: StoredServiceNotice): void;
  readonly randomBytes: RandomBytes;
  now(): number;
}
