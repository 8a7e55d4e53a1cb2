import {
  PAGE_LIMIT,
  stepAfter,
  type EventsQuery,
  type NextStep,
  type SyncMode,
  type SyncStep,
} from "../../rules/events/client/plan-sync.ts";
import { readEventList, type EventListPage } from "../../rules/events/client/read-event-list.ts";
import {
  chooseStart,
  progressAfter,
  readSyncState,
  stateAfterAll,
  stateAfterFailure,
  stateAfterPart,
  type EventsSyncState,
  type SyncProgress,
  type SyncStart,
} from "../../rules/events/client/sync-state.ts";
import {
  createPageAccumulator,
  type FetchedEvents,
  type PageAccumulator,
} from "./page-accumulator.ts";
import { isBearerToken } from "../transport/request-text.ts";
import { requestJson, type EventsClientError } from "./request-json.ts";
import type { EventsSettings } from "./settings.ts";

/** What `syncEvents` needs: the token, the state of the last time, and whether to read all events again. */
export interface EventsSyncRequest {
  /** The token of the login. */
  readonly accessToken: string;
  /** The state of the last sync; null before the first one and after each new login. */
  readonly state: EventsSyncState | null;
  /** Fetch all events, even if the last full sync was recent. */
  readonly full?: boolean;
  /** Ends the sync. */
  readonly signal?: AbortSignal;
}

/**
 * The events that a sync read, with the state to store for the next one. The events are usable even when the
 * sync ended early.
 */
export type EventsSyncResult = FetchedEvents & {
  /** The next sync needs this state, whatever kind this result is: store it after the events. */
  readonly state: EventsSyncState;
} & (
    | {
        readonly kind: "synced";
        readonly mode: SyncMode;
        /** All events of the service, as far as it says: any other event was deleted there. */
        readonly isWhole: boolean;
        /** The service bounds how many events it sends at once, and this may not be all of them. */
        readonly mayHaveMore: boolean;
        /** What to tell the person then; otherwise null. */
        readonly message: string | null;
      }
    /** The token is expired or revoked: the person has to log in again. */
    | { readonly kind: "reconnect-needed" }
    | { readonly kind: "failed"; readonly error: EventsClientError }
  );

/** Stops a service that pages for ever; the next sync resumes there. */
const MAX_REQUESTS = 1000;

const MAY_HAVE_MORE =
  "The service sent as many events as it can at once, so some may be missing; remove old ones there, or ask who runs it";

export async function syncEvents(
  settings: EventsSettings,
  request: EventsSyncRequest,
): Promise<EventsSyncResult> {
  const state = readSyncState(request.state, settings.origin);
  const pages = createPageAccumulator();
  if (!isBearerToken(request.accessToken)) {
    return { kind: "reconnect-needed", ...pages.result(), state };
  }
  let start = chooseStart(state, settings.now(), request.full === true);
  let last = await fetchPages(settings, request, start, pages);
  if (start.mode === "incremental" && refusesChanges(last.end)) {
    start = chooseStart({ ...state, resume: null }, settings.now(), true);
    last = await fetchPages(settings, request, start, pages);
  }
  const { end, isWhole, progress } = last;
  const fetched = pages.result();
  if (end.kind === "done" || end.kind === "may-have-more") {
    const mayHaveMore = end.kind === "may-have-more";
    const message = mayHaveMore ? MAY_HAVE_MORE : null;
    const after = (mayHaveMore ? stateAfterPart : stateAfterAll)(state, start, progress);
    const { mode } = start;
    return { kind: "synced", mode, isWhole, mayHaveMore, message, ...fetched, state: after };
  }
  const stopped = { ...fetched, state: stateAfterFailure(state, start, progress) };
  return end.kind === "http-status" && end.status === 401
    ? { kind: "reconnect-needed", ...stopped }
    : { kind: "failed", error: end, ...stopped };
}

interface PagesResult {
  readonly end: Exclude<NextStep, { step: SyncStep }> | EventsClientError;
  readonly isWhole: boolean;
  readonly progress: SyncProgress;
}

async function fetchPages(
  settings: EventsSettings,
  { accessToken, signal }: EventsSyncRequest,
  start: SyncStart,
  pages: PageAccumulator,
): Promise<PagesResult> {
  let { first: step, progress } = start;
  for (let requests = 0; requests < MAX_REQUESTS; requests++) {
    const page = await requestEvents(settings, step.query, accessToken, signal);
    if (page.kind !== "page") {
      if (!step.usesExtra || !isRejection(page)) return { end: page, isWhole: false, progress };
      step = start.plain;
      continue;
    }
    const next = stepAfter(step, page);
    // A list of all events is read again as changes where it does not fit.
    const isRepeated = next.kind === "next-page" && step.query.updatedSince === null;
    pages.add(page.entries, isRepeated);
    progress = progressAfter(progress, page, start.startedAt, next);
    if (next.kind !== "next-page") {
      return { end: next, isWhole: isWholeList(start, step, page, next), progress };
    }
    ({ step } = next);
  }
  return { end: { kind: "may-have-more" }, isWhole: false, progress };
}

/** A service that stopped announcing pages half way has not said that it has sent everything. */
function isWholeList(start: SyncStart, step: SyncStep, page: EventListPage, next: NextStep) {
  const isAnnounced = step.query.updatedSince === null || page.hasMore === false;
  return start.mode === "full" && !start.isResumed && next.kind === "done" && isAnnounced;
}

interface EventsResponse extends EventListPage {
  readonly kind: "page";
  readonly dateHeader: string | null;
}

async function requestEvents(
  settings: EventsSettings,
  query: EventsQuery,
  accessToken: string,
  signal: AbortSignal | undefined,
): Promise<EventsResponse | EventsClientError> {
  const parameters = new URLSearchParams({ limit: String(PAGE_LIMIT) });
  if (query.updatedSince !== null) parameters.set("updated_since", query.updatedSince);
  if (query.includeDeleted) parameters.set("include_deleted", "true");
  const response = await requestJson(settings, {
    url: `${settings.origin}/api/events?${parameters}`,
    headers: { Authorization: `Bearer ${accessToken}` },
    signal,
  });
  if (response.kind !== "json") return response;
  const page = readEventList(response.value);
  if (page === null) return { kind: "malformed-response", detail: "not a list of events" };
  return { kind: "page", ...page, dateHeader: response.headers.get("Date") };
}

/** A service may not have `updated_since`, or find it too old; what is then left is a full sync. */
function refusesChanges(end: PagesResult["end"]): boolean {
  if (end.kind !== "http-status") return false;
  const { status } = end;
  return status >= 400 && status < 500 && status !== 401;
}

/** Browsers hide the status of a response without CORS headers, so an unreachable service counts too. */
function isRejection(error: EventsClientError): boolean {
  const { kind } = error;
  if (kind === "http-status") return error.status !== 401;
  return kind !== "rate-limited" && kind !== "timeout" && kind !== "cancelled";
}
