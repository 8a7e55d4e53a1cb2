/** What an import did and what it left out, in words. */
import type { ImportSummary } from "../../../events/pages.ts";
import type { FeedErrorCode, FeedNotice } from "../../../rules/events/ingest/entry.ts";
import { describeFeedError } from "../../../rules/events/ingest/describe-feed-error.ts";
import { FETCH_ERRORS, isFetchErrorCode } from "../../../rules/events/subscriptions/fetch-error.ts";

export function describeSummary(summary: ImportSummary): string {
  const { held } = summary;
  const counts = (["added", "changed", "deleted", "unchanged"] as const).map(
    (name) => `${summary[name].toLocaleString("en-US")} ${name}`,
  );
  return [
    ...counts,
    ...(held === 0 ? [] : [`${held.toLocaleString("en-US")} kept although missing`]),
  ].join(", ");
}

/** A code that a fetch or a reading left behind. */
export function describeErrorCode(code: string): string {
  return isFetchErrorCode(code)
    ? FETCH_ERRORS[code]
    : describeFeedError({ code: code as FeedErrorCode });
}

const WARNINGS: Readonly<Record<string, string>> = {
  "feed-shrunk":
    "More than half of its entries are suddenly gone; their events were kept. If that is right, run `trellis events refresh --accept-shrink` with --account and --url",
  "outside-window":
    "Entries are gone from a time that it no longer tells about; their events were kept",
};

export function describeWarning(code: string): string {
  return WARNINGS[code] ?? code;
}

const NOTICES: Readonly<Record<FeedNotice["code"], string>> = {
  "unknown-columns": "Columns that no event has were left out",
  "unknown-zone": "Time zones that nobody knows were read as the account's own",
  "series-cut": "Series that go on for very long were cut",
  "text-cut": "Texts that are very long were cut",
};

export function describeNotice({ code, count, examples }: FeedNotice): string {
  const names = examples.map((name) => `"${name}"`).join(", ");
  return `${NOTICES[code]} (${count.toLocaleString("en-US")}${names === "" ? "" : `: ${names}`})`;
}
