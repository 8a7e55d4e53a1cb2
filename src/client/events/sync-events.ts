/** Fetches events, whole or what changed, and says honestly whether that was all. */
import {
  firstStep,
  stepAfter,
  stepAfterRefusal,
  type NextStep,
  type SyncMode,
  type SyncStep,
} from "../../rules/events/client/plan-sync.ts";
import {
  chooseStart,
  createCursor,
  readSyncState,
  stateAfter,
  type EventsSyncState,
  type SyncStart,
} from "../../rules/events/client/sync-state.ts";
import { createPageAccumulator, type PageAccumulator, type AccumulatedPages } from "./harvest.ts";
import { requestEvents } from "./request-events.ts";
import type { EventsClientError } from "./request-json.ts";
import type { EventsSettings } from "./settings.ts";
import { isSendableToken } from "./token.ts";

export interface EventsSyncRequest {
  readonly accessToken: string;
  /** What the last sync gave; null before the first one and after each new login. */
  readonly state: EventsSyncState | null;
  /** Read everything again, whenever it was done last. */
  readonly full?: boolean;
  readonly signal?: AbortSignal;
}

export type EventsSync = AccumulatedPages & {
  /** Keep it once the events are taken over, whatever the kind. */
  readonly state: EventsSyncState;
} & (
    | {
        readonly kind: "synced";
        readonly mode: SyncMode;
        /** Everything there is, as far as the service says: what is not among it is gone from there. */
        readonly isWhole: boolean;
      }
    /** The service gave as much as it ever gives at once; there may be more. */
    | { readonly kind: "limited" }
    /** The token is expired or revoked: the person has to log in again. */
    | { readonly kind: "reconnect-needed" }
    | { readonly kind: "failed"; readonly problem: EventsClientError }
  );

/** A service that pages for ever is left; the next sync goes on where this one ended. */
const MAX_REQUESTS = 1000;

export async function syncEvents(
  settings: EventsSettings,
  request: EventsSyncRequest,
): Promise<EventsSync> {
  const state = readSyncState(request.state, settings.origin);
  const harvest = createPageAccumulator();
  if (!isSendableToken(request.accessToken)) {
    return { kind: "reconnect-needed", ...harvest.take(), state };
  }
  const start = chooseStart(state, settings.now(), request.full === true);
  const { ending, reached } = await readPages(settings, request, start, harvest);
  const came = harvest.take();
  if (ending.kind === "done") {
    const isWhole = start.mode === "full" && start !== state.resume;
    const after = stateAfter(state, reached);
    return { kind: "synced", mode: start.mode, isWhole, ...came, state: after };
  }
  const hasAdvanced = reached.updatedSince !== start.updatedSince;
  const stopped = { ...came, state: hasAdvanced ? { ...state, resume: reached } : state };
  if (ending.kind === "limited") return { kind: "limited", ...stopped };
  return ending.kind === "http-status" && ending.status === 401
    ? { kind: "reconnect-needed", ...stopped }
    : { kind: "failed", problem: ending, ...stopped };
}

interface Pages {
  readonly ending: Exclude<NextStep, { step: SyncStep }> | EventsClientError;
  /** The start of a sync that would go on from here. */
  readonly reached: SyncStart;
}

async function readPages(
  settings: EventsSettings,
  { accessToken, signal }: EventsSyncRequest,
  start: SyncStart,
  harvest: PageAccumulator,
): Promise<Pages> {
  let { updatedSince, nextCursor } = start;
  let step = firstStep(start.mode, updatedSince);
  for (let requests = 0; requests < MAX_REQUESTS; requests++) {
    const answer = await requestEvents(settings, step.question, accessToken, signal);
    let next: NextStep | EventsClientError;
    if (answer.kind === "page") {
      next = stepAfter(step, answer);
      harvest.add(answer.entries, next.kind === "ask-again");
      // The first answer's clock: what changes while the pages are read comes after it.
      nextCursor ??= createCursor(answer.serverTime, answer.dateHeader);
    } else {
      next = stepAfterProblem(step, answer);
    }
    if (next.kind === "ask") updatedSince = next.from;
    else if (next.kind !== "ask-again") {
      return { ending: next, reached: { ...start, updatedSince, nextCursor } };
    }
    ({ step } = next);
  }
  return { ending: { kind: "limited" }, reached: { ...start, updatedSince, nextCursor } };
}

/** Statuses by which a service says that it does not like the question. */
const REFUSALS: ReadonlySet<number> = new Set([400, 413, 422]);

function stepAfterProblem(
  step: SyncStep,
  problem: EventsClientError,
): NextStep | EventsClientError {
  const isRefused = problem.kind === "http-status" && REFUSALS.has(problem.status);
  // Too large because twice as much was asked for: the service did nothing wrong.
  const isOverdone = problem.kind === "too-large" && step.smallerCount !== null;
  return (isRefused || isOverdone ? stepAfterRefusal(step) : null) ?? problem;
}
