import type { RawRequest } from "../../../src/http/request-context.ts";
import {
  changeResponse,
  changeQuery,
  editBody,
  ignoreHeader,
  pathOf,
  queryValue,
  withBody,
  withHeader,
  withoutHeader,
  withRequestHeader,
  withStatus,
  type Body,
  type BrokenResponse,
} from "./break.ts";
import {
  at,
  changeEvents,
  changeList,
  errorLike,
  EVENTS,
  keepFirst,
  misreadQuery,
  refuseWhen,
  TOKEN,
  type EventsBreak,
} from "./events-break.ts";

const isList = (exchange: RawRequest) => pathOf(exchange) === EVENTS;
const sinceOf = (exchange: RawRequest) => queryValue(exchange, "updated_since");
const misreadSince = (edit: (since: string) => string) =>
  misreadQuery(EVENTS, (query) => {
    const since = query.get("updated_since");
    if (since !== null) query.set("updated_since", edit(since));
  });
const later = (moment: string, milliseconds: number) =>
  new Date(Date.parse(moment) + milliseconds).toISOString();

/** Lets requests in that have no good token, with one that was given to somebody. */
function letIn(picks: (exchange: RawRequest) => boolean): BrokenResponse {
  let token = "";
  return async (exchange, { honest }) => {
    const isOpen = isList(exchange) && token !== "" && picks(exchange);
    const bearer = `Bearer ${token}`;
    const answer = await honest(
      isOpen ? withRequestHeader(exchange, "authorization", bearer) : exchange,
    );
    if (answer.status === 200 && pathOf(exchange) === TOKEN) {
      token = String((JSON.parse(String(answer.body)) as Body)["access_token"]);
    }
    return answer;
  };
}

