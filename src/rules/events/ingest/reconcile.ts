/**
 * What a source says now against what is stored of it. An entry that a subscription no longer has
 * may be deleted, or the feed may be broken, cut or of another year: deleting is what cannot be made
 * good on every device, so it takes more than one sign.
 */
import { DAY_MS } from "./calendar-day.ts";
import type { FeedWindow, ParsedEntry, ParsedFeed } from "./entry.ts";
import { isSameContent, type EntryContent } from "./same-content.ts";

export interface KnownEvent extends EntryContent {
  readonly eventId: string;
  readonly dateAt: number | null;
  /** Null while it is alive. */
  readonly deletedAt: number | null;
  /** How many good fetches in a row had it not. */
  readonly missing: number;
}

export type ReconcileOptions =
  | {
      readonly mode: "subscription";
      readonly now: number;
      /** A person has looked at it: a feed that shrank to less than half is right. */
      readonly acceptShrink?: boolean;
    }
  | { readonly mode: "file"; readonly replace: boolean };

/** Entries and ids in the order of the source and of the store; each id in one list at most. */
export interface Reconciliation {
  readonly added: readonly ParsedEntry[];
  readonly changed: readonly ParsedEntry[];
  /** Deleted before, there again. */
  readonly restored: readonly ParsedEntry[];
  readonly deleted: readonly string[];
  /** Their count of missing becomes 1. */
  readonly missingOnce: readonly string[];
  /** They were missing once and are there again: their count becomes 0. Changed ones are not here. */
  readonly returned: readonly string[];
  /** Missing, and left as they are. */
  readonly held: readonly string[];
  readonly warning: ReconcileWarning | null;
}

export interface ReconcileWarning {
  readonly code: "feed-shrunk" | "outside-window";
  /** How many upcoming events are held for this. */
  readonly held: number;
  /** Upcoming events: those stored, and those in the feed now. */
  readonly stored: number;
  readonly found: number;
}

/** The second time in a row counts. */
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
      ? judgeAbsentFromFile(absent, options.replace)
      : judgeAbsentFromFeed(absent, known, feed, options);
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
    const isAlive = event !== undefined && event.deletedAt === null;
    if (entry.cancelled) {
      if (isAlive) deleted.push(entry.eventId);
    } else if (event === undefined) added.push(entry);
    else if (!isAlive) restored.push(entry);
    else if (!isSameContent(event, entry)) changed.push(entry);
    else if (event.missing > 0) returned.push(entry.eventId);
  }
  return { added, changed, restored, deleted, returned };
}

type Absences = Pick<Reconciliation, "deleted" | "missingOnce" | "held" | "warning">;

function judgeAbsentFromFile(absent: readonly KnownEvent[], replace: boolean): Absences {
  const ids = absent.map(({ eventId }) => eventId);
  return {
    deleted: replace ? ids : [],
    missingOnce: [],
    held: replace ? [] : ids,
    warning: null,
  };
}

function judgeAbsentFromFeed(
  absent: readonly KnownEvent[],
  known: readonly KnownEvent[],
  { entries, window }: Pick<ParsedFeed, "entries" | "window">,
  { now, acceptShrink = false }: Extract<ReconcileOptions, { mode: "subscription" }>,
): Absences {
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
    // Feeds drop what is over; that says nothing.
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

/** A whole day is upcoming until it is over. */
function isUpcoming({ date, dateAt }: Dated, now: number): boolean {
  if (date === null || dateAt === null) return false;
  return (isWholeDay(date) ? dateAt + DAY_MS : dateAt) > now;
}

function isInside({ dateAt }: Dated, window: FeedWindow | null): boolean {
  return window === null || (dateAt !== null && dateAt >= window.from && dateAt <= window.to);
}

/** `YYYY-MM-DD` and nothing after it. */
function isWholeDay(date: string): boolean {
  return date.length === 10;
}
