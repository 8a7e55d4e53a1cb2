/** The client's state between two syncs: a plain value that the app stores. */
import { DAY_MS } from "../../../contract/durations.ts";
import { CURSOR_MARGIN_SECONDS, type EventsExtra } from "../../../contract/events/values.ts";
import { isObject } from "../../../contract/is-object.ts";
import { extraStep, plainStep, type NextStep, type SyncMode, type SyncStep } from "./plan-sync.ts";
import { isStamp, readExtras, type EventListPage } from "./read-event-list.ts";

/** What an app stores between two syncs of events, as it is; null starts over. */
export interface EventsSyncState {
  /** The origin of the service; a state of another service is ignored. */
  readonly origin: string;
  /** The `updated_since` of the next incremental sync: the last complete sync, less a margin. */
  readonly cursor: string | null;
  /** Time of the last full sync, in milliseconds since the epoch. */
  readonly fullSyncAt: number | null;
  /** What the service announced in its last response; a state from before has none. */
  readonly extras: readonly EventsExtra[];
  /** The point at which a sync that stopped between two pages resumes. */
  readonly resume: SyncResume | null;
}

/** Where a sync that ended early goes on. It is a part of `EventsSyncState` that an app need not read. */
export interface SyncResume {
  /** Whether the sync that was interrupted was a full one. */
  readonly mode: SyncMode;
  /** The time from which that sync asks for changes. */
  readonly updatedSince: string;
  /** The cursor at the end of the sync. */
  readonly nextCursor: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
}

/** What the responses of a sync leave for the next one. */
export interface SyncProgress {
  readonly extras: readonly EventsExtra[];
  /** Null before the first response. */
  readonly nextCursor: string | null;
  /** All changes before it have been read; null before the second page. */
  readonly resumeAt: string | null;
}

export interface SyncStart {
  readonly mode: SyncMode;
  readonly isResumed: boolean;
  readonly startedAt: number;
  readonly progress: SyncProgress;
  readonly first: SyncStep;
  /** The request that follows when an extra is refused. */
  readonly plain: SyncStep;
}

/** A regular full sync repairs errors of clocks and of services. */
export const FULL_SYNC_INTERVAL_MS = 7 * DAY_MS;

/** Any value that is not a state of this service is read as the state before the first sync. */
export function readSyncState(value: unknown, origin: string): EventsSyncState {
  const none = { origin, cursor: null, fullSyncAt: null, extras: [], resume: null };
  if (!isObject(value) || value["origin"] !== origin) return none;
  const { cursor, fullSyncAt } = value;
  return {
    origin,
    cursor: isStamp(cursor) ? cursor : null,
    fullSyncAt: isTime(fullSyncAt) ? fullSyncAt : null,
    extras: readExtras(value["extras"]),
    resume: readResume(value["resume"]),
  };
}

function readResume(value: unknown): SyncResume | null {
  if (!isObject(value)) return null;
  const { mode, updatedSince, nextCursor, startedAt } = value;
  if (mode !== "full" && mode !== "incremental") return null;
  if (!isStamp(updatedSince) || !isStamp(nextCursor) || !isTime(startedAt)) return null;
  return { mode, updatedSince, nextCursor, startedAt };
}

export function chooseStart(state: EventsSyncState, now: number, wantsFull: boolean): SyncStart {
  const { cursor, fullSyncAt, extras, resume } = state;
  const hasDeletions = extras.includes("deletions");
  const plainOf = (mode: SyncMode) => plainStep(mode === "full" ? null : cursor, false);
  const canResume = extras.includes("pages") && resume !== null && isRecent(resume.startedAt, now);
  if (canResume && !wantsFull) {
    const { mode, updatedSince, nextCursor, startedAt } = resume;
    return {
      mode,
      isResumed: true,
      startedAt,
      progress: { extras, nextCursor, resumeAt: updatedSince },
      first: extraStep(updatedSince, hasDeletions),
      plain: plainOf(mode),
    };
  }
  const progress = { extras, nextCursor: null, resumeAt: null };
  const begun = { isResumed: false, startedAt: now, progress };
  if (wantsFull || cursor === null || fullSyncAt === null || !isRecent(fullSyncAt, now)) {
    return { mode: "full", ...begun, first: plainStep(null, true), plain: plainOf("full") };
  }
  const first = hasDeletions ? extraStep(cursor, true) : plainStep(cursor, true);
  return { mode: "incremental", ...begun, first, plain: plainOf("incremental") };
}

/** A time in the future was written before the device's clock was set back. */
function isRecent(moment: number, now: number): boolean {
  return moment <= now && now - moment < FULL_SYNC_INTERVAL_MS;
}

/** The cursor comes from the first response, so that it precedes every change during the sync. */
export function progressAfter(
  { nextCursor, resumeAt }: SyncProgress,
  page: ClockedPage,
  startedAt: number,
  next: NextStep,
): SyncProgress {
  return {
    extras: page.extras,
    nextCursor: nextCursor ?? createCursor(page.serverTime, page.dateHeader, startedAt),
    resumeAt: next.kind === "next-page" ? next.from : resumeAt,
  };
}

type ClockedPage = Pick<EventListPage, "extras" | "serverTime"> & {
  readonly dateHeader: string | null;
};

export function stateAfterAll(
  { origin, fullSyncAt }: EventsSyncState,
  { mode, startedAt }: SyncStart,
  { extras, nextCursor: cursor }: SyncProgress,
): EventsSyncState {
  const lastFull = mode === "full" ? startedAt : fullSyncAt;
  return { origin, cursor, fullSyncAt: lastFull, extras, resume: null };
}

/**
 * The cursor stays, so that what is missing is asked for again. A full list that may be a part counts as
 * one nevertheless: it would come again every time, and what changed behind it never.
 */
export function stateAfterPart(
  state: EventsSyncState,
  start: SyncStart,
  progress: SyncProgress,
): EventsSyncState {
  const fullSyncAt = start.mode === "full" ? start.startedAt : state.fullSyncAt;
  return { ...stateAfterFailure(state, start, progress), fullSyncAt };
}

export function stateAfterFailure(
  state: EventsSyncState,
  { mode, startedAt }: SyncStart,
  { extras, nextCursor, resumeAt }: SyncProgress,
): EventsSyncState {
  if (resumeAt === null || nextCursor === null) return { ...state, extras };
  return { ...state, extras, resume: { mode, updatedSince: resumeAt, nextCursor, startedAt } };
}

/** RFC 9110 5.6.7; a runtime reads other texts as dates too, and without a zone in that of the device. */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** The clock of the service, less a margin: a change may become visible after it was stamped. */
export function createCursor(
  serverTime: number | null,
  dateHeader: string | null,
  startedAt: number,
): string {
  const headerTime = HTTP_DATE.test(dateHeader ?? "") ? Date.parse(dateHeader ?? "") : Number.NaN;
  // Browsers show a header of another origin only if that says so; then the device's clock must do.
  const time = serverTime ?? (Number.isNaN(headerTime) ? startedAt : headerTime);
  return new Date(Math.max(0, time - CURSOR_MARGIN_SECONDS * 1000)).toISOString();
}

function isTime(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}
