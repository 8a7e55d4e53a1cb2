/**
 * What each page of the events service shows, and what its forms post.
 *
 * A form posts to the path of its page, url-encoded, with `csrf` and `action`; the other members are
 * listed at each view. After an invalid form the same view comes back with `error` and the values
 * that were typed.
 */
import type { SignedInBrowser, SignInItem } from "../identity.ts";
import type { Language } from "../language.ts";
import type { PasskeyError, PasskeyNotice, PasskeysView } from "../passkey-pages.ts";

/** The account that is signed in. Times are shown in its zone. */
export interface PageAccount {
  readonly username: string;
  readonly csrf: string;
  readonly timeZone: string;
}

/**
 * The script posts JSON to `/sign-in`: `{action:"begin", csrf, username}` returns a challenge,
 * `{action:"complete", csrf, challengeId, clientNonce, proof}` returns `{serverSignature, next}`, where
 * `next` is the path to go to. The proof is over the attempt `{interaction}`.
 */
export interface SignInView {
  /** The origin of the service: at another one the sign-in fails. */
  readonly origin: string;
  /** Identifies this sign-in; part of what is signed. */
  readonly interaction: string;
  readonly csrf: string;
  readonly purpose: string;
  /** The app that asks for authorization, or null when the person opened the page. */
  readonly appName: string | null;
  readonly hasPasskeys: boolean;
}

/** The script posts JSON to `/welcome`, with the link that is the fragment of the address. */
export interface WelcomeView {
  /** The address of the service, which a person enters in an app. */
  readonly address: string;
}

/**
 * Actions `allow` and `deny`, with `interaction` and the `csrf` of the session. The response is a 303
 * to the app; with `Accept: application/json` it is `{"redirectUri"}` with 200, so that a script can
 * stay on the page. `/sign-out` with `interaction` leads back here after the next sign-in.
 */
export interface ConsentView {
  readonly interaction: string;
  readonly csrf: string;
  readonly username: string;
  readonly appName: string;
  readonly redirectUri: string;
  /** The browser leaves the page for an http address, but not for a private-use scheme. */
  readonly delivery: "http" | "scheme";
}

/** Action `revoke` with `grant`; `revoke-all`. */
export interface AppsView {
  readonly grants: readonly GrantItem[];
  readonly notice: "revoked" | null;
}

export interface GrantItem {
  readonly grantId: string;
  readonly appName: string;
  readonly createdAt: number;
  readonly lastUsedAt: number;
  readonly idleExpiresAt: number;
  readonly absoluteExpiresAt: number;
}

/**
 * Actions `add` with the members of EventFields; `save` with `event` and these; `delete` with
 * `event`. `?edit=ID` shows one in the form. `?text=`, `?source=` and `?state=` filter the list, and `?page=N`
 * selects a page of it. Only events that were entered by hand can be changed.
 */
export interface EventsView {
  readonly events: readonly EventItem[];
  readonly page: number;
  readonly pages: number;
  /** The position of the first event of the page among those of the filter, from 1. */
  readonly first: number;
  /** How many events the filter lets through. */
  readonly found: number;
  readonly total: number;
  readonly filter: EventFilter;
  readonly sources: readonly EventOrigin[];
  readonly types: readonly string[];
  readonly timeZone: string;
  /** The event in the form, or null for a new one. */
  readonly editing: string | null;
  readonly fields: EventFields;
  readonly error: EventError | null;
  readonly notice: "added" | "saved" | "deleted" | null;
}

/** An empty text, and null, leave nothing out. */
export interface EventFilter {
  readonly text: string;
  readonly sourceId: string | null;
  readonly state: "upcoming" | "past" | "undated" | null;
}

export interface EventOrigin {
  readonly sourceId: string;
  readonly kind: EventItem["sourceKind"];
  readonly name: string;
}

