import type { Members } from "../../../../src/contract/is-object.ts";
import { parseIsoDate } from "../../../../src/rules/events/iso-date.ts";
import { skipUnless } from "../../../case.ts";
import { describeValue, expectEach, expectSame, fail } from "../../../expect.ts";
import { randomText } from "../../../sign-in-keys.ts";
import {
  expectAnyEvents,
  expectFailure,
  expectJsonType,
  expectObject,
} from "../../expectations.ts";
import { checkEveryEvent, CLIENT_LIMIT, EPOCH, listEvents, query } from "../../list.ts";
import { EVENTS, listWithToken } from "../../requests.ts";
import { eventsCases } from "../../server-under-test.ts";

export const CONTRACT_EVENTS_CASES = eventsCases({
  "events-are-a-json-object": {
    title: "The list of events is a JSON object with status 200",
    section: "events contract, GET /api/events; Events response",
    async run(server) {
      const response = await server.list(query(CLIENT_LIMIT));
      expectObject(response);
      expectJsonType(response);
    },
  },
  "events-are-an-array-of-objects": {
    title: "The member events, where it is there, is an array of objects",
    section: "events contract, Events response: events",
    async run(server) {
      expectAnyEvents(await server.list(query(CLIENT_LIMIT)));
    },
  },
  "event-ids-are-text": {
    title: "Every event has an id that is a string and not empty",
    section: "events contract, Event: id",
    run: checkEveryEvent(({ id }) => {
      if (typeof id !== "string" || id === "") {
        fail(EVENTS, "an id that is a string", describeValue(id));
      }
    }),
  },
  "event-ids-are-unique": {
    title: "No id is listed twice",
    section: "events contract, Event: id, prevents duplicate imports",
    async run(server) {
      const seen = new Set<unknown>();
      await expectEach(await listEvents(server), ({ id }) => {
        if (seen.has(id)) fail(EVENTS, "each id once", `${describeValue(id)} twice`);
        seen.add(id);
      });
    },
  },
  "event-ids-are-stable": {
    title: "An event has the same id in every answer",
    section: "events contract, Event: id, stable identity",
    async run(server) {
      const first = idsByContent(await listEvents(server));
      const second = idsByContent(await listEvents(server));
      await expectEach(first, ([content, ids]) => {
        const again = second.get(content);
        if (again === undefined || again.length !== ids.length) return;
        expectSame(EVENTS, "ids", again.toSorted(), ids.toSorted());
      });
    },
  },
  "event-types-are-text": {
    title: "Every event has a type that is a string",
    section: "events contract, Event: type",
    run: checkEveryEvent(({ id, type }) => {
      if (typeof type === "string") return;
      fail(EVENTS, `a type of ${describeValue(id)} that is a string`, describeValue(type));
    }),
  },
  "event-texts-are-text-or-null": {
    title: "subject_name and title are strings, null, or not there",
    section: "events contract, Event: subject_name, title",
    run: checkEveryEvent((event) => {
      for (const name of ["subject_name", "title"]) {
        const value = event[name] ?? null;
        if (value === null || typeof value === "string") continue;
        fail(EVENTS, `${name} of ${describeValue(event["id"])} as text`, describeValue(value));
      }
    }),
  },
  "event-dates-are-iso-8601": {
    title: "A date is an ISO 8601 date or date-time in the calendar, null, or not there",
    section: "events contract, Event: date; import rule 2",
    run: checkEveryEvent(({ id, date }) => {
      if (isEventDate(date)) return;
      fail(EVENTS, `a date of ${describeValue(id)} in ISO 8601`, describeValue(date));
    }),
  },
  "created-at-is-iso-8601": {
    title: "created_at is an ISO 8601 date-time in the calendar, null, or not there",
    section: "events contract, Event: created_at",
    run: checkEveryEvent(({ id, created_at: at }) => {
      if (isEventDate(at)) return;
      fail(EVENTS, `created_at of ${describeValue(id)} in ISO 8601`, describeValue(at));
    }),
  },
  "limit-bounds-the-list": {
    title: "No more events come than the limit allows",
    section: "events contract, GET /api/events: limit",
    async run(server) {
      const { length } = await listEvents(server, 2);
      await expectEach([1, length - 1], async (limit) => {
        const response = await server.list(query(limit));
        const { length: received } = expectAnyEvents(response);
        if (received > limit) fail(response, `at most ${limit} events`, `${received}`);
      });
    },
  },
  "updated-since-is-any-iso-8601-date-time": {
    title: "updated_since is taken with Z, with an offset, with fractions and without an offset",
    section: "events contract, GET /api/events: updated_since",
    async run(server) {
      const moments = [
        "2026-08-21T10:15:30Z",
        "2026-08-21T10:15:30.123Z",
        "2026-08-21T12:15:30+02:00",
        "2026-08-21T10:15:30.123456",
      ];
      await expectEach(moments, async (moment) =>
        expectAnyEvents(await server.list(query(CLIENT_LIMIT, moment))),
      );
    },
  },
  "everything-changed-since-the-beginning": {
    title: "An incremental list from 1970 on has every event of the full list",
    section: "events contract, GET /api/events: updated_since, incremental sync",
    async run(server) {
      const full = await listEvents(server);
      const isWhole = full.length < CLIENT_LIMIT;
      skipUnless(isWhole, "The account has more events than fit into one answer");
      const changed = expectAnyEvents(await server.list(query(CLIENT_LIMIT, EPOCH)));
      const ids = new Set(changed.map(({ id }) => id));
      await expectEach(full, ({ id }) => {
        if (!ids.has(id)) fail(EVENTS, `${describeValue(id)} among the changes`, "nothing");
      });
    },
  },
  "events-need-a-token": {
    title: "Without a token there are no events",
    section: "events contract, GET /api/events; Authentication 3; Errors",
    async run({ api }) {
      expectFailure(await api.get(`${EVENTS}?${query(CLIENT_LIMIT)}`));
    },
  },
  "unknown-tokens-get-no-events": {
    title: "With a token that was never given there are no events",
    section: "events contract, Authentication 3 and 4; Errors",
    async run(server) {
      expectFailure(await listWithToken(server, randomText(43), query(CLIENT_LIMIT)));
    },
  },
});

function isEventDate(value: unknown = null): boolean {
  return value === null || (typeof value === "string" && parseIsoDate(value).kind !== "invalid");
}

/** The ids by the rest of the event: an event that changed between two lists proves nothing. */
function idsByContent(events: readonly Members[]): Map<string, unknown[]> {
  const ids = new Map<string, unknown[]>();
  for (const { id, ...content } of events) {
    const key = JSON.stringify(content);
    ids.set(key, [...(ids.get(key) ?? []), id]);
  }
  return ids;
}
