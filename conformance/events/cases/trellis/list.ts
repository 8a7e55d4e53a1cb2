import { isDateTime, parseDateTime } from "../../../../src/contract/date-time.ts";
import { DAY_MS, HOUR_MS } from "../../../../src/contract/durations.ts";
import type { EventList } from "../../../../src/contract/events/schemas.ts";
import { EVENTS_EXTRAS, INFO_TYPE } from "../../../../src/contract/events/values.ts";
import { NotTestableError, skipUnless } from "../../../case.ts";
import { describeValue, expectEach, expectHeader, expectSame, fail } from "../../../expect.ts";
import { expectList } from "../../expectations.ts";
import {
  checkEveryEvent,
  CLIENT_LIMIT,
  EPOCH,
  eventsOf,
  idsOf,
  listEvents,
  pageSizeFor,
  query,
  readAllChanges,
  readChanges,
} from "../../list.ts";
import { EVENTS } from "../../requests.ts";
import { eventsCases } from "../../server-under-test.ts";

// The Date header has whole seconds, and a response takes its time.
const MARGIN_MS = 5_000;

export const LIST_CASES = eventsCases({
  "events-have-all-six-members": {
    title: "The list has exactly its members, and each event all six",
    section: "Trellis decision, events service: events, success",
    async run(server) {
      await listEvents(server);
      expectList(await server.list(query(CLIENT_LIMIT)));
      expectList(await server.list(query(CLIENT_LIMIT, EPOCH)));
    },
  },
  "event-dates-are-strict": {
    title: "A date is YYYY-MM-DD or RFC 3339 with an offset, and created_at is RFC 3339",
    section: "Trellis decision, events service: events, date",
    run: checkEveryEvent(({ id, date, created_at: at }) => {
      const isDay = typeof date === "string" && /^\d{4}-\d{2}-\d{2}$/.test(date);
      if (!isDay && !isDateTimeOrNull(date)) {
        fail(EVENTS, `a strict date of ${describeValue(id)}`, describeValue(date));
      }
      if (!isDateTimeOrNull(at)) {
        fail(EVENTS, `an RFC 3339 created_at of ${describeValue(id)}`, describeValue(at));
      }
    }),
  },
  "lists-are-private": {
    title: "A list of events is private and never stored",
    section: "Trellis decision, events service: events, Cache-Control",
    async run(server) {
      expectHeader(await server.list("limit=1"), "Cache-Control", "private, no-store");
    },
  },
  "full-list-begins-with-what-is-coming": {
    title:
      "The full list has what is coming by date, then what was, newest first, then what has no date",
    section: "Trellis decision, events service: events, the order of a full list",
    async run(server) {
      await listEvents(server, 2);
      const { events, server_time: at } = expectList(await server.list(query(CLIENT_LIMIT)));
      const now = parseDateTime(at) ?? 0;
      // An event of today in some time zone may be in either group, so the case ignores it.
      const groupOf = (date: string | null): number | null => {
        if (date === null) return 2;
        const moment = momentOf(date);
        return moment > now + DAY_MS ? 0 : moment < now - 3 * DAY_MS ? 1 : null;
      };
      const listed = events.flatMap(({ id, date }) => {
        const group = groupOf(date);
        return group === null ? [] : [{ id, group, moment: date === null ? 0 : momentOf(date) }];
      });
      const ordered = listed.toSorted(
        (a, b) => a.group - b.group || (a.group === 0 ? a.moment - b.moment : b.moment - a.moment),
      );
      expectSame(EVENTS, "events in order", listed, ordered);
    },
  },
  "full-list-that-does-not-fit-starts-anew": {
    title: "A full list that did not fit says so, and names the beginning as where to go on",
    section: "Trellis decision, events service: events, where to go on",
    async run(server) {
      await listEvents(server, 2);
      const response = await server.list(query(1));
      const { has_more: hasMore, next_updated_since: next } = expectList(response);
      expectSame(response, "has_more", hasMore, true);
      expectSame(response, "next_updated_since", parseDateTime(next), 0);
    },
  },
  "full-list-that-fits-goes-on-after-it": {
    title: "A full list that fitted names the moment after which nothing has changed yet",
    section: "Trellis decision, events service: events, where to go on",
    async run(server) {
      const { length } = await listEvents(server);
      skipUnless(length < CLIENT_LIMIT, "The account has more events than fit");
      const response = await server.list(query(CLIENT_LIMIT));
      const { has_more: hasMore, next_updated_since: next } = expectList(response);
      expectSame(response, "has_more", hasMore, false);
      const { events } = expectList(await server.list(query(CLIENT_LIMIT, next)));
      expectSame(EVENTS, `events since ${next}`, events, []);
      const before = new Date((parseDateTime(next) ?? 0) - 1).toISOString();
      const last = expectList(await server.list(query(CLIENT_LIMIT, before)));
      expectSame(EVENTS, `number of events since ${before}`, last.events.length, 1);
    },
  },
  "pages-lose-nothing": {
    title: "Following next_updated_since until has_more is false gives every event, each once",
    section: "Trellis decision, events service: events, where to go on",
    async run(server) {
      const all = idsOf(await readAllChanges(server, 3));
      const pages = await readChanges(server, pageSizeFor(all.length));
      expectSame(EVENTS, "ids of all pages", idsOf(pages).toSorted(), all.toSorted());
    },
  },
  "page-size-changes-nothing": {
    title: "Changes come in the same order, whatever the size of the pages",
    section: "Trellis decision, events service: events, in the order of their changes",
    async run(server) {
      const all = idsOf(await readAllChanges(server, 3));
      const size = pageSizeFor(all.length);
      await expectEach([size, size + 1], async (limit) =>
        expectSame(EVENTS, `ids by ${limit}`, idsOf(await readChanges(server, limit)), all),
      );
    },
  },
  "pages-are-full-while-there-is-more": {
    title: "While there is more a page has as many events as the limit allows",
    section: "Trellis decision, events service: events, has_more",
    async run(server) {
      const all = idsOf(await readAllChanges(server, 3));
      const size = pageSizeFor(all.length);
      const pages = await readChanges(server, size);
      await expectEach(pages.slice(0, -1), ({ events }) =>
        expectSame(EVENTS, "events on a page", events.length, size),
      );
      const [first] = pages;
      if (first?.has_more !== true) fail(EVENTS, "more after the first page", "none");
    },
  },
  "updated-since-is-inclusive": {
    title: "An event that changed at the very moment is listed, one that changed before it is not",
    section: "Trellis decision, events service: events, updated_since is inclusive",
    async run(server) {
      await readAllChanges(server, 2);
      const first = expectList(await server.list(query(1, EPOCH)));
      const stamp = (parseDateTime(first.next_updated_since) ?? 0) - 1;
      const at = expectList(await server.list(query(1, new Date(stamp).toISOString())));
      expectSame(EVENTS, "the event of that moment", at.events, first.events);
      const after = expectList(await server.list(query(1, first.next_updated_since)));
      if (after.events[0]?.id === first.events[0]?.id) {
        fail(EVENTS, "the next event a millisecond later", "the same");
      }
    },
  },
  "missing-offsets-are-the-earliest-moment": {
    title: "A moment without an offset is the earliest that it can be, UTC+14:00",
    section: "Trellis decision, events service: events, updated_since without an offset",
    async run(server) {
      const [last] = (await readAllChanges(server, 1)).slice(-1);
      const stamp = (parseDateTime(last?.next_updated_since ?? "") ?? 0) - 1;
      const local = (hours: number) =>
        new Date(stamp + hours * HOUR_MS).toISOString().replace("Z", "");
      const listed = expectList(await server.list(query(CLIENT_LIMIT, local(14))));
      expectSame(EVENTS, "number of events at UTC+14:00", listed.events.length, 1);
      const later = expectList(await server.list(query(CLIENT_LIMIT, local(15))));
      expectSame(EVENTS, "number of events an hour later", later.events.length, 0);
    },
  },
  "the-future-is-empty": {
    title: "A moment in the future gives an empty list, and the present as where to go on",
    section: "Trellis decision, events service: events, a future since",
    async run(server) {
      const response = await server.list(query(1, "2999-01-01T00:00:00Z"));
      const { events, has_more: hasMore, ...rest } = expectList(response);
      expectSame(response, "events", events, []);
      expectSame(response, "has_more", hasMore, false);
      expectSame(response, "next_updated_since", rest.next_updated_since, rest.server_time);
    },
  },
  "link-names-the-next-page": {
    title: "While there is more, Link names the next page with rel=next; else there is none",
    section: "Trellis decision, events service: events, Link",
    async run(server) {
      await readAllChanges(server, 2);
      const response = await server.list(query(1, EPOCH));
      const { next_updated_since: next } = expectList(response);
      const path = `${server.publicUrl}${EVENTS}?${query(1, next)}`;
      expectHeader(response, "Link", `<${path}>; rel="next"`);
      expectHeader(
        await server.list(query(CLIENT_LIMIT, "2999-01-01T00:00:00Z")),
        "Link",
        undefined,
      );
    },
  },
  "server-time-is-now": {
    title: "server_time is the time of the answer",
    section: "Trellis decision, events service: events, server_time",
    async run(server) {
      const response = await server.list("limit=1");
      const at = parseDateTime(expectList(response).server_time) ?? 0;
      const date = Date.parse(response.header("Date") ?? "");
      if (!(Math.abs(date - at) <= MARGIN_MS)) {
        fail(response, "server_time at the Date of the answer", describeValue({ at, date }));
      }
    },
  },
  "extras-are-announced": {
    title: "Every list announces what clients may use beyond the contract",
    section: "Trellis decision, events service: events, extras",
    run: (server) =>
      expectEach([query(1), query(1, EPOCH), query(1, "2999-01-01T00:00:00Z")], async (text) => {
        const response = await server.list(text);
        expectSame(response, "extras", expectList(response).extras, [...EVENTS_EXTRAS]);
      }),
  },
  "deletions-are-left-out": {
    title: "Deleted events are not listed unless they are asked for, and never in a full list",
    section: "Trellis decision, events service: events, deletions",
    async run(server) {
      const listed = [
        ...(await readChanges(server, CLIENT_LIMIT)),
        expectList(await server.list(query(CLIENT_LIMIT, undefined, "&include_deleted=true"))),
      ];
      const [deletion] = deletionsOf(listed);
      if (deletion !== undefined) fail(EVENTS, "no deletion", describeValue(deletion));
      const changes = await readChanges(server, CLIENT_LIMIT, EPOCH, "&include_deleted=true");
      const ids = new Set(idsOf(listed));
      const back = deletionsOf(changes).find(({ id }) => ids.has(id));
      if (back !== undefined) fail(EVENTS, "a deleted event nowhere else", describeValue(back.id));
    },
  },
  "deletions-are-listed-when-asked": {
    title:
      "With include_deleted=true a deletion is an event of the type info with its id and nothing else",
    section: "Trellis decision, events service: events, include_deleted",
    async run(server) {
      const pages = await readChanges(server, CLIENT_LIMIT, EPOCH, "&include_deleted=true");
      const deletions = deletionsOf(pages);
      if (deletions.length === 0) {
        const { length } = idsOf(await readAllChanges(server, 0));
        if (length < idsOf(pages).length) fail(EVENTS, "deletions that say so", "others");
        throw new NotTestableError("The account has no deleted event; delete one for the test");
      }
      const empty = { type: INFO_TYPE, subject_name: null, title: null, date: null, deleted: true };
      await expectEach(deletions, ({ id, created_at: _at, ...event }) =>
        expectSame(EVENTS, `the deletion ${id}`, event, empty),
      );
    },
  },
});

function isDateTimeOrNull(value: unknown): boolean {
  return value === null || (typeof value === "string" && isDateTime(value));
}

function deletionsOf(pages: readonly EventList[]): EventList["events"] {
  return eventsOf(pages).filter((event) => "deleted" in event);
}

/** The moment of a date; a whole day begins at midnight UTC. */
function momentOf(date: string): number {
  return parseDateTime(date.includes("T") ? date : `${date}T00:00:00Z`) ?? 0;
}