export const EVENTS_BREAKS_OF_THE_LIST: readonly EventsBreak[] = [
  {
    name: "answers the bare list",
    caughtBy: ["events-are-a-json-object", "events-are-an-array-of-objects"],
    answer: changeList(({ events }) => events),
  },
  {
    name: "calls its JSON plain text",
    caughtBy: ["events-are-a-json-object"],
    answer: changeResponse(at(EVENTS, 200), (answer) =>
      withHeader(answer, "Content-Type", "text/plain"),
    ),
  },
  {
    name: "lists events by their ids",
    caughtBy: ["events-are-an-array-of-objects"],
    answer: changeList((list) => ({
      ...list,
      events: Object.fromEntries(list.events.map((event) => [event["id"], event])),
    })),
  },
  {
    name: "has numbers for ids",
    caughtBy: ["event-ids-are-text", "events-have-all-six-members"],
    answer: changeEvents((event, index) => ({ ...event, id: index })),
  },
  {
    name: "lists an event twice",
    caughtBy: ["event-ids-are-unique"],
    answer: changeList((list) => ({
      ...list,
      events: [...list.events, ...list.events.slice(0, 1)],
    })),
  },
  {
    name: "makes up new ids each time",
    caughtBy: ["event-ids-are-stable"],
    createAnswer: () => {
      let count = 0;
      return changeEvents((event) => ({ ...event, id: `event-${++count}` }));
    },
  },
  {
    name: "has no types",
    caughtBy: ["event-types-are-text"],
    answer: changeEvents((event) => ({ ...event, type: null })),
  },
  {
    name: "has titles in several languages",
    caughtBy: ["event-texts-are-text-or-null"],
    answer: changeEvents((event) => ({ ...event, title: { en: event["title"] } })),
  },
  {
    name: "writes dates as people do",
    caughtBy: ["event-dates-are-iso-8601", "event-dates-are-strict"],
    answer: changeEvents((event) => ({ ...event, date: "01.09.2026" })),
  },
  {
    name: "writes created_at in seconds",
    caughtBy: ["created-at-is-iso-8601"],
    answer: changeEvents((event) => ({ ...event, created_at: 1_767_600_000 })),
  },
  {
    name: "writes times without an offset",
    caughtBy: ["event-dates-are-strict"],
    answer: changeEvents((event) => ({
      ...event,
      date: event["date"] === null ? null : `${String(event["date"])}T08:00`,
    })),
  },
  {
    name: "does not mind the limit",
    caughtBy: ["limit-bounds-the-list"],
    answer: misreadQuery(EVENTS, (query) => query.set("limit", "500")),
  },
  {
    name: "takes no moment without an offset",
    caughtBy: ["updated-since-is-any-iso-8601-date-time"],
    answer: refuseWhen((exchange) => sinceOf(exchange)?.endsWith("123456") === true),
  },
  {
    name: "forgets an event among the changes",
    caughtBy: ["everything-changed-since-the-beginning"],
    answer: changeResponse(
      (answer, exchange) => at(EVENTS, 200)(answer, exchange) && sinceOf(exchange) !== null,
      (answer) =>
        editBody<{ events: unknown[] }>(answer, (list) => ({
          ...list,
          events: list.events.slice(1),
        })),
    ),
  },
  {
    name: "shows events to anybody",
    caughtBy: ["events-need-a-token", "unknown-tokens-get-no-events"],
    answer: changeResponse(at(EVENTS, 401), (answer) =>
      withBody({ ...answer, status: 200 }, '{"events":[]}'),
    ),
  },
  {
    name: "takes another credential for none",
    caughtBy: ["missing-credentials-are-told-of-no-error"],
    answer: changeResponse(
      (answer, exchange) =>
        at(EVENTS, 401)(answer, exchange) && exchange.header("authorization") !== null,
      (answer) => errorLike(answer, "invalid_token"),
    ),
  },
  {
    name: "calls a malformed header a wrong token",
    caughtBy: ["malformed-credentials-are-400"],
    answer: changeResponse(at(EVENTS, 400), (answer) => errorLike(answer, "invalid_token")),
  },
  {
    name: "does not say what is wrong with a token",
    caughtBy: ["unknown-tokens-are-invalid-token"],
    answer: changeResponse(at(EVENTS, 401), (answer) => withoutHeader(answer, "WWW-Authenticate")),
  },
  {
    name: "takes a token from the query",
    caughtBy: ["tokens-are-not-taken-from-the-query"],
    answer: (exchange, { honest }) => {
      const token = queryValue(exchange, "access_token");
      if (token === null) return honest(exchange);
      const moved = changeQuery(exchange, (query) => query.delete("access_token"));
      return honest(withRequestHeader(moved, "authorization", `Bearer ${token}`));
    },
  },
  {
    name: "overlooks a token in a form",
    caughtBy: ["tokens-are-not-taken-from-the-query"],
    answer: ignoreHeader("content-type", isList),
  },
  {
    name: "knows the scheme in one spelling",
    caughtBy: ["scheme-is-read-in-any-case"],
    answer: ignoreHeader(
      "authorization",
      (exchange) => exchange.header("authorization")?.startsWith("bearer ") === true,
    ),
  },
  {
    name: "shows events to whoever is signed in",
    caughtBy: ["cookies-open-no-events"],
    createAnswer: () => {
      const open = letIn((exchange) => exchange.header("cookie") !== null);
      return async (exchange, context) => {
        const answer = await open(exchange, context);
        return isList(exchange) && exchange.header("cookie") !== null
          ? withStatus(answer, 200)
          : answer;
      };
    },
  },
  {
    name: "reads numbers generously",
    caughtBy: ["limit-is-a-canonical-integer"],
    answer: misreadQuery(EVENTS, (query) => {
      const limit = query.get("limit");
      if (limit !== null) query.set("limit", String(Number(limit)));
    }),
  },
  {
    name: "has a limit of its own when none is given",
    caughtBy: ["limit-is-a-canonical-integer"],
    answer: misreadQuery(EVENTS, (query) => {
      if (!query.has("limit")) query.set("limit", "500");
    }),
  },
  {
    name: "takes no bare date",
    caughtBy: ["updated-since-takes-more-forms"],
    answer: refuseWhen((exchange) => /^\d{4}-\d{2}-\d{2}$/.test(sinceOf(exchange) ?? "")),
  },
  {
    name: "takes days that are in no calendar",
    caughtBy: ["updated-since-is-checked"],
    answer: misreadSince((since) => since.replace("02-30", "03-02")),
  },
  {
    name: "reads a plus sign in an address as one",
    caughtBy: ["updated-since-is-checked"],
    answer: misreadSince((since) => since.replace(/ (?=\d{2}:\d{2}$)/, "+")),
  },
  {
    name: "reads 1 as true",
    caughtBy: ["include-deleted-is-true-or-false"],
    answer: misreadQuery(EVENTS, (query) => {
      if (query.get("include_deleted") === "1") query.set("include_deleted", "true");
    }),
  },
  {
    name: "takes the first of two parameters of the list",
    caughtBy: ["repeated-list-parameters-are-invalid"],
    answer: misreadQuery(EVENTS, keepFirst),
  },
  {
    name: "refuses parameters of the list that it does not know",
    caughtBy: ["unknown-list-parameters-are-ignored"],
    answer: refuseWhen((exchange) => queryValue(exchange, "x") !== null),
  },
  {
    name: "looks at the query before the token",
    caughtBy: ["list-checks-the-token-first"],
    answer: refuseWhen((exchange) => queryValue(exchange, "limit") === "0"),
  },
  {
    name: "leaves out what is null",
    caughtBy: ["events-have-all-six-members"],
    answer: changeEvents((event) =>
      Object.fromEntries(Object.entries(event).filter(([, value]) => value !== null)),
    ),
  },
  {
    name: "tells more of events than it says",
    caughtBy: ["events-have-all-six-members"],
    answer: changeEvents((event) => ({ ...event, source: "manual" })),
  },
  {
    name: "lets caches keep a list",
    caughtBy: ["lists-are-private", "every-answer-is-never-stored"],
    answer: changeResponse(at(EVENTS, 200), (answer) =>
      withHeader(answer, "Cache-Control", "private, max-age=60"),
    ),
  },
  {
    name: "lists what was before what is coming",
    caughtBy: ["full-list-begins-with-what-is-coming"],
    answer: changeResponse(
      (answer, exchange) => at(EVENTS, 200)(answer, exchange) && sinceOf(exchange) === null,
      (answer) =>
        editBody<{ events: unknown[] }>(answer, (list) => ({
          ...list,
          events: list.events.toReversed(),
        })),
    ),
  },
  {
    name: "says that there is no more",
    caughtBy: [
      "full-list-that-does-not-fit-starts-anew",
      "pages-lose-nothing",
      "pages-are-full-while-there-is-more",
    ],
    answer: changeList((list) => ({ ...list, has_more: false })),
  },
  {
    name: "goes on from the present after a full list",
    caughtBy: ["full-list-that-fits-goes-on-after-it"],
    answer: changeList((list) => ({ ...list, next_updated_since: list.server_time })),
  },
  {
    name: "skips an event between pages",
    caughtBy: ["pages-lose-nothing", "page-size-changes-nothing"],
    answer: changeList((list) => ({
      ...list,
      next_updated_since: later(list.next_updated_since, 1),
    })),
  },
  {
    name: "lists an event on two pages",
    caughtBy: ["pages-lose-nothing"],
    answer: changeList((list) =>
      list.has_more && list.events.length > 1
        ? { ...list, next_updated_since: later(list.next_updated_since, -1) }
        : list,
    ),
  },
  {
    name: "orders each page by ids",
    caughtBy: ["page-size-changes-nothing"],
    answer: changeList((list) => ({ ...list, events: list.events.toReversed() })),
  },
  {
    name: "answers fewer events than there is room for",
    caughtBy: ["pages-are-full-while-there-is-more"],
    answer: misreadQuery(EVENTS, (query) => {
      const limit = Number(query.get("limit"));
      if (limit > 1) query.set("limit", String(limit - 1));
    }),
  },
  {
    name: "leaves out what changed at the very moment",
    caughtBy: ["updated-since-is-inclusive"],
    answer: misreadSince((since) => (since.includes("T") ? later(since, 1) : since)),
  },
  {
    name: "reads local times as UTC",
    caughtBy: ["missing-offsets-are-the-earliest-moment"],
    answer: misreadSince((since) => (/(?:Z|\d{2}:\d{2})$/.test(since) ? since : `${since}Z`)),
  },
  {
    name: "goes on from the future",
    caughtBy: ["the-future-is-empty"],
    answer: changeList((list) =>
      list.events.length === 0 ? { ...list, next_updated_since: "2999-01-01T00:00:00.000Z" } : list,
    ),
  },
  {
    name: "links to nothing",
    caughtBy: ["link-names-the-next-page"],
    answer: changeResponse(at(EVENTS, 200), (answer) => withoutHeader(answer, "Link")),
  },
  {
    name: "links to the next page when there is none",
    caughtBy: ["link-names-the-next-page"],
    answer: changeResponse(
      (answer, exchange) =>
        at(EVENTS, 200)(answer, exchange) && answer.headers["Link"] === undefined,
      (answer) => withHeader(answer, "Link", '</api/events>; rel="next"'),
    ),
  },
  {
    name: "has a clock that goes wrong",
    caughtBy: ["server-time-is-now"],
    answer: changeList((list) => ({ ...list, server_time: later(list.server_time, 3_600_000) })),
  },
  {
    name: "lists deletions to everybody",
    caughtBy: ["deletions-are-left-out"],
    answer: misreadQuery(EVENTS, (query) => {
      if (query.has("updated_since")) query.set("include_deleted", "true");
    }),
  },
  {
    name: "keeps the title of what is deleted",
    caughtBy: ["deletions-are-listed-when-asked"],
    answer: changeEvents((event) =>
      event["deleted"] === true ? { ...event, title: "Chapter 99" } : event,
    ),
  },
  {
    name: "does not mark deletions",
    caughtBy: ["deletions-are-listed-when-asked"],
    answer: changeEvents(({ deleted: _deleted, ...event }) => event),
  },
];
