/** What a client asks: everything, what changed, and what a service announced beyond the contract. */
import { HOUR_MS } from "../../../../src/contract/durations.ts";
import { NotTestableError } from "../../../case.ts";
import { driverCases } from "../../../drivers/check-driver.ts";
import type { ClientUnderTest } from "../../../drivers/client-under-test.ts";
import { jsonReply, type SeenRequest } from "../../../drivers/loopback-service.ts";
import { describeValue, expectEach, expectSame, fail } from "../../../expect.ts";
import {
  connect,
  EVENTS_PATH,
  expectFailed,
  expectImportedIds,
  type ConnectedApp,
  type EventsSync,
} from "../connected-app.ts";
import {
  BEGINNING,
  createEvents,
  isPlain,
  playExtended,
  playMinimal,
  type ChangedEvent,
} from "../played-services.ts";

const REQUEST = "events contract, GET /api/events";
const INCREMENTAL = "Trellis decision, events client: updated_since";
const FULL_PAGE = "Trellis decision, events client: a full page";
const EXTRAS = "Trellis decision, events client: extras are announced";

const PAGE_LIMIT = 500;
const FULL_SYNC = `GET ${EVENTS_PATH}?limit=${PAGE_LIMIT}`;

const OLD = createEvents(1, BEGINNING, "old");
const NEW = createEvents(1, BEGINNING + HOUR_MS, "new");
const MANY = createEvents(PAGE_LIMIT, BEGINNING, "many");

