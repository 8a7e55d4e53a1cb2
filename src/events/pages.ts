/**
 * What the service needs of its pages. They are made elsewhere and wired in: each is a function from
 * what is to be seen to an answer, with the headers a page needs.
 *
 * Forms post to the path of their page, url-encoded, with `csrf` and `action`; what else they carry
 * stands beside each view. Where a form was wrong, the same view comes back with `problem` and with
 * what the person typed.
 */
import type { HttpResponse } from "../http/response.ts";
import type { Grant, ManagedEvent, Subscription } from "./store.ts";

/** What the pages must know of their instance. */
export interface EventsPageSettings {
  readonly randomBytes: (length: number) => Uint8Array;
  readonly now: () => number;
}

export interface PageFrame {
  readonly language: "de" | "en";
  /** Path and query of this page without `lang`: the language switch adds it. */
  readonly address: string;
  /** Null before sign-in. Times are shown in the zone of the account. */
  readonly account: {
    readonly username: string;
    readonly csrf: string;
    readonly timeZone: string;
  } | null;
  readonly serviceName: string;
}

/**
 * The script posts JSON to `/sign-in`: `{action:"begin", csrf, username}` gives a challenge,
 * `{action:"complete", csrf, challengeId, clientNonce, proof}` gives `{serverSignature, next}`, where
 * `next` is the path to go to. The proof is over the attempt `{interaction}`.
 */
export interface SignInView {
  /** Names this sign-in; part of what is signed. */
  readonly interaction: string;
  readonly csrf: string;
  readonly purpose: string;
  /** The app that waits, or null when somebody came by themselves. */
  readonly appName: string | null;
}

/**
 * Actions `allow` and `deny`, with `interaction` and the `csrf` of the session. The answer is a 303
 * to the app; a script that sends `Accept: application/json` gets `{"redirectUri"}` with 200 instead,
 * so that it can stay on the page, show the way back, and go there. `/sign-out` with `interaction`
 * leads back here after the next sign-in.
 */
export interface ConsentView {
  readonly interaction: string;
  readonly csrf: string;
  readonly username: string;
  readonly appName: string;
  readonly redirectUri: string;
  /** An http address is left to the browser; a private-use scheme leaves the page where it is. */
  readonly delivery: "http" | "scheme";
}

/** Action `revoke` with `grant`; `revoke-all`. */
export interface AppsView {
  readonly grants: readonly (Pick<
    Grant,
    "grantId" | "createdAt" | "lastUsedAt" | "absoluteExpiresAt" | "idleExpiresAt"
  > & {
    readonly appName: string;
  })[];
  readonly notice: "revoked" | null;
}

export interface EventFields {
  readonly title: string;
  readonly subject: string;
  readonly type: string;
  /** `YYYY-MM-DD`. */
  readonly date: string;
  /** `HH:MM`, or empty for a whole day. */
  readonly time: string;
}

/**
 * Actions `add` with the members of EventFields; `save` with `event` and these; `delete` with
 * `event`. `?edit=ID` shows one in the form, `?page=N` turns pages. Only events entered by hand can
 * be changed; those of a source are shown with its name.
 */
export interface EventsView {
  readonly events: readonly ManagedEvent[];
  readonly page: number;
  readonly pages: number;
  readonly total: number;
  readonly types: readonly string[];
  readonly timeZone: string;
  /** The event in the form, or null for a new one. */
  readonly editing: string | null;
  readonly fields: EventFields;
  readonly problem: EventError | null;
  readonly notice: "added" | "saved" | "deleted" | null;
}

export type EventError =
  | "title-missing"
  | "title-too-long"
  | "subject-too-long"
  | "type-missing"
  | "type-too-long"
  | "date-invalid"
  | "time-invalid"
  | "not-found";

export interface SubscriptionFields {
  readonly url: string;
  readonly name: string;
  readonly defaultType: string;
  /** One rule a line: `type: word, word`. */
  readonly rules: string;
}

