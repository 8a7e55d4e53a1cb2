/** Texts about imports and subscriptions. */
import type { ReadingNotice } from "../../../contract/events/page-views.ts";
import type { ImportSummary, SubscriptionError } from "../../../events/pages.ts";
import type { FeedErrorCode, FeedNoticeCode } from "../../../rules/events/ingest/entry.ts";
import { explainFeedError } from "../../../rules/events/ingest/explain-feed-error.ts";
import { FETCH_ERRORS, isFetchErrorCode } from "../../../rules/events/subscriptions/fetch-error.ts";
import { CommandError } from "../../command.ts";
import { formatNumber } from "../../format.ts";

export function describeSummary(summary: ImportSummary): string {
  const { held } = summary;
  const counts = (["added", "changed", "deleted", "unchanged"] as const).map(
    (name) => `${formatNumber(summary[name])} ${name}`,
  );
  return [
    ...counts,
    ...(held === 0 ? [] : [`${formatNumber(held)} missing from the feed but kept`]),
  ].join(", ");
}

/** Describes the code of a failed fetch or of a feed that could not be parsed. */
export function describeFeedError(code: string): string {
  return isFetchErrorCode(code)
    ? FETCH_ERRORS[code]
    : explainFeedError({ code: code as FeedErrorCode });
}

const WARNINGS: Readonly<Record<string, string>> = {
  "feed-shrunk":
    "More than half of the entries are missing at once; their events were kept. If the calendar is right, run `trellis events refresh --accept-shrink` with --account and --url",
  "outside-window":
    "Some missing entries are from a period that the calendar no longer covers; their events were kept",
};

export function describeFeedWarning(code: string): string {
  return WARNINGS[code] ?? code;
}

const NOTICES: Readonly<Record<FeedNoticeCode, string>> = {
  "unknown-columns": "Unknown columns were ignored",
  "unknown-zone": "The account's time zone was used for unknown time zones",
  "series-cut": "Very long series were shortened",
  "text-cut": "Very long texts were shortened",
  "count-ignored": "An invalid COUNT was ignored: the series repeats until its UNTIL, or forever",
  "range-ignored": "A change to several occurrences was applied to only one",
};

export function describeFeedNotice({ code, count, examples }: ReadingNotice): string {
  const names = examples.map((name) => `"${name}"`).join(", ");
  return `${isNoticeCode(code) ? NOTICES[code] : code} (${formatNumber(count)}${names === "" ? "" : `: ${names}`})`;
}

/** A report may be one of a newer version. */
function isNoticeCode(code: string): code is FeedNoticeCode {
  return Object.hasOwn(NOTICES, code);
}

/** Returns the successful result or fails the command. */
export function expectSubscription<R extends { readonly kind: string }>(
  result: R | { readonly kind: "refused"; readonly error: SubscriptionError },
): Exclude<R, { readonly kind: "refused" }> {
  if (!("error" in result)) return result as Exclude<R, { readonly kind: "refused" }>;
  const { error } = result;
  const details = error.kind === "fetch-failed" ? { code: error.code } : {};
  throw new CommandError(describeSubscriptionError(error), { problem: error.kind, ...details });
}

function describeSubscriptionError(error: SubscriptionError): string {
  switch (error.kind) {
    case "url-invalid":
      return describeFeedError("url-invalid");
    case "name-too-long":
      return "The name is too long: use at most 100 characters";
    case "type-invalid":
      return "The type is too long";
    case "already-subscribed":
      return "The account is already subscribed to this calendar: see `trellis events subscriptions list`";
    case "not-found":
      return "There is no such subscription: see `trellis events subscriptions list`";
    case "too-many":
    case "too-soon":
      throw new Error(`The command line has no quota, but "${error.kind}" was returned`);
    case "rules-invalid":
      return `The rules cannot be read at rule ${error.line}: expected lines such as \`exam: Klausur, Prüfung\``;
    case "fetch-failed":
      return `The calendar cannot be read: ${describeFeedError(error.code)}`;
  }
}