export const REQUEST_CASES = driverCases({
  "first-sync-asks-for-everything": {
    title: "A first sync is one request, with limit=500 and no other parameter",
    section: `${REQUEST}: updated_since is omitted for a full sync`,
    async run(client) {
      const sync = await connect(client).sync(FIRST, playMinimal({ now: BEGINNING, events: OLD }));
      expectSame(sync.asked, "requests", askedBy(sync), [FULL_SYNC]);
      expectImportedIds(sync, ["old-1"]);
    },
  },
  "later-sync-asks-for-what-changed": {
    title: "A later sync is one request, with limit=500 and updated_since and no other parameter",
    section: `${REQUEST}: updated_since is present for an incremental sync`,
    async run(client) {
      const app = connect(client);
      await app.sync(FIRST, playMinimal({ now: BEGINNING, events: OLD }));
      const events = [...OLD, ...NEW];
      const sync = await app.sync(LATER, playMinimal({ now: BEGINNING + HOUR_MS, events }));
      expectImportedIds(sync, ["new-1"]);
      expectSame(sync.asked, "number of requests", sync.requests.length, 1);
      readSince(sync);
    },
  },
  "clock-of-the-service-counts": {
    title:
      "Nothing is missed at a service whose clock is slow: the time is that of its header Date",
    section: INCREMENTAL,
    async run(client) {
      const app = connect(client);
      await app.sync(FIRST, playMinimal({ now: BEGINNING, events: OLD }));
      await expectSince(app, BEGINNING, "a sync with a service whose clock is slow");
    },
  },
  "own-clock-counts-without-another": {
    title: "Nothing is missed at a service that does not tell the time",
    section: INCREMENTAL,
    async run(client) {
      const app = connect(client);
      const beganAt = Date.now();
      await app.sync(FIRST, playMinimal({ now: null, events: OLD }));
      await expectSince(app, beganAt, "a sync with a service that does not tell the time");
    },
  },
  "failed-sync-moves-nothing": {
    title: "After a failed sync the next one asks for what changed since the last complete one",
    section: INCREMENTAL,
    async run(client) {
      const app = connect(client);
      await app.sync(FIRST, playMinimal({ now: BEGINNING, events: OLD }));
      const now = BEGINNING + 2 * HOUR_MS;
      const headers = { Date: new Date(now).toUTCString() };
      expectFailed(await app.sync("a sync that fails", () => ({ status: 500, headers })));
      await expectSince(app, BEGINNING, "a sync after one that failed");
    },
  },
  "full-page-may-have-more": {
    title:
      "After a full page the person is told that there may be more, and nothing over 500 is asked",
    section: FULL_PAGE,
    async run(client) {
      const service = playMinimal({ now: BEGINNING, events: [...MANY, ...NEW] });
      const sync = await connect(client).sync(`a sync of ${PAGE_LIMIT} events and more`, service);
      expectSame(sync.asked, "requests", askedBy(sync), [FULL_SYNC]);
      expectImportedIds(sync, idsOf(MANY));
      expectTold(sync);
    },
  },
  "page-that-is-not-full-is-all": {
    title: "After a page that is not full nothing is missing",
    section: FULL_PAGE,
    async run(client) {
      const events = MANY.slice(1);
      const asked = `a sync of ${PAGE_LIMIT - 1} events`;
      const sync = await connect(client).sync(asked, playMinimal({ now: BEGINNING, events }));
      expectImportedIds(sync, idsOf(events));
      expectSame(sync.asked, "mayHaveMore", sync.result.mayHaveMore ?? false, false);
    },
  },
  "full-page-is-not-complete": {
    title: "After a full page the next sync asks for what changed since the last complete one",
    section: FULL_PAGE,
    async run(client) {
      const app = connect(client);
      await app.sync(FIRST, playMinimal({ now: BEGINNING, events: OLD }));
      const changed = createEvents(PAGE_LIMIT, BEGINNING + HOUR_MS, "changed");
      const events = [...OLD, ...changed];
      const full = await app.sync(
        `a sync after which ${PAGE_LIMIT} events changed`,
        playMinimal({ now: BEGINNING + 2 * HOUR_MS, events }),
      );
      expectTold(full);
      await expectSince(app, BEGINNING, "a sync after a full page");
    },
  },
  "nothing-else-is-asked-unannounced": {
    title: "A service that announced nothing is asked for nothing beyond the contract",
    section: EXTRAS,
    run: (client) =>
      expectEach([400, 404, 500], async (otherwise) => {
        // What resembles an extra is a member like any other.
        const more = { has_more: true, next_updated_since: "2026-01-01T00:00:00Z", version: 2 };
        const app = connect(client);
        for (const [asked, events] of [
          [FIRST, OLD],
          [LATER, [...OLD, ...NEW]],
        ] as const) {
          const service = { now: BEGINNING, events, otherwise, more };
          const sync = await app.sync(asked, playMinimal(service));
          expectPlain(sync);
          expectImportedIds(sync, idsOf(events.slice(-1)));
        }
      }),
  },
  "announced-pages-are-read-or-missing": {
    title: "Of a service that announces pages a client reads all, or says that there may be more",
    section: EXTRAS,
    async run(client) {
      const events = createEvents(2 * PAGE_LIMIT + 1, BEGINNING);
      const service = playExtended({ now: BEGINNING + HOUR_MS, events });
      const sync = await connect(client).sync("a sync of three pages", service);
      if (sync.imported.length < events.length) expectTold(sync);
      else expectImportedIds(sync, idsOf(events));
    },
  },
  "pages-in-circles-end": {
    title: "A sync ends although the pages of a service go in circles",
    section: EXTRAS,
    async run(client) {
      const stamps = ["2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"];
      const sync = await connect(client).sync("a sync of pages in circles", ({ query }) =>
        jsonReply({
          events: idsOf(OLD).map((id) => ({ id, type: "task", date: "2026-09-01" })),
          extras: ["pages"],
          has_more: true,
          next_updated_since: stamps.find((stamp) => stamp !== query.get("updated_since")),
        }),
      );
      if (sync.requests.length > MAX_CIRCLES) {
        fail(sync.asked, `at most ${MAX_CIRCLES} requests`, String(sync.requests.length));
      }
    },
  },
  "refused-extra-is-followed-by-a-plain-request": {
    title: "When a service refuses an extra, the same sync asks without",
    section: EXTRAS,
    run: (client) =>
      expectEach([400, 403, 404, 500], async (status) => {
        const events = [...OLD, ...NEW];
        const service = { now: BEGINNING + HOUR_MS, events, otherwise: status };
        const sync = await syncWithExtras(client, status, playMinimal(service));
        expectImportedIds(sync, ["new-1"]);
      }),
  },
  "refused-token-is-not-asked-again": {
    title: "When an extra is refused with 401 or 429, nothing more is asked",
    section: EXTRAS,
    run: (client) =>
      expectEach([401, 429], async (status) => {
        const sync = await syncWithExtras(client, status, () => jsonReply({}, status));
        expectFailed(sync, status === 401 ? "reconnect-needed" : "failed");
        expectSame(sync.asked, "number of requests", sync.requests.length, 1);
      }),
  },
  "ended-announcement-ends-the-extras": {
    title:
      "A service that stops announcing is asked plainly from then on, and nothing is lost or twice",
    section: EXTRAS,
    async run(client) {
      const events = [...OLD, ...NEW];
      const app = connect(client);
      const first = await app.sync(FIRST, playExtended({ now: BEGINNING, events: OLD }));
      expectImportedIds(first, ["old-1"]);
      const later = { now: BEGINNING + HOUR_MS, events };
      expectImportedIds(await app.sync(LATER, playMinimal(later)), ["new-1"]);
      const last = createEvents(1, BEGINNING + 2 * HOUR_MS, "last");
      const asked = "a sync after the announcement ended";
      const sync = await app.sync(asked, playMinimal({ now: null, events: [...events, ...last] }));
      expectPlain(sync);
      expectImportedIds(sync, ["last-1"]);
    },
  },
});

