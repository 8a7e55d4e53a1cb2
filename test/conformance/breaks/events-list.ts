import type { RawRequest } from "../../../src/http/request.ts";
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
  type BrokenResponder,
  toBreaks,
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

const isList = (request: RawRequest) => pathOf(request) === EVENTS;
const sinceOf = (request: RawRequest) => queryValue(request, "updated_since");
const misreadSince = (edit: (since: string) => string) =>
  misreadQuery(EVENTS, (query) => {
    const since = query.get("updated_since");
    if (since !== null) query.set("updated_since", edit(since));
  });
const later = (moment: string, milliseconds: number) =>
  new Date(Date.parse(moment) + milliseconds).toISOString();

/** Passes requests without a valid token on with the token of another request. */
function letIn(picks: (request: RawRequest) => boolean): BrokenResponder {
  let token = "";
  return async (request, { real }) => {
    const isOpen = isList(request) && token !== "" && picks(request);
    const bearer = `Bearer ${token}`;
    const response = await real(
      isOpen ? withRequestHeader(request, "authorization", bearer) : request,
    );
    if (response.status === 200 && pathOf(request) === TOKEN) {
      token = String((JSON.parse(String(response.body)) as Body)["access_token"]);
    }
    return response;
  };
}

export const EVENTS_BREAKS_OF_THE_LIST = toBreaks<EventsBreak>({
  "events-are-a-json-object, events-are-an-array-of-objects": {
    "sends the bare list": changeList(({ events }) => events),
  },
  "events-are-a-json-object": {
    "calls its JSON plain text": changeResponse(at(EVENTS, 200), (response) =>
      withHeader(response, "Content-Type", "text/plain"),
    ),
  },
  "events-are-an-array-of-objects": {
    "lists events by their ids": changeList((list) => ({
      ...list,
      events: Object.fromEntries(list.events.map((event) => [event["id"], event])),
    })),
  },
  "event-ids-are-text, events-have-all-six-members": {
    "has numbers for ids": changeEvents((event, index) => ({ ...event, id: index })),
  },
  "event-ids-are-unique": {
    "lists an event twice": changeList((list) => ({
      ...list,
      events: [...list.events, ...list.events.slice(0, 1)],
    })),
  },
  "event-ids-are-stable": {
    "makes up new ids each time": {
      createResponder: () => {
        let count = 0;
        return changeEvents((event) => ({ ...event, id: `event-${++count}` }));
      },
    },
  },
  "event-types-are-text": {
    "has no types": changeEvents((event) => ({ ...event, type: null })),
  },
  "event-texts-are-text-or-null": {
    "has titles in several languages": changeEvents((event) => ({
      ...event,
      title: { en: event["title"] },
    })),
  },
  "event-dates-are-iso-8601, event-dates-are-strict": {
    "writes dates as people do": changeEvents((event) => ({ ...event, date: "01.09.2026" })),
  },
  "created-at-is-iso-8601": {
    "writes created_at in seconds": changeEvents((event) => ({
      ...event,
      created_at: 1_767_600_000,
    })),
  },
  "event-dates-are-strict": {
    "writes times without an offset": changeEvents((event) => ({
      ...event,
      date: event["date"] === null ? null : `${String(event["date"])}T08:00`,
    })),
  },
  "limit-bounds-the-list": {
    "does not mind the limit": misreadQuery(EVENTS, (query) => query.set("limit", "500")),
  },
  "updated-since-is-any-iso-8601-date-time": {
    "takes no moment without an offset": refuseWhen(
      (request) => sinceOf(request)?.endsWith("123456") === true,
    ),
  },
  "everything-changed-since-the-beginning": {
    "forgets an event among the changes": changeResponse(
      (response, request) => at(EVENTS, 200)(response, request) && sinceOf(request) !== null,
      (response) =>
        editBody<{ events: unknown[] }>(response, (list) => ({
          ...list,
          events: list.events.slice(1),
        })),
    ),
  },
  "events-need-a-token, unknown-tokens-get-no-events": {
    "shows events without a token": changeResponse(at(EVENTS, 401), (response) =>
      withBody({ ...response, status: 200 }, '{"events":[]}'),
    ),
  },
  "missing-credentials-are-told-of-no-error": {
    "takes another credential for none": changeResponse(
      (response, request) =>
        at(EVENTS, 401)(response, request) && request.header("authorization") !== null,
      (response) => errorLike(response, "invalid_token"),
    ),
  },
  "malformed-credentials-are-400": {
    "calls a malformed header a wrong token": changeResponse(at(EVENTS, 400), (response) =>
      errorLike(response, "invalid_token"),
    ),
  },
  "unknown-tokens-are-invalid-token": {
    "does not say what is wrong with a token": changeResponse(at(EVENTS, 401), (response) =>
      withoutHeader(response, "WWW-Authenticate"),
    ),
  },
  "tokens-are-not-taken-from-the-query": {
    "takes a token from the query": (request, { real }) => {
      const token = queryValue(request, "access_token");
      if (token === null) return real(request);
      const moved = changeQuery(request, (query) => query.delete("access_token"));
      return real(withRequestHeader(moved, "authorization", `Bearer ${token}`));
    },
    "overlooks a token in a form": ignoreHeader("content-type", isList),
  },
  "scheme-is-read-in-any-case": {
    "knows the scheme in one spelling": ignoreHeader(
      "authorization",
      (request) => request.header("authorization")?.startsWith("bearer ") === true,
    ),
  },
  "cookies-open-no-events": {
    "shows events to a signed-in session": {
      createResponder: () => {
        const open = letIn((request) => request.header("cookie") !== null);
        return async (request, context) => {
          const response = await open(request, context);
          return isList(request) && request.header("cookie") !== null
            ? withStatus(response, 200)
            : response;
        };
      },
    },
  },
  "limit-is-a-canonical-integer": {
    "reads numbers generously": misreadQuery(EVENTS, (query) => {
      const limit = query.get("limit");
      if (limit !== null) query.set("limit", String(Number(limit)));
    }),
    "has a limit of its own when none is given": misreadQuery(EVENTS, (query) => {
      if (!query.has("limit")) query.set("limit", "500");
    }),
  },
  "updated-since-takes-more-forms": {
    "takes no bare date": refuseWhen((request) =>
      /^\d{4}-\d{2}-\d{2}$/.test(sinceOf(request) ?? ""),
    ),
  },
  "updated-since-is-checked": {
    "takes days that are in no calendar": misreadSince((since) => since.replace("02-30", "03-02")),
    "reads a plus sign in an address as one": misreadSince((since) =>
      since.replace(/ (?=\d{2}:\d{2}$)/, "+"),
    ),
  },
  "include-deleted-is-true-or-false": {
    "reads 1 as true": misreadQuery(EVENTS, (query) => {
      if (query.get("include_deleted") === "1") query.set("include_deleted", "true");
    }),
  },
  "repeated-list-parameters-are-invalid": {
    "takes the first of two parameters of the list": misreadQuery(EVENTS, keepFirst),
  },
  "unknown-list-parameters-are-ignored": {
    "refuses parameters of the list that it does not know": refuseWhen(
      (request) => queryValue(request, "x") !== null,
    ),
  },
  "list-checks-the-token-first": {
    "looks at the query before the token": refuseWhen(
      (request) => queryValue(request, "limit") === "0",
    ),
  },
  "events-have-all-six-members": {
    "leaves out what is null": changeEvents((event) =>
      Object.fromEntries(Object.entries(event).filter(([, value]) => value !== null)),
    ),
    "tells more of events than it says": changeEvents((event) => ({ ...event, source: "manual" })),
  },
  "lists-are-private, every-answer-is-never-stored": {
    "lets caches keep a list": changeResponse(at(EVENTS, 200), (response) =>
      withHeader(response, "Cache-Control", "private, max-age=60"),
    ),
  },
  "full-list-begins-with-what-is-coming": {
    "lists what was before what is coming": changeResponse(
      (response, request) => at(EVENTS, 200)(response, request) && sinceOf(request) === null,
      (response) =>
        editBody<{ events: unknown[] }>(response, (list) => ({
          ...list,
          events: list.events.toReversed(),
        })),
    ),
  },
  "full-list-that-does-not-fit-starts-anew, pages-lose-nothing, pages-are-full-while-there-is-more":
    {
      "says that there is no more": changeList((list) => ({ ...list, has_more: false })),
    },
  "full-list-that-fits-goes-on-after-it": {
    "goes on from the present after a full list": changeList((list) => ({
      ...list,
      next_updated_since: list.server_time,
    })),
  },
  "pages-lose-nothing, page-size-changes-nothing": {
    "skips an event between pages": changeList((list) => ({
      ...list,
      next_updated_since: later(list.next_updated_since, 1),
    })),
  },
  "pages-lose-nothing": {
    "lists an event on two pages": changeList((list) =>
      list.has_more && list.events.length > 1
        ? { ...list, next_updated_since: later(list.next_updated_since, -1) }
        : list,
    ),
  },
  "page-size-changes-nothing": {
    "orders each page by ids": changeList((list) => ({
      ...list,
      events: list.events.toReversed(),
    })),
  },
  "pages-are-full-while-there-is-more": {
    "sends fewer events than there is room for": misreadQuery(EVENTS, (query) => {
      const limit = Number(query.get("limit"));
      if (limit > 1) query.set("limit", String(limit - 1));
    }),
  },
  "updated-since-is-inclusive": {
    "leaves out what changed at the very moment": misreadSince((since) =>
      since.includes("T") ? later(since, 1) : since,
    ),
  },
  "missing-offsets-are-the-earliest-moment": {
    "reads local times as UTC": misreadSince((since) =>
      /(?:Z|\d{2}:\d{2})$/.test(since) ? since : `${since}Z`,
    ),
  },
  "the-future-is-empty": {
    "goes on from the future": changeList((list) =>
      list.events.length === 0 ? { ...list, next_updated_since: "2999-01-01T00:00:00.000Z" } : list,
    ),
  },
  "link-names-the-next-page": {
    "links to nothing": changeResponse(at(EVENTS, 200), (response) =>
      withoutHeader(response, "Link"),
    ),
    "links to the next page when there is none": changeResponse(
      (response, request) =>
        at(EVENTS, 200)(response, request) && response.headers["Link"] === undefined,
      (response) => withHeader(response, "Link", '</api/events>; rel="next"'),
    ),
  },
  "server-time-is-now": {
    "has a clock that goes wrong": changeList((list) => ({
      ...list,
      server_time: later(list.server_time, 3_600_000),
    })),
  },
  "extras-are-announced, events-have-all-six-members": {
    "announces nothing of what it can do": changeList((list) => ({ ...list, extras: undefined })),
  },
  "extras-are-announced": {
    "announces no deletions": changeList((list) => ({ ...list, extras: ["pages", "server_time"] })),
  },
  "deletions-are-left-out": {
    "lists deletions to everybody": misreadQuery(EVENTS, (query) => {
      if (query.has("updated_since")) query.set("include_deleted", "true");
    }),
  },
  "deletions-are-listed-when-asked": {
    "keeps the title of what is deleted": changeEvents((event) =>
      event["deleted"] === true ? { ...event, title: "Chapter 99" } : event,
    ),
    "does not mark deletions": changeEvents(({ deleted: _deleted, ...event }) => event),
  },
});
