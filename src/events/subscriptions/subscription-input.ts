/** What a person enters about a subscription, checked. */
import { cleanText } from "../../rules/events/ingest/clean-text.ts";
import { MAX_TYPE_CHARACTERS } from "../../rules/events/ingest/limits.ts";
import {
  DEFAULT_TYPE,
  DEFAULT_WORD_RULES,
  formatWordRules,
  parseWordRules,
} from "../../rules/events/ingest/word-rules.ts";
import type { SubscriptionFields, SubscriptionError } from "../pages.ts";
import type { Subscription, WordRule } from "../store.ts";
import { parseFeedUrl, type FeedUrlCipher } from "./feed-url.ts";

export type SubscriptionSettingsFields = Omit<SubscriptionFields, "url">;

export interface SubscriptionFailure {
  readonly kind: "refused";
  readonly error: SubscriptionError;
}

/** `name` may be empty. An empty list of rules means the built-in ones. */
export type SubscriptionSettings = Pick<Subscription, "name" | "defaultType" | "rules">;

export interface SubscriptionInput {
  readonly accountId: string;
  readonly url: URL;
  /** The id comes from account and URL, so that another subscription to the feed has the same event ids. */
  readonly sourceId: string;
  readonly settings: SubscriptionSettings;
}

export function readSubscriptionInput(
  accountId: string,
  fields: SubscriptionFields,
  cipher: FeedUrlCipher,
): { readonly kind: "valid"; readonly input: SubscriptionInput } | SubscriptionFailure {
  const parsed = parseFeedUrl(fields.url);
  if (parsed.kind === "invalid") {
    const { error } = parsed;
    return refuseSubscription(
      error === "url-invalid" ? { kind: error } : { kind: "fetch-failed", code: error },
    );
  }
  const read = readSettings(fields);
  if (read.kind === "refused") return read;
  const { url } = parsed;
  const sourceId = cipher.hash(accountId, url);
  return { kind: "valid", input: { accountId, url, sourceId, settings: read.settings } };
}

export const MAX_NAME_CHARACTERS = 100;

export function readSettings(
  fields: SubscriptionSettingsFields,
): { readonly kind: "valid"; readonly settings: SubscriptionSettings } | SubscriptionFailure {
  const name = cleanText(fields.name, MAX_NAME_CHARACTERS);
  if (name.isCut) return refuseSubscription({ kind: "name-too-long" });
  const type = cleanText(fields.defaultType, MAX_TYPE_CHARACTERS);
  if (type.isCut) return refuseSubscription({ kind: "type-invalid" });
  const parsed = parseWordRules(fields.rules);
  if (parsed.kind === "invalid")
    return refuseSubscription({ kind: "rules-invalid", line: parsed.line ?? 1 });
  const { rules } = parsed;
  return {
    kind: "valid",
    settings: {
      name: name.text ?? "",
      defaultType: type.text ?? DEFAULT_TYPE,
      // Unchanged built-in rules are not stored, so that later versions of them apply.
      rules: formatWordRules(rules) === formatWordRules(DEFAULT_WORD_RULES) ? [] : rules,
    },
  };
}

export function settingsToFields({
  name,
  defaultType,
  rules,
}: SubscriptionSettings): SubscriptionSettingsFields {
  return { name, defaultType, rules: formatWordRules(effectiveRules(rules)) };
}

export function effectiveRules(rules: readonly WordRule[]): readonly WordRule[] {
  return rules.length === 0 ? DEFAULT_WORD_RULES : rules;
}

/** A new subscription is due at once. */
export function createSubscription(
  { accountId, url, sourceId, settings }: SubscriptionInput,
  cipher: FeedUrlCipher,
  now: number,
): Subscription {
  return {
    ...settings,
    name: settings.name || url.hostname,
    sourceId,
    accountId,
    sealedUrl: cipher.seal(accountId, url),
    urlHash: sourceId,
    createdAt: now,
    etag: null,
    lastModified: null,
    lastFetchedAt: null,
    lastSucceededAt: null,
    lastError: null,
    warning: null,
    nextFetchAt: now,
    failures: 0,
    entryCount: null,
    report: null,
  };
}

export function refuseSubscription(error: SubscriptionError): SubscriptionFailure {
  return { kind: "refused", error };
}
