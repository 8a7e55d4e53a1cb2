/** Fetches a feed and reads its entries. */
import { DAY_MS } from "../../contract/durations.ts";
import type { ParsedFeed } from "../../rules/events/ingest/entry.ts";
import { listSkipped } from "../import/import-feed.ts";
import { parseFeed, type ParseFeedOptions } from "../ingest/parse-feed.ts";
import type { FeedPreview } from "../pages.ts";
import type { Subscription } from "../store.ts";
import type { FeedValidators, FetchFailure, FetchFeed } from "./fetch-feed.ts";
import { createSemaphore } from "./semaphore.ts";
import { effectiveRules } from "./subscription-input.ts";

export type FeedReadResult =
  | ({ readonly kind: "read"; readonly feed: ParsedFeed } & FeedValidators)
  | { readonly kind: "unchanged" }
  /** `error` is the code of a fetch error or of a feed error. */
  | (Omit<FetchFailure, "error"> & { readonly error: string });

export interface FeedRequest extends Pick<Subscription, "sourceId" | "defaultType" | "rules"> {
  readonly url: URL;
  readonly timeZone: string;
  readonly known?: FeedValidators;
  readonly stop?: AbortSignal;
}

export type ReadFeed = (request: FeedRequest) => Promise<FeedReadResult>;

/** Each read takes a thread and its memory. */
const MAX_PARALLEL_READS = 3;

export function createFeedReader(fetchFeed: FetchFeed, now: () => number): ReadFeed {
  const runLimited = createSemaphore(MAX_PARALLEL_READS);
  return async ({ url, sourceId, defaultType, rules, timeZone, known, stop }) => {
    const fetched = await fetchFeed(url.href, known, stop);
    if (fetched.kind !== "fetched") return fetched;
    const options: ParseFeedOptions = {
      format: "ics",
      sourceId,
      timeZone,
      rules: effectiveRules(rules),
      defaultType,
      now: now(),
      ...(stop !== undefined && { signal: stop }),
    };
    const parsed = await runLimited(() => parseFeed(fetched.bytes, options)).catch(
      (error: unknown) => {
        if (stop?.aborted === true) return null;
        throw error;
      },
    );
    if (parsed === null) return { kind: "failed", error: "stopped", retryAfterMs: null };
    if (parsed.kind === "failed") {
      return { kind: "failed", error: parsed.error.code, retryAfterMs: null };
    }
    const { etag, lastModified } = fetched;
    return { kind: "read", feed: parsed.feed, etag, lastModified };
  };
}

const MAX_ENTRIES_SHOWN = 50;

/** Upcoming entries by date, then past ones, newest first. */
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
    skipped: listSkipped(feed),
    notices: feed.notices,
  };
}

function orderOf(dateAt: number | null, now: number): number {
  if (dateAt === null) return Number.MAX_VALUE;
  return dateAt >= now - DAY_MS ? dateAt : Number.MAX_SAFE_INTEGER - dateAt;
}