export interface EventItem {
  readonly eventId: string;
  readonly type: string;
  readonly subjectName: string | null;
  readonly title: string | null;
  readonly date: string | null;
  readonly sourceKind: "manual" | "file" | "subscription";
  readonly sourceName: string;
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

export type EventError =
  | "title-missing"
  | "title-too-long"
  | "subject-too-long"
  | "type-missing"
  | "type-too-long"
  | "date-invalid"
  | "time-invalid"
  | "not-found";

/**
 * Actions `preview` and `subscribe` with the members of SubscriptionFields; `save` with `source`,
 * `name`, `defaultType` and `rules`; `refresh`, `accept` (delete what is missing from the feed) and
 * `unsubscribe` with `source`. `?edit=ID` shows one in the form.
 */
export interface SubscriptionsView {
  readonly subscriptions: readonly SubscriptionItem[];
  readonly editing: string | null;
  readonly fields: SubscriptionFields;
  readonly preview: FeedPreview | null;
  readonly error: SubscriptionError | null;
  readonly notice: "subscribed" | "saved" | "refreshed" | "unsubscribed" | null;
}

export interface SubscriptionItem {
  readonly sourceId: string;
  readonly name: string;
  /** Scheme and host: the rest of the address is a secret. */
  readonly host: string;
  readonly lastFetchedAt: number | null;
  readonly lastSucceededAt: number | null;
  /** The code of the error of the last fetch. */
  readonly lastError: string | null;
  /** The code of why events that are missing from the feed were kept. */
  readonly warning: string | null;
  readonly nextFetchAt: number;
  readonly entryCount: number | null;
  readonly report: ImportSummary | null;
}

export interface SubscriptionFields {
  readonly url: string;
  readonly name: string;
  readonly defaultType: string;
  /** The rules have one line each: `type: word, word`. */
  readonly rules: string;
}

export type SubscriptionError =
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
  /** `code` is that of the fetch or parse error. */
  | { readonly kind: "fetch-failed"; readonly code: string };

export interface ImportSummary extends ReadingSummary {
  readonly added: number;
  readonly changed: number;
  readonly deleted: number;
  readonly unchanged: number;
  /** The number of events that are missing from the feed, but kept. */
  readonly held: number;
}

export interface FeedPreview extends ReadingSummary {
  /** The first entries, as they would be imported, ordered by date. */
  readonly entries: readonly PreviewedEntry[];
  readonly total: number;
  readonly countsByType: Readonly<Record<string, number>>;
}

export interface PreviewedEntry {
  readonly type: string;
  readonly title: string | null;
  readonly subjectName: string | null;
  readonly date: string | null;
  /** The word that decided the type, or null for the default. */
  readonly because: string | null;
}

export interface ReadingSummary {
  readonly skippedCount: number;
  /** The first of the skipped entries; `reason` is a code. */
  readonly skipped: readonly { readonly what: string; readonly reason: string }[];
  /** What was read, but not exactly as the feed has it. */
  readonly notices: readonly ReadingNotice[];
}

export interface ReadingNotice {
  readonly code: string;
  readonly count: number;
  /** Names of zones, or ids of entries: untrusted text, shortened. */
  readonly examples: readonly string[];
}

/**
 * Action `profile` with `timeZone` and `language` (`de`, `en` or empty); `name-passkey` with `passkey` and
 * `name`; `remove-passkey` with `passkey`. The script adds passkeys by `/account/passkeys`. It changes the
 * password with JSON to the same path: `{action:"begin", csrf}` returns a challenge for the current
 * one, `{action:"complete", csrf, challengeId, clientNonce, proof, verifier:{salt, iterations,
 * storedKey, serverKey}, disconnectApps}` returns `{serverSignature, next}`. The proof is over
 * `{interaction}`.
 */
export interface SettingsView {
  readonly timeZone: string;
  readonly timeZones: readonly string[];
  readonly language: Language | null;
  /** False for an account that signs in with passkeys alone: `{action:"set", csrf, verifier}` sets one. */
  readonly hasPassword: boolean;
  readonly interaction: string;
  readonly purpose: string;
  /** Null where the service has no passkeys. */
  readonly passkeys: PasskeysView | null;
  readonly browsers: readonly SignedInBrowser[];
  /** The history of sign-ins, the latest first. */
  readonly signIns: readonly SignInItem[];
  readonly error: "time-zone-unknown" | "browser-gone" | PasskeyError | null;
  readonly notice:
    | "saved"
    | "password-changed"
    | "password-set"
    | "browser-signed-out"
    | PasskeyNotice
    | null;
}

export interface ErrorView {
  readonly status: number;
  readonly code: PageErrorCode;
  readonly retryAfterSeconds: number | null;
  readonly requestId: string;
}

export type PageErrorCode =
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
