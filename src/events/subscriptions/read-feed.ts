/** From an address to entries: fetched with the guard, read in a worker. */
import type { ParsedFeed } from "../../rules/events/ingest/entry.ts";
import { parseFeed, type ParseFeedOptions } from "../ingest/parse-feed.ts";
import type { Subscription } from "../store.ts";
import { createSemaphore } from "./gate.ts";
import type { FeedValidators, FetchFeed } from "./guarded-fetch.ts";
import { effectiveRules } from "./read-settings.ts";

export type FeedReadResult =
  | ({ readonly kind: "read"; readonly feed: ParsedFeed } & FeedValidators)
  | { readonly kind: "unchanged" }
  | {
      readonly kind: "failed";
      /** The code of a fetch or parse fault. */
      readonly fault: string;
      readonly retryAfterMs: number | null;
    };

export interface FeedQuestion extends Pick<Subscription, "sourceId" | "defaultType" | "rules"> {
  readonly url: URL;
  readonly timeZone: string;
  readonly known?: FeedValidators;
  readonly stop?: AbortSignal;
}

export type ReadFeed = (question: FeedQuestion) => Promise<FeedReadResult>;

/** Reading takes a thread and its memory, whoever asks for it. */
const MAX_READ_AT_ONCE = 3;

export function createFeedReader(fetchFeed: FetchFeed, now: () => number): ReadFeed {
  const gate = createSemaphore(MAX_READ_AT_ONCE);
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
    const parsed = await gate(() => parseFeed(fetched.bytes, options)).catch((error: unknown) => {
      if (stop?.aborted === true) return null;
      throw error;
    });
    if (parsed === null) return { kind: "failed", fault: "stopped", retryAfterMs: null };
    if (!parsed.ok) return { kind: "failed", fault: parsed.fault.code, retryAfterMs: null };
    const { etag, lastModified } = fetched;
    return { kind: "read", feed: parsed.feed, etag, lastModified };
  };
}
