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

export const EVENTS_BREAKS_OF_THE_LIST: readonly EventsBreak[] = [
  {
    name: "sends the bare list",
    caughtBy: ["events-are-a-json-object", "events-are-an-array-of-objects"],
    respond: changeList(({ events }) => events),
  },
  {
    name: "calls its JSON plain text",
    caughtBy: ["events-are-a-json-object"],
    respond: changeResponse(at(EVENTS, 200), (response) =>
      withHeader(response, "Content-Type", "text/plain"),
    ),
  },
  {
    name: "lists events by their ids",
    caughtBy: ["events-are-an-array-of-objects"],
    respond: changeList((list) => ({
      ...list,
      events: Object.fromEntries(list.events.map((event) => [event["id"], event])),
    })),
  },
  {
    name: "has numbers for ids",
    caughtBy: ["event-ids-are-text", "events-have-all-six-members"],
    respond: changeEvents((event, index) => ({ ...event, id: index })),
  },
  {
    name: "lists an event twice",
    caughtBy: ["event-ids-are-unique"],
    respond: changeList((list) => ({
      ...list,
      events: [...list.events, ...list.events.slice(0, 1)],
    })),
  },
  {
    name: "makes up new ids each time",
    caughtBy: ["event-ids-are-stable"],
    createResponder: () => {
      let count = 0;
      return changeEvents((event) => ({ ...event, id: `event-${++count}` }));
    },
  },
  {
    name: "has no types",
    caughtBy: ["event-types-are-text"],
    respond: changeEvents((event) => ({ ...event, type: null })),
  },
  {
    name: "has titles in several languages",
    caughtBy: ["event-texts-are-text-or-null"],
    respond: changeEvents((event) => ({ ...event, title: { en: event["title"] } })),
  },
  {
    name: "writes dates as people do",
    caughtBy: ["event-dates-are-iso-8601", "event-dates-are-strict"],
    respond: changeEvents((event) => ({ ...event, date: "01.09.2026" })),
  },
  {
    name: "writes created_at in seconds",
    caughtBy: ["created-at-is-iso-8601"],
    respond: changeEvents((event) => ({ ...event, created_at: 1_767_600_000 })),
  },
  {
    name: "writes times without an offset",
    caughtBy: ["event-dates-are-strict"],
    respond: changeEvents((event) => ({
      ...event,
      date: event["date"] === null ? null : `${String(event["date"])}T08:00`,
    })),
  },
  {
    name: "does not mind the limit",
    caughtBy: ["limit-bounds-the-list"],
    respond: misreadQuery(EVENTS, (query) => query.set("limit", "500")),
  },
  {
    name: "takes no moment without an offset",
    caughtBy: ["updated-since-is-any-iso-8601-date-time"],
    respond: refuseWhen((request) => sinceOf(request)?.endsWith("123456") === true),
  },
  {
    name: "forgets an event among the changes",
    caughtBy: ["everything-changed-since-the-beginning"],
    respond: changeResponse(
      (response, request) => at(EVENTS, 200)(response, request) && sinceOf(request) !== null,
      (response) =>
        editBody<{ events: unknown[] }>(response, (list) => ({
          ...list,
          events: list.events.slice(1),
        })),
    ),
  },
  {
    name: "shows events without a token",
    caughtBy: ["events-need-a-token", "unknown-tokens-get-no-events"],
    respond: changeResponse(at(EVENTS, 401), (response) =>
      withBody({ ...response, status: 200 }, '{"events":[]}'),
    ),
  },
  {
    name: "takes another credential for none",
    caughtBy: ["missing-credentials-are-told-of-no-error"],
    respond: changeResponse(
      (response, request) =>
        at(EVENTS, 401)(response, request) && request.header("authorization") !== null,
      (response) => errorLike(response, "invalid_token"),
    ),
  },
  {
    name: "calls a malformed header a wrong token",
    caughtBy: ["malformed-credentials-are-400"],
    respond: changeResponse(at(EVENTS, 400), (response) => errorLike(response, "invalid_token")),
  },
  {
    name: "does not say what is wrong with a token",
    caughtBy: ["unknown-tokens-are-invalid-token"],
    respond: changeResponse(at(EVENTS, 401), (response) =>
      withoutHeader(response, "WWW-Authenticate"),
    ),
  },
  {
    name: "takes a token from the query",
    caughtBy: ["tokens-are-not-taken-from-the-query"],
    respond: (request, { real }) => {
      const token = queryValue(request, "access_token");
      if (token === null) return real(request);
      const moved = changeQuery(request, (query) => query.delete("access_token"));
      return real(withRequestHeader(moved, "authorization", `Bearer ${token}`));
    },
  },
  {
    name: "overlooks a token in a form",
    caughtBy: ["tokens-are-not-taken-from-the-query"],
    respond: ignoreHeader("content-type", isList),
  },
  {
    name: "knows the scheme in one spelling",
    caughtBy: ["scheme-is-read-in-any-case"],
    respond: ignoreHeader(
      "authorization",
      (request) => request.header("authorization")?.startsWith("bearer ") === true,
    ),
  },
  {
    name: "shows events to a signed-in session",
    caughtBy: ["cookies-open-no-events"],
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
  {
    name: "reads numbers generously",
    caughtBy: ["limit-is-a-canonical-integer"],
    respond: misreadQuery(EVENTS, (query) => {
      const limit = query.get("limit");
      if (limit !== null) query.set("limit", String(Number(limit)));
    }),
  },
  {
    name: "has a limit of its own when none is given",
    caughtBy: ["limit-is-a-canonical-integer"],
    respond: misreadQuery(EVENTS, (query) => {
      if (!query.has("limit")) query.set("limit", "500");
    }),
  },
  {
    name: "takes no bare date",
    caughtBy: ["updated-since-takes-more-forms"],
    respond: refuseWhen((request) => /^\d{4}-\d{2}-\d{2}$/.test(sinceOf(request) ?? "")),
  },
  {
    name: "takes days that are in no calendar",
    caughtBy: ["updated-since-is-checked"],
    respond: misreadSince((since) => since.replace("02-30", "03-02")),
  },
  {
    name: "reads a plus sign in an address as one",
    caughtBy: ["updated-since-is-checked"],
    respond: misreadSince((since) => since.replace(/ (?=\d{2}:\d{2}$)/, "+")),
  },
  {
    name: "reads 1 as true",
    caughtBy: ["include-deleted-is-true-or-false"],
    respond: misreadQuery(EVENTS, (query) => {
      if (query.get("include_deleted") === "1") query.set("include_deleted", "true");
    }),
  },
  {
    name: "takes the first of two parameters of the list",
    caughtBy: ["repeated-list-parameters-are-invalid"],
    respond: misreadQuery(EVENTS, keepFirst),
  },
  {
    name: "refuses parameters of the list that it does not know",
    caughtBy: ["unknown-list-parameters-are-ignored"],
    respond: refuseWhen((request) => queryValue(request, "x") !== null),
  },
  {
    name: "looks at the query before the token",
    caughtBy: ["list-checks-the-token-first"],
    respond: refuseWhen((request) => queryValue(request, "limit") === "0"),
  },
  {
    name: "leaves out what is null",
    caughtBy: ["events-have-all-six-members"],
    respond: changeEvents((event) =>
      Object.fromEntries(Object.entries(event).filter(([, value]) => value !== null)),
    ),
  },
  {
    name: "tells more of events than it says",
    caughtBy: ["events-have-all-six-members"],
    respond: changeEvents((event) => ({ ...event, source: "manual" })),
  },
  {
    name: "lets caches keep a list",
    caughtBy: ["lists-are-private", "every-answer-is-never-stored"],
    respond: changeResponse(at(EVENTS, 200), (response) =>
      withHeader(response, "Cache-Control", "private, max-age=60"),
    ),
  },
  {
    name: "lists what was before what is coming",
    caughtBy: ["full-list-begins-with-what-is-coming"],
    respond: changeResponse(
      (response, request) => at(EVENTS, 200)(response, request) && sinceOf(request) === null,
      (response) =>
        editBody<{ events: unknown[] }>(response, (list) => ({
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
    respond: changeList((list) => ({ ...list, has_more: false })),
  },
  {
    name: "goes on from the present after a full list",
    caughtBy: ["full-list-that-fits-goes-on-after-it"],
    respond: changeList((list) => ({ ...list, next_updated_since: list.server_time })),
  },
  {
    name: "skips an event between pages",
    caughtBy: ["pages-lose-nothing", "page-size-changes-nothing"],
    respond: changeList((list) => ({
      ...list,
      next_updated_since: later(list.next_updated_since, 1),
    })),
  },
  {
    name: "lists an event on two pages",
    caughtBy: ["pages-lose-nothing"],
    respond: changeList((list) =>
      list.has_more && list.events.length > 1
        ? { ...list, next_updated_since: later(list.next_updated_since, -1) }
        : list,
    ),
  },
  {
    name: "orders each page by ids",
    caughtBy: ["page-size-changes-nothing"],
    respond: changeList((list) => ({ ...list, events: list.events.toReversed() })),
  },
  {
    name: "sends fewer events than there is room for",
    caughtBy: ["pages-are-full-while-there-is-more"],
    respond: misreadQuery(EVENTS, (query) => {
      const limit = Number(query.get("limit"));
      if (limit > 1) query.set("limit", String(limit - 1));
    }),
  },
  {
    name: "leaves out what changed at the very moment",
    caughtBy: ["updated-since-is-inclusive"],
    respond: misreadSince((since) => (since.includes("T") ? later(since, 1) : since)),
  },
  {
    name: "reads local times as UTC",
    caughtBy: ["missing-offsets-are-the-earliest-moment"],
    respond: misreadSince((since) => (/(?:Z|\d{2}:\d{2})$/.test(since) ? since : `${since}Z`)),
  },
  {
    name: "goes on from the future",
    caughtBy: ["the-future-is-empty"],
    respond: changeList((list) =>
      list.events.length === 0 ? { ...list, next_updated_since: "2999-01-01T00:00:00.000Z" } : list,
    ),
  },
  {
    name: "links to nothing",
    caughtBy: ["link-names-the-next-page"],
    respond: changeResponse(at(EVENTS, 200), (response) => withoutHeader(response, "Link")),
  },
  {
    name: "links to the next page when there is none",
    caughtBy: ["link-names-the-next-page"],
    respond: changeResponse(
      (response, request) =>
        at(EVENTS, 200)(response, request) && response.headers["Link"] === undefined,
      (response) => withHeader(response, "Link", '</api/events>; rel="next"'),
    ),
  },
  {
    name: "has a clock that goes wrong",
    caughtBy: ["server-time-is-now"],
    respond: changeList((list) => ({ ...list, server_time: later(list.server_time, 3_600_000) })),
  },
  {
    name: "announces nothing of what it can do",
    caughtBy: ["extras-are-announced", "events-have-all-six-members"],
    respond: changeList((list) => ({ ...list, extras: undefined })),
  },
  {
    name: "announces no deletions",
    caughtBy: ["extras-are-announced"],
    respond: changeList((list) => ({ ...list, extras: ["pages", "server_time"] })),
  },
  {
    name: "lists deletions to everybody",
    caughtBy: ["deletions-are-left-out"],
    respond: misreadQuery(EVENTS, (query) => {
      if (query.has("updated_since")) query.set("include_deleted", "true");
    }),
  },
  {
    name: "keeps the title of what is deleted",
    caughtBy: ["deletions-are-listed-when-asked"],
    respond: changeEvents((event) =>
      event["deleted"] === true ? { ...event, title: "Chapter 99" } : event,
    ),
  },
  {
    name: "does not mark deletions",
    caughtBy: ["deletions-are-listed-when-asked"],
    respond: changeEvents(({ deleted: _deleted, ...event }) => event),
  },
];
