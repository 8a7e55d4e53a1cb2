/**
 * Compares a source with its stored events. An entry that is missing from a subscription was deleted,
 * or the feed is broken or truncated. A deletion reaches every device, so it takes more than one sign.
 */
import { DAY_MS } from "../../../contract/durations.ts";
import type { FeedWindow, ParsedEntry, ParsedFeed } from "./entry.ts";

/** What a person sees of an event. */
export type EntryContent = Pick<ParsedEntry, "type" | "subjectName" | "title" | "date">;

export interface KnownEvent extends EntryContent {
  readonly eventId: string;
  readonly dateAt: number | null;
  readonly deletedAt: number | null;
  /** The number of successful fetches in a row that the event was missing from. */
  readonly missing: number;
}

export type ReconcileOptions =
  | {
      readonly mode: "subscription";
      readonly now: number;
      /** A person confirmed that a feed with less than half of its entries is right. */
      readonly acceptShrink?: boolean;
    }
  | { readonly mode: "file"; readonly replace: boolean };

/** Each id is in one list at most. */
export interface Reconciliation {
  readonly added: readonly ParsedEntry[];
  readonly changed: readonly ParsedEntry[];
  /** Entries that were deleted before, and are back in the source. */
  readonly restored: readonly ParsedEntry[];
  readonly deleted: readonly string[];
  /** Events that are missing for the first time: their count of missing becomes 1. */
  readonly missingOnce: readonly string[];
  /** Events that were missing before, and are back unchanged: their count of missing becomes 0. */
  readonly returned: readonly string[];
  /** Events that are missing, and kept as they are. */
  readonly held: readonly string[];
  readonly warning: ReconcileWarning | null;
}

export interface ReconcileWarning {
  readonly code: "feed-shrunk" | "outside-window";
  /** How many upcoming events are kept because of it. */
  readonly held: number;
  /** Upcoming events in the store, and in the feed. */
  readonly stored: number;
  readonly found: number;
}

const MISSES_UNTIL_DELETED = 2;

export function reconcile(
  known: readonly KnownEvent[],
  feed: Pick<ParsedFeed, "entries" | "window">,
  options: ReconcileOptions,
): Reconciliation {
  const knownById = new Map(known.map((event) => [event.eventId, event]));
  const present = comparePresent(knownById, feed.entries);
  const ids = new Set(feed.entries.map(({ eventId }) => eventId));
  const absent = known.filter(({ eventId, deletedAt }) => deletedAt === null && !ids.has(eventId));
  const missing =
    options.mode === "file"
      ? classifyMissingFromFile(absent, options.replace)
      : classifyMissingFromFeed(absent, known, feed, options);
  return { ...present, ...missing, deleted: [...present.deleted, ...missing.deleted] };
}

function comparePresent(
  knownById: ReadonlyMap<string, KnownEvent>,
  entries: readonly ParsedEntry[],
): Pick<Reconciliation, "added" | "changed" | "restored" | "deleted" | "returned"> {
  const added: ParsedEntry[] = [];
  const changed: ParsedEntry[] = [];
  const restored: ParsedEntry[] = [];
  const deleted: string[] = [];
  const returned: string[] = [];
  for (const entry of entries) {
    const event = knownById.get(entry.eventId);
    const isLive = event !== undefined && event.deletedAt === null;
    if (entry.cancelled) {
      if (isLive) deleted.push(entry.eventId);
    } else if (event === undefined) added.push(entry);
    else if (!isLive) restored.push(entry);
    else if (!isSameEntryContent(event, entry)) changed.push(entry);
    else if (event.missing > 0) returned.push(entry.eventId);
  }
  return { added, changed, restored, deleted, returned };
}

type MissingEvents = Pick<Reconciliation, "deleted" | "missingOnce" | "held" | "warning">;

function classifyMissingFromFile(absent: readonly KnownEvent[], replace: boolean): MissingEvents {
  const ids = absent.map(({ eventId }) => eventId);
  return {
    deleted: replace ? ids : [],
    missingOnce: [],
    held: replace ? [] : ids,
    warning: null,
  };
}

function classifyMissingFromFeed(
  absent: readonly KnownEvent[],
  known: readonly KnownEvent[],
  { entries, window }: Pick<ParsedFeed, "entries" | "window">,
  { now, acceptShrink = false }: Extract<ReconcileOptions, { mode: "subscription" }>,
): MissingEvents {
  const isInScope = (event: Dated) => isUpcoming(event, now) && isInside(event, window);
  const stored = known.filter((event) => event.deletedAt === null && isInScope(event)).length;
  const found = entries.filter(isInScope).length;
  const hasShrunk = !acceptShrink && found * 2 < stored;

  const deleted: string[] = [];
  const missingOnce: string[] = [];
  const held: string[] = [];
  let heldByShrink = 0;
  let heldOutside = 0;
  for (const event of absent) {
    // Feeds drop past entries, which says nothing.
    if (!isUpcoming(event, now)) held.push(event.eventId);
    else if (!isInside(event, window)) {
      held.push(event.eventId);
      heldOutside++;
    } else if (hasShrunk) {
      held.push(event.eventId);
      heldByShrink++;
    } else if (event.missing + 1 >= MISSES_UNTIL_DELETED) deleted.push(event.eventId);
    else missingOnce.push(event.eventId);
  }
  const counts = { stored, found };
  let warning: ReconcileWarning | null = null;
  if (heldByShrink > 0) warning = { code: "feed-shrunk", held: heldByShrink, ...counts };
  else if (heldOutside > 0) warning = { code: "outside-window", held: heldOutside, ...counts };
  return { deleted, missingOnce, held, warning };
}

type Dated = Pick<ParsedEntry, "date" | "dateAt">;

/** A whole day is upcoming until its end. */
function isUpcoming({ date, dateAt }: Dated, now: number): boolean {
  if (date === null || dateAt === null) return false;
  const isWholeDay = date.length === "YYYY-MM-DD".length;
  return (isWholeDay ? dateAt + DAY_MS : dateAt) > now;
}

function isInside({ dateAt }: Dated, window: FeedWindow | null): boolean {
  return window === null || (dateAt !== null && dateAt >= window.from && dateAt <= window.to);
}

export function isSameEntryContent(one: EntryContent, other: EntryContent): boolean {
  return (
    one.type === other.type &&
    one.subjectName === other.subjectName &&
    one.title === other.title &&
    one.date === other.date
  );
}
