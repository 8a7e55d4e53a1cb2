import {
  firstStep,
  stepAfter,
  stepAfterRejection,
  type EventsQuery,
  type NextStep,
  type SyncMode,
  type SyncStep,
} from "../../rules/events/client/plan-sync.ts";
import { readEventList, type EventListPage } from "../../rules/events/client/read-event-list.ts";
import {
  chooseStart,
  createCursor,
  readSyncState,
  stateAfter,
  type EventsSyncState,
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

export interface EventsSyncRequest {
  readonly accessToken: string;
  /** The state of the last sync; null before the first one and after each new login. */
  readonly state: EventsSyncState | null;
  /** Fetch all events, even if the last full sync was recent. */
  readonly full?: boolean;
  readonly signal?: AbortSignal;
}

export type EventsSyncResult = FetchedEvents & {
  /** The next sync needs this state, whatever kind this result is: store it after the events. */
  readonly state: EventsSyncState;
} & (
    | {
        readonly kind: "synced";
        readonly mode: SyncMode;
        /** All events of the service, as far as it says: any other event was deleted there. */
        readonly isWhole: boolean;
      }
    /** The service returned as many events as it ever does at once; there may be more. */
    | { readonly kind: "limited" }
    /** The token is expired or revoked: the person has to log in again. */
    | { readonly kind: "reconnect-needed" }
    | { readonly kind: "failed"; readonly error: EventsClientError }
  );

/** Stops a service that pages for ever; the next sync resumes there. */
const MAX_REQUESTS = 1000;

export async function syncEvents(
  settings: EventsSettings,
  request: EventsSyncRequest,
): Promise<EventsSyncResult> {
  const state = readSyncState(request.state, settings.origin);
  const pages = createPageAccumulator();
  if (!isBearerToken(request.accessToken)) {
    return { kind: "reconnect-needed", ...pages.result(), state };
  }
  const start = chooseStart(state, settings.now(), request.full === true);
  const { end, reached } = await fetchPages(settings, request, start, pages);
  const fetched = pages.result();
  if (end.kind === "done") {
    const isWhole = start.mode === "full" && start !== state.resume;
    const after = stateAfter(state, reached);
    return { kind: "synced", mode: start.mode, isWhole, ...fetched, state: after };
  }
  const hasAdvanced = reached.updatedSince !== start.updatedSince;
  const stopped = { ...fetched, state: hasAdvanced ? { ...state, resume: reached } : state };
  if (end.kind === "limited") return { kind: "limited", ...stopped };
  return end.kind === "http-status" && end.status === 401
    ? { kind: "reconnect-needed", ...stopped }
    : { kind: "failed", error: end, ...stopped };
}

interface PagesResult {
  readonly end: Exclude<NextStep, { step: SyncStep }> | EventsClientError;
  /** The point from which a later sync resumes after the last page. */
  readonly reached: SyncStart;
}

async function fetchPages(
  settings: EventsSettings,
  { accessToken, signal }: EventsSyncRequest,
  start: SyncStart,
  pages: PageAccumulator,
): Promise<PagesResult> {
  let { updatedSince, nextCursor } = start;
  let step = firstStep(start.mode, updatedSince);
  for (let requests = 0; requests < MAX_REQUESTS; requests++) {
    const response = await requestEvents(settings, step.query, accessToken, signal);
    let next: NextStep | EventsClientError;
    if (response.kind === "page") {
      next = stepAfter(step, response);
      pages.add(response.entries, next.kind === "retry");
      // The cursor comes from the first response, so that it precedes every change during the sync.
      nextCursor ??= createCursor(response.serverTime, response.dateHeader);
    } else {
      next = stepAfterError(step, response);
    }
    if (next.kind === "next-page") updatedSince = next.from;
    else if (next.kind !== "retry") {
      return { end: next, reached: { ...start, updatedSince, nextCursor } };
    }
    ({ step } = next);
  }
  return { end: { kind: "limited" }, reached: { ...start, updatedSince, nextCursor } };
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
  const parameters = new URLSearchParams({ limit: String(query.limit) });
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

/** Statuses by which a service rejects a query. */
const REJECTIONS: ReadonlySet<number> = new Set([400, 413, 422]);

function stepAfterError(step: SyncStep, error: EventsClientError): NextStep | EventsClientError {
  const isRejected = error.kind === "http-status" && REJECTIONS.has(error.status);
  // The client itself asked for twice as many events.
  const isOverLimit = error.kind === "too-large" && step.smallerCount !== null;
  return (isRejected || isOverLimit ? stepAfterRejection(step) : null) ?? error;
}
