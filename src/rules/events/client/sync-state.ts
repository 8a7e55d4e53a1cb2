/** The client's state between two syncs: a plain value that the app stores. */
import { parseDateTime } from "../../../contract/date-time.ts";
import { DAY_MS } from "../../../contract/durations.ts";
import { CURSOR_MARGIN_SECONDS } from "../../../contract/events/values.ts";
import { isObject } from "../../../contract/is-object.ts";
import { FIRST_CHANGE, type SyncMode } from "./plan-sync.ts";

export interface EventsSyncState {
  /** The origin of the service; a state of another service is ignored. */
  readonly origin: string;
  /** The cursor at which the next incremental sync begins. */
  readonly cursor: string | null;
  /** Time of the last full sync, in milliseconds since the epoch. */
  readonly fullSyncAt: number | null;
  /** The point at which a sync that stopped between two pages resumes. */
  readonly resume: SyncStart | null;
}

export interface SyncStart {
  readonly mode: SyncMode;
  readonly updatedSince: string;
  /** The cursor at the end of the sync; null before the first response. */
  readonly nextCursor: string | null;
  readonly startedAt: number;
}

/** A regular full sync repairs errors of clocks and of services. */
export const FULL_SYNC_INTERVAL_MS = 7 * DAY_MS;

/** Any value that is not a state of this service is read as the state before the first sync. */
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

/** A time in the future was written before the device's clock was set back. */
function isRecent(moment: number, now: number): boolean {
  return moment <= now && now - moment < FULL_SYNC_INTERVAL_MS;
}

export function stateAfter(state: EventsSyncState, done: SyncStart): EventsSyncState {
  const { origin } = state;
  return done.mode === "full"
    ? { origin, cursor: done.nextCursor, fullSyncAt: done.startedAt, resume: null }
    : { ...state, cursor: done.nextCursor ?? state.cursor, resume: null };
}

/** The service's clock (not the device's), less a margin: a change may commit after it was stamped. */
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