const FIRST = "a first sync";
const LATER = "a second sync";
const MAX_CIRCLES = 10;

function idsOf(events: readonly ChangedEvent[]): string[] {
  return events.map(({ event }) => String(event["id"]));
}

function askedBy({ requests }: EventsSync): string[] {
  return requests.map(({ asked }) => asked);
}

function expectPlain({ asked, requests }: EventsSync): void {
  const other = requests.find((request) => !isPlain(request) || !hasLimit(request));
  if (other !== undefined) fail(asked, "requests of the contract alone", other.asked);
}

function hasLimit({ query }: SeenRequest): boolean {
  return query.getAll("limit").join() === String(PAGE_LIMIT);
}

/** The person learns that events may be missing. */
function expectTold({ asked, result }: EventsSync): void {
  const { mayHaveMore, message = "" } = result;
  if (mayHaveMore === true && message !== "") return;
  const received = describeValue({ mayHaveMore, message });
  fail(asked, "mayHaveMore true, and a message for the person", received);
}

/** The moment from which the sync asked for changes; the case is skipped when it asked for everything. */
function readSince(sync: EventsSync): number {
  expectPlain(sync);
  const [request] = sync.requests;
  if (request === undefined) return fail(sync.asked, FULL_SYNC, "no request");
  const given = request.query.getAll("updated_since");
  if (given.length === 0) {
    throw new NotTestableError(
      "The client never asks for what changed: each of its syncs is a full one, which the contract allows",
    );
  }
  const since = Date.parse(given.join());
  const isStamp = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}/.test(given.join());
  if (Number.isNaN(since) || !isStamp) fail(request.asked, "an ISO 8601 date-time", given.join());
  return since;
}

/** The next sync asks for what changed since this moment, or since an earlier one. */
async function expectSince(app: ConnectedApp, moment: number, asked: string): Promise<void> {
  const service = { now: moment + 4 * HOUR_MS, events: OLD };
  const sync = await app.sync(asked, playMinimal(service));
  const since = readSince(sync);
  if (since <= moment) return;
  const latest = `updated_since of ${new Date(moment).toISOString()} or before`;
  fail(asked, latest, new Date(since).toISOString());
}

/**
 * A second sync with a service that announced extras in the first one, and refuses them in this. A client of the
 * contract alone asks for none, and then has nothing to ask again without.
 */
async function syncWithExtras(
  client: ClientUnderTest,
  status: number,
  respond: Parameters<ConnectedApp["sync"]>[1],
): Promise<EventsSync> {
  const app = connect(client);
  await app.sync(FIRST, playExtended({ now: BEGINNING, events: OLD }));
  const asked = `a sync in which extras get status ${status}`;
  return app.sync(asked, respond);
}
