/** What a feed would bring, before anybody subscribes to it. */
import type { ParsedFeed } from "../../rules/events/ingest/entry.ts";
import type { FeedPreview } from "../pages.ts";

const MAX_ENTRIES_SHOWN = 50;

/** What is to come first, then what was, newest first; both in sight of whoever decides. */
export function previewFeed(feed: ParsedFeed, now: number): FeedPreview {
  const entries = feed.entries.filter(({ cancelled }) => !cancelled);
  const countsByType = new Map<string, number>();
  for (const { type } of entries) countsByType.set(type, (countsByType.get(type) ?? 0) + 1);
  const first = entries
    .toSorted((one, other) => orderOf(one.dateAt, now) - orderOf(other.dateAt, now))
    .slice(0, MAX_ENTRIES_SHOWN);
  return {
    entries: first.map(({ type, because, title, subjectName, date }) => ({
      type,
      because,
      title,
      subjectName,
      date,
    })),
    total: entries.length,
    countsByType: Object.fromEntries(countsByType),
    skippedCount: feed.skipped.total,
    skipped: feed.skipped.list.map(({ uid, index, reason }) => ({
      what: uid ?? `#${index + 1}`,
      reason,
    })),
  };
}

function orderOf(dateAt: number | null, now: number): number {
  if (dateAt === null) return Number.MAX_VALUE;
  // Far beyond every date that is to come.
  return dateAt >= now - DAY_MS ? dateAt : Number.MAX_SAFE_INTEGER - dateAt;
}

const DAY_MS = 86_400_000;