/**
 * Actions `preview` and `subscribe` with the members of SubscriptionFields; `save` with `source`,
 * `name`, `defaultType` and `rules`; `refresh`, `accept` (what is missing is meant
 * to be gone) and `unsubscribe` with `source`. `?edit=ID` shows one.
 */
export interface SubscriptionsView {
  readonly subscriptions: readonly (Omit<Subscription, "sealedUrl" | "urlHash" | "report"> & {
    /** The address with its secret part hidden: scheme and host. */
    readonly host: string;
    readonly report: ImportSummary | null;
  })[];
  readonly editing: string | null;
  readonly fields: SubscriptionFields;
  readonly preview: FeedPreview | null;
  readonly problem: SubscriptionProblem | null;
  readonly notice: "subscribed" | "saved" | "refreshed" | "unsubscribed" | null;
}

export interface ImportSummary {
  readonly added: number;
  readonly changed: number;
  readonly deleted: number;
  readonly unchanged: number;
  readonly held: number;
  readonly skippedCount: number;
  /** The first of them; `reason` is a code. */
  readonly skipped: readonly { readonly what: string; readonly reason: string }[];
}

export interface FeedPreview {
  /** The first entries, as they would be imported, in the order of their dates. */
  readonly entries: readonly {
    readonly type: string;
    readonly title: string | null;
    readonly subjectName: string | null;
    readonly date: string | null;
    /** The word that decided the type, or null for the default. */
    readonly because: string | null;
  }[];
  readonly total: number;
  readonly countsByType: Readonly<Record<string, number>>;
  readonly skippedCount: number;
  readonly skipped: readonly { readonly what: string; readonly reason: string }[];
}

export type SubscriptionProblem =
  | {
      readonly kind:
        | "url-invalid"
        | "name-too-long"
        | "type-invalid"
        | "already-subscribed"
        | "too-many"
        | "not-found"
        | "too-soon";
    }
  | { readonly kind: "rules-invalid"; readonly line: number }
  /** The code of a fetch or parse fault. */
  | { readonly kind: "fetch-failed"; readonly fault: string };

/**
 * Actions `profile` with `timeZone` and `language` (`de`, `en` or empty). The password is changed by
 * script with JSON to the same path: `{action:"begin", csrf}` gives a challenge for the current one,
 * `{action:"complete", csrf, challengeId, clientNonce, proof, verifier:{salt, iterations, storedKey,
 * serverKey}, disconnectApps}` gives `{serverSignature, next}`. The proof is over `{interaction}`.
 */
export interface SettingsView {
  readonly timeZone: string;
  readonly timeZones: readonly string[];
  readonly language: "de" | "en" | null;
  readonly interaction: string;
  readonly purpose: string;
  readonly problem: "time-zone-unknown" | null;
  readonly notice: "saved" | "password-changed" | null;
}

export interface ErrorView {
  readonly status: number;
  /** What happened, as a code the page has words for. */
  readonly code:
    | "unknown-client"
    | "unregistered-redirect"
    | "interaction-gone"
    | "csrf-failed"
    | "not-found"
    | "method-not-allowed"
    | "malformed-request"
    | "too-many-requests"
    | "unavailable"
    | "unexpected";
  readonly retryAfterSeconds: number | null;
  readonly requestId: string;
}

export interface EventsPages {
  home(frame: PageFrame): HttpResponse;
  signIn(view: SignInView, frame: PageFrame): HttpResponse;
  consent(view: ConsentView, frame: PageFrame): HttpResponse;
  apps(view: AppsView, frame: PageFrame): HttpResponse;
  events(view: EventsView, frame: PageFrame): HttpResponse;
  subscriptions(view: SubscriptionsView, frame: PageFrame): HttpResponse;
  settings(view: SettingsView, frame: PageFrame): HttpResponse;
  problem(view: ErrorView, frame: PageFrame): HttpResponse;
}
