/** The events services that cases play: what the contract asks for and no more, and one with extras. */
import { HOUR_MS } from "../../../src/contract/durations.ts";
import { EVENTS_EXTRAS } from "../../../src/contract/events/values.ts";
import {
  jsonReply,
  type PlainReply,
  type Reply,
  type SeenRequest,
} from "../../drivers/loopback-service.ts";
import { createEvent, EVENTS_PATH } from "./connected-app.ts";

export interface ChangedEvent {
  readonly event: Readonly<Record<string, unknown>>;
  /** Milliseconds since the epoch, on the clock of the service. */
  readonly changedAt: number;
}

export interface PlayedService {
  /** The clock of the service; null: it does not tell the time. */
  readonly now: number | null;
  readonly events: readonly ChangedEvent[];
  /** The status for parameters that the service does not know. */
  readonly otherwise?: number;
  /** Members that the contract does not have. */
  readonly more?: Readonly<Record<string, unknown>>;
}

/** When the service of a case begins to have events: some hours ago. */
export const BEGINNING = Date.now() - 6 * HOUR_MS;

/** Events that changed a millisecond apart from this time on. */
export function createEvents(count: number, changedAt: number, prefix = "event"): ChangedEvent[] {
  return Array.from({ length: count }, (_, index) => ({
    event: createEvent({ id: `${prefix}-${index + 1}` }),
    changedAt: changedAt + index,
  }));
}

/** A request of the contract: a limit, and perhaps `updated_since`. */
export function isPlain({ path, query }: SeenRequest): boolean {
  const known = [...query.keys()].every((name) => name === "limit" || name === "updated_since");
  return path === EVENTS_PATH && known;
}

/** The contract, and nothing beyond it. */
export function playMinimal(service: PlayedService): (request: SeenRequest) => Reply {
  const { now, events, otherwise = 400, more } = service;
  return (request) => {
    if (!isPlain(request)) return jsonReply({ error: "invalid_request" }, otherwise);
    const page = listSince(events, request).slice(0, readLimit(request));
    return atTime(jsonReply({ ...more, events: page.map(({ event }) => event) }), now);
  };
}

/** A service that announces the extras of Trellis, and has them. */
export function playExtended({ now, events }: PlayedService): (request: SeenRequest) => Reply {
  return (request) => {
    const found = listSince(events, request);
    const page = found.slice(0, readLimit(request));
    const hasMore = found.length > page.length;
    const isAll = request.query.get("updated_since") === null;
    const last = page.at(-1)?.changedAt ?? 0;
    const body = {
      events: page.map(({ event }) => event),
      extras: EVENTS_EXTRAS,
      has_more: hasMore,
      // A list of all that did not fit is read again as changes.
      next_updated_since: toStamp(hasMore && isAll ? 0 : last + 1),
      server_time: toStamp(now ?? Date.now()),
    };
    return atTime(jsonReply(body), now);
  };
}

function listSince(events: readonly ChangedEvent[], { query }: SeenRequest): ChangedEvent[] {
  const since = Date.parse(query.get("updated_since") ?? toStamp(0));
  return events.filter(({ changedAt }) => changedAt >= since);
}

function readLimit({ query }: SeenRequest): number {
  return Number(query.get("limit"));
}

function atTime(reply: PlainReply, now: number | null): Reply {
  if (now !== null) {
    return { ...reply, headers: { ...reply.headers, Date: new Date(now).toUTCString() } };
  }
  return (response) => {
    response.sendDate = false;
    response.writeHead(reply.status, { ...reply.headers });
    response.end(reply.body);
  };
}

function toStamp(ms: number): string {
  return new Date(ms).toISOString();
}
