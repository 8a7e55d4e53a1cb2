/** An events service in memory: with what it announces beyond the contract, or without. */
import { EVENTS_EXTRAS } from "../../../src/contract/events/values.ts";
import type { Fetch } from "../../../src/client/index.ts";

export interface SimulatedOptions {
  /** A date header is what most services have. */
  readonly hasClock: boolean;
  /** Number of changes with the same stamp. */
  readonly changesPerStamp: number;
  /** How long a change is invisible after it was stamped, as in a slow transaction. */
  readonly commitDelayMs: number;
}

/** Announces everything beyond the contract, nothing, or everything and refuses it. */
export type Mood = "generous" | "plain" | "fickle";

interface Row {
  readonly id: string;
  readonly title: string;
  readonly isDeleted: boolean;
  readonly updatedAt: number;
  readonly visibleAt: number;
}

export interface SimulatedService {
  readonly fetch: Fetch;
  readonly rowsById: ReadonlyMap<string, Row>;
  now: number;
  readonly requests: URL[];
  /** May change between two requests. */
  mood: Mood;
  /** Runs before each response, as changes during a sync do. */
  meanwhile: () => void;
  /** Called at each request: whether it fails. */
  isBusy: () => boolean;
  put(id: string, title: string): void;
  remove(id: string): void;
}

export function createSimulatedService(options: SimulatedOptions): SimulatedService {
  const rowsById = new Map<string, Row>();
  let changes = 0;
  let lastStamp = 0;
  const change = (id: string, title: string, isDeleted: boolean) => {
    // Never falls, never behind the clock; strictly rising when each change gets its own stamp.
    const isNewStamp = changes++ % options.changesPerStamp === 0;
    lastStamp = Math.max(service.now, lastStamp + (isNewStamp ? 1 : 0));
    const visibleAt = service.now + options.commitDelayMs;
    rowsById.set(id, { id, title, isDeleted, updatedAt: lastStamp, visibleAt });
  };
  const service: SimulatedService = {
    rowsById,
    now: Date.UTC(2026, 7, 1),
    requests: [],
    mood: "generous",
    meanwhile: () => {},
    isBusy: () => false,
    put: (id, title) => change(id, title, false),
    remove: (id) => change(id, "", true),
    fetch: (url) => {
      service.meanwhile();
      service.requests.push(new URL(url));
      if (service.isBusy()) return Promise.resolve(new Response("busy", { status: 429 }));
      const query = new URL(url).searchParams;
      const isFirst = [...query.keys()].every((name) => name === "limit");
      if (service.mood === "fickle" && !isFirst) {
        return Promise.resolve(new Response("{}", { status: 404 }));
      }
      return Promise.resolve(respond(query, service, options));
    },
  };
  return service;
}

function respond(
  query: URLSearchParams,
  { rowsById, now, mood }: Pick<SimulatedService, "rowsById" | "now" | "mood">,
  { hasClock }: SimulatedOptions,
): Response {
  const limit = Number(query.get("limit"));
  const since = query.get("updated_since");
  const withDeleted = mood !== "plain" && since !== null && query.get("include_deleted") === "true";
  const rows = [...rowsById.values()]
    .filter((row) => row.visibleAt <= now)
    .filter((row) => withDeleted || !row.isDeleted)
    .filter((row) => since === null || row.updatedAt >= Date.parse(since))
    .sort((a, b) => a.updatedAt - b.updatedAt || (a.id < b.id ? -1 : 1));
  // Whole, our service lists by date and others as they like: not by change in any case.
  if (since === null) rows.reverse();
  const page = rows.slice(0, limit);
  const stamp = (time: number) => new Date(time).toISOString();
  const next = since === null ? 0 : (rows[limit]?.updatedAt ?? page.at(-1)?.updatedAt ?? 0);
  const body = {
    events: page.map(({ id, title, isDeleted }) =>
      isDeleted
        ? { id, type: "info", deleted: true }
        : { id, type: "exam", title, date: "2026-09-01" },
    ),
    // A service may have members of these names that mean something else.
    has_more: mood !== "plain" && rows.length > limit,
    next_updated_since: stamp(next),
    server_time: mood === "plain" ? stamp(0) : stamp(now),
    ...(mood !== "plain" && { extras: EVENTS_EXTRAS }),
  };
  const headers = hasClock ? { Date: new Date(now).toUTCString() } : undefined;
  return new Response(JSON.stringify(body), headers === undefined ? {} : { headers });
}
