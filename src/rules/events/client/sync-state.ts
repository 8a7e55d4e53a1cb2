/** What the client must remember from one sync to the next: a plain value, kept by the app. */
import { parseDateTime } from "../../../contract/date-time.ts";
import { CURSOR_MARGIN_SECONDS } from "../../../contract/events/values.ts";
import { FIRST_CHANGE, type SyncMode } from "./plan-sync.ts";

export interface EventsSyncState {
  /** Whose state it is; that of another service counts as none. */
  readonly origin: string;
  /** Where the next incremental sync begins. */
  readonly cursor: string | null;
  /** When everything was last read, in milliseconds since the epoch. */
  readonly fullSyncAt: number | null;
  /** Where a sync goes on that ended between two pages. */
  readonly resume: SyncStart | null;
}

export interface SyncStart {
  readonly mode: SyncMode;
  readonly updatedSince: string;
  /** What the cursor becomes at the end; null as long as no answer has come. */
  readonly nextCursor: string | null;
  readonly startedAt: number;
}

/** Everything is read again this often: it heals whatever a clock or a service did wrong. */
export const FULL_SYNC_INTERVAL_MS = 7 * 86_400_000;

/** What is not a state of this service is the state before the first sync. */
export function readSyncState(value: unknown, origin: string): EventsSyncState {
  const none = { origin, cursor: null, fullSyncAt: null, resume: null };
  if (!isObject(value) || value["origin"] !== origin) return none;
  const { cursor, fullSyncAt } = value;
  return {
    origin,
    cursor: isStamp(cursor) ? cursor : null,
    fullSyncAt: isTime(fullSyncAt) ? fullSyncAt : null,
    resume: readResume(value["resume"]),
  };
}

function readResume(value: unknown): SyncStart | null {
  if (!isObject(value)) return null;
  const { mode, updatedSince, nextCursor, startedAt } = value;
  if (mode !== "full" && mode !== "incremental") return null;
  if (!isStamp(updatedSince) || !isStamp(nextCursor) || !isTime(startedAt)) return null;
  return { mode, updatedSince, nextCursor, startedAt };
}

export function chooseStart(state: EventsSyncState, now: number, wantsFull: boolean): SyncStart {
  const { cursor, fullSyncAt, resume } = state;
  if (!wantsFull && resume !== null && isRecent(resume.startedAt, now)) return resume;
  const start = { nextCursor: null, startedAt: now };
  if (wantsFull || cursor === null || fullSyncAt === null || !isRecent(fullSyncAt, now)) {
    return { ...start, mode: "full", updatedSince: FIRST_CHANGE };
  }
  return { ...start, mode: "incremental", updatedSince: cursor };
}

/** A moment in the future is no proof: the device's clock was set back. */
function isRecent(moment: number, now: number): boolean {
  return moment <= now && now - moment < FULL_SYNC_INTERVAL_MS;
}

export function stateAfter(state: EventsSyncState, done: SyncStart): EventsSyncState {
  const { origin } = state;
  return done.mode === "full"
    ? { origin, cursor: done.nextCursor, fullSyncAt: done.startedAt, resume: null }
    : { ...state, cursor: done.nextCursor ?? state.cursor, resume: null };
}

/**
 * The service's own clock, a little back: a change may be stamped before the answer and seen only
 * after it. The device's clock says nothing about the service's stamps.
 */
export function createCursor(serverTime: number | null, dateHeader: string | null): string | null {
  const time = serverTime ?? Date.parse(dateHeader ?? "");
  if (!Number.isFinite(time)) return null;
  return new Date(Math.max(0, time - CURSOR_MARGIN_SECONDS * 1000)).toISOString();
}

function isStamp(value: unknown): value is string {
  return typeof value === "string" && parseDateTime(value) !== null;
}

function isTime(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
