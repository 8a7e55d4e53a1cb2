/** A service that responds with what a test wrote for it, and states of the client. */
import assert from "node:assert/strict";
import type { RequestListener } from "node:http";
import type { EventsSyncResult, EventsSyncState } from "../../../src/client/index.ts";
import { ORIGIN, TOKEN } from "./connect.ts";

export const NOW = Date.UTC(2026, 7, 21, 12);
export const STATE: EventsSyncState = {
  origin: ORIGIN,
  cursor: "2026-08-21T09:00:00.000Z",
  fullSyncAt: NOW - 86_400_000,
  extras: [],
  resume: null,
};
export const ALL_EXTRAS = ["deletions", "pages", "server_time"] as const;
export const OUR_STATE: EventsSyncState = { ...STATE, extras: ALL_EXTRAS };
export const OPTIONS = { now: () => NOW };
export const REQUEST = { accessToken: TOKEN, state: null };

export const createEvent = (id: string, title = id) => ({
  id,
  type: "exam",
  title,
  date: "2026-09-01",
});
export const idsOf = ({ events }: EventsSyncResult) => events.map(({ id }) => id);

/** Responds to each request with the next body, and records the requests. */
export function script(...bodies: readonly unknown[]) {
  const asked: string[] = [];
  const listener: RequestListener = ({ url, headers }, response) => {
    asked.push(url ?? "");
    assert.equal(headers.authorization, `Bearer ${TOKEN}`);
    for (const name of ["cookie", "referer", "origin"]) assert.equal(headers[name], undefined);
    response.setHeader("Date", "Fri, 21 Aug 2026 11:00:00 GMT");
    response.end(JSON.stringify(bodies[asked.length - 1] ?? { events: [] }));
  };
  return { asked, listener };
}

export const SINCE = "updated_since=2026-08-21T09%3A00%3A00.000Z";
export const FULL = "/api/events?limit=500";
export const listOf = (count: number) =>
  Array.from({ length: count }, (_, index) => createEvent(`e${index}`));
