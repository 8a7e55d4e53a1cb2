/** Events clients with one error each. */
import type { EventsTask } from "../../../conformance/index.ts";
import type { EventsTaskResult, ImportedEvent } from "../../../conformance/events/driver/task.ts";
import { isObject } from "../../../src/contract/is-object.ts";
import { changeResponses, changeResult, changeTask, type ClientBreak } from "./driver-break.ts";

type EventsBreak = ClientBreak<EventsTask>;
type Run = EventsBreak["run"];
type Members = Record<string, unknown>;

const LIST = "/api/events";
const TOKEN = "/api/oauth/token";

/** The client reads another body than the one that was sent; null stands for an error. */
const changeText = (path: string, change: (text: string) => string | null): Run =>
  changeResponses(path, async (response) => {
    const changed = change(await response.text());
    return changed === null ? new Response(null, { status: 500 }) : new Response(changed, response);
  });

/** The client reads other entries. */
const changeEntries = (change: (entries: unknown[]) => unknown): Run =>
  changeText(LIST, (text) => {
    if (!text.startsWith('{"events":[')) return text;
    const list = JSON.parse(text) as { events: unknown[] };
    return JSON.stringify({ ...list, events: change(list.events) });
  });

const eachEvent = (change: (event: Members) => Members): Run =>
  changeEntries((entries) =>
    entries.map((entry) => (isObject(entry) ? { ...entry, ...change(entry) } : entry)),
  );

const filterEvents = (isTaken: (event: Members) => boolean): Run =>
  changeEntries((entries) => entries.filter((entry) => !isObject(entry) || isTaken(entry)));

const changeEnd = changeResult<EventsTask, EventsTaskResult>;

const changeImports = (
  change: (imported: readonly ImportedEvent[], task: EventsTask) => readonly ImportedEvent[],
): Run =>
  changeEnd(({ imported = [], ...result }, task) => ({
    ...result,
    imported: change(imported, task),
  }));

const eachImport = (changes: Partial<ImportedEvent>): Run =>
  changeImports((imported) => imported.map((one) => ({ ...one, ...changes })));

const changeKind = (from: EventsTaskResult["kind"], to: EventsTaskResult["kind"]): Run =>
  changeEnd((result) => (result.kind === from ? { ...result, kind: to } : result));

const changeAuthorizeUrl = (change: (url: string) => string): Run =>
  changeEnd((result) => {
    const { authorizeUrl } = result;
    return authorizeUrl === undefined ? result : { ...result, authorizeUrl: change(authorizeUrl) };
  });

const changeCallback = (change: (callback: URL, state: string) => void): Run =>
  changeTask(({ callbackUrl, state }) => {
    if (callbackUrl === undefined) return {};
    const callback = new URL(callbackUrl);
    change(callback, (state as { state: string }).state);
    return { callbackUrl: callback.href };
  });

/** The client sends its requests for events to another address. */
const changeRequests =
  (change: (url: URL) => void): Run =>
  (task, run) =>
    run(task, (address, init) => {
      const url = new URL(address);
      change(url);
      return fetch(url, init);
    });

/** It takes a sync for complete that was not, whatever it says. */
const forgetsWhatIsMissing =
  (end: object, change: (response: Response) => Promise<Response>): Run =>
  async (task, run) => {
    let isIncomplete = false;
    const result = await run(task, async (url, init) => {
      const response = await fetch(url, init);
      const changed = await change(response.clone());
      isIncomplete ||= changed.status !== response.status || changed.headers.has("Cut");
      return changed;
    });
    return isIncomplete ? { ...result, ...end } : result;
  };

const ADDRESS = "https://events.example";

/** A client that takes addresses which look so, in the place of a good one. */
const takesAddresses = (name: string, id: string, pattern: RegExp): EventsBreak => ({
  name: `takes an address ${name}`,
  caughtBy: [id],
  run: changeTask(({ address }) => ({ address: pattern.test(address) ? ADDRESS : address })),
});

/** A client that reads an error as if it were a list, or a token. */
const asOk = async (response: Response) => new Response(await response.text(), { status: 200 });

export const EVENTS_CLIENT_BREAKS: readonly EventsBreak[] = [
  takesAddresses("without https", "plain-http-is-refused", /^http:/),
  takesAddresses("of another scheme", "other-schemes-are-refused", /^(?!https?:)/),
  takesAddresses("with a port", "other-ports-are-refused", /:\d+$/),
  takesAddresses("with credentials", "credentials-are-refused", /@/),
  takesAddresses("with a path", "paths-are-refused", /\/\/[^/]*\/./),
  takesAddresses("with a query", "queries-are-refused", /\?/),
  takesAddresses("with a fragment", "fragments-are-refused", /#/),
  takesAddresses("of this device", "localhost-is-refused", /localhost/i),
  takesAddresses("that ends in .local", "local-names-are-refused", /\.local$/i),
  takesAddresses("of a private network", "private-addresses-are-refused", /\/\d/),
  {
    name: "takes an address as it is written alone",
    caughtBy: ["root-https-origins-are-taken"],
    run: async (task, run) =>
      /^https:\/\/[a-z.]+$/.test(task.address) ? run(task) : { kind: "address-refused" },
  },
  {
    name: "asks with the plain challenge",
    caughtBy: ["login-asks-with-pkce"],
    run: changeAuthorizeUrl((url) => url.replace("=S256", "=plain")),
  },
  {
    name: "has one state for every login",
    caughtBy: ["login-secrets-are-new"],
    run: changeAuthorizeUrl((url) => url.replace(/&state=[^&]*/, `&state=${"A".repeat(43)}`)),
  },
  {
    name: "redeems with another verifier",
    caughtBy: ["code-is-redeemed"],
    run: (task, run) =>
      run(task, (url, init) => {
        const body = new URLSearchParams(init.body as string);
        body.set("code_verifier", "A".repeat(43));
        return fetch(url, { ...init, body: body.toString() });
      }),
  },
  {
    name: "does not compare the state",
    caughtBy: ["callback-of-another-login-is-refused"],
    run: changeCallback((callback, state) => callback.searchParams.set("state", state)),
  },
  {
    name: "redeems whatever comes",
    caughtBy: ["callback-without-a-code-is-refused"],
    run: changeCallback(({ searchParams }) => {
      searchParams.delete("error");
      if (!searchParams.get("code")) searchParams.set("code", "undefined");
    }),
  },
  {
    name: "needs to be told the type of its token",
    caughtBy: ["token-response-has-more-members"],
    run: changeText(TOKEN, (text) => (text.includes("token_type") ? text : null)),
  },
  {
    name: "reads tokens of any status",
    caughtBy: ["failed-redemption-fails-the-login"],
    run: changeResponses(TOKEN, asOk),
  },
  {
    name: "is connected without a token",
    caughtBy: ["redemption-without-a-token-fails-the-login"],
    run: changeKind("not-connected", "connected"),
  },
  {
    name: "asks for everything since 1970",
    caughtBy: ["first-sync-asks-for-everything"],
    run: changeRequests(({ searchParams }) => {
      if (!searchParams.has("updated_since"))
        searchParams.set("updated_since", "1970-01-01T00:00:00Z");
    }),
  },
  {
    name: "asks for a thousand events",
    caughtBy: ["first-sync-asks-for-everything", "full-page-may-have-more"],
    run: changeRequests(({ searchParams }) => searchParams.set("limit", "1000")),
  },
  {
    name: "asks for deletions without being told of them",
    caughtBy: ["later-sync-asks-for-what-changed", "nothing-else-is-asked-unannounced"],
    run: changeRequests(({ searchParams }) => {
      if (searchParams.has("updated_since")) searchParams.set("include_deleted", "true");
    }),
  },
  {
    name: "goes by its own clock",
    caughtBy: ["clock-of-the-service-counts", "failed-sync-moves-nothing"],
    run: changeResponses(LIST, async (response) => {
      const { status } = response;
      return new Response(await response.text(), { status });
    }),
  },
  {
    name: "asks for what has changed by now",
    caughtBy: ["own-clock-counts-without-another", "clock-of-the-service-counts"],
    run: changeRequests(({ searchParams }) => {
      if (searchParams.has("updated_since")) {
        searchParams.set("updated_since", new Date().toISOString());
      }
    }),
  },
  {
    name: "forgets that a sync failed",
    caughtBy: ["failed-sync-moves-nothing"],
    run: forgetsWhatIsMissing(
      { kind: "failed" },
      async ({ status, headers }) =>
        new Response('{"events":[]}', { status: status === 500 ? 200 : status, headers }),
    ),
  },
  {
    name: "forgets that a page was full",
    caughtBy: ["full-page-is-not-complete"],
    run: forgetsWhatIsMissing(
      { mayHaveMore: true, message: "Some are missing" },
      async (response) => {
        const list = (await response.json()) as { events: unknown[] };
        if (list.events.length < 500) return Response.json(list, response);
        const headers = { Date: response.headers.get("Date") ?? "", Cut: "1" };
        return Response.json({ events: list.events.slice(1) }, { headers });
      },
    ),
  },
  {
    name: "does not tell what is missing",
    caughtBy: ["full-page-may-have-more", "full-page-is-not-complete"],
    run: changeEnd(({ message: _left, ...result }) => result),
  },
  {
    name: "finds something missing in every list",
    caughtBy: ["page-that-is-not-full-is-all"],
    run: changeEnd((result) => ({ ...result, mayHaveMore: true })),
  },
  {
    name: "reads the first page alone",
    caughtBy: ["announced-pages-are-read-or-missing"],
    run: changeText(LIST, (text) => text.replace('"has_more":true', '"has_more":false')),
  },
  {
    name: "asks for every page as often as it can",
    caughtBy: ["pages-in-circles-end"],
    run: changeResponses(LIST, async (response, init, url) => {
      for (let count = 0; count < 10; count++) await fetch(url, init);
      return response;
    }),
  },
  {
    name: "gives up when an extra is refused",
    caughtBy: ["refused-extra-is-followed-by-a-plain-request"],
    run: (task, run) => {
      let refused: Response | null = null;
      return run(task, async (url, init) => {
        const response = refused?.clone() ?? (await fetch(url, init));
        if (!response.ok) refused = response.clone();
        return response;
      });
    },
  },
  {
    name: "takes an ended token for a refused extra",
    caughtBy: ["refused-token-is-not-asked-again"],
    run: changeResponses(LIST, (response, _init, url) =>
      url.includes("include_deleted") ? new Response(null, { status: 400 }) : response,
    ),
  },
  {
    name: "remembers an announcement for ever",
    caughtBy: ["ended-announcement-ends-the-extras"],
    run: changeText(LIST, (text) => text.replace(/^{/, '{"extras":["deletions"],')),
  },
  {
    name: "puts its token into the address",
    caughtBy: ["token-is-sent-as-a-bearer-token"],
    run: (task, run) =>
      run(task, (url, init) => fetch(`${url}&access_token=${task.accessToken}`, init)),
  },
  {
    name: "refuses members that it does not know",
    caughtBy: ["unknown-members-are-ignored"],
    run: changeText(LIST, (text) => (text.includes("attachments") ? null : text)),
  },
  {
    name: "insists on events",
    caughtBy: ["absent-events-are-an-empty-list"],
    run: changeText(LIST, (text) => (text === "{}" ? null : text)),
  },
  {
    name: "reads application/json alone",
    caughtBy: ["lists-without-a-content-type-are-read"],
    run: changeResponses(LIST, (response) => {
      const isJson = response.headers.get("Content-Type")?.startsWith("application/json");
      return isJson ? response : new Response(null, { status: 500 });
    }),
  },
  {
    name: "gives up early",
    caughtBy: ["slow-lists-are-read", "silent-service-is-given-up", "dripping-service-is-given-up"],
    run: (task, run) =>
      run(task, (url, init) => fetch(url, { ...init, signal: AbortSignal.timeout(200) })),
  },
  {
    name: "reads lists of any status",
    caughtBy: ["other-statuses-fail"],
    run: changeResponses(LIST, asOk),
  },
  {
    name: "takes an ended token for any other failure",
    caughtBy: ["ended-token-needs-a-new-login"],
    run: changeKind("reconnect-needed", "failed"),
  },
  {
    name: "asks again at once",
    caughtBy: ["throttled-sync-is-not-repeated"],
    run: changeResponses(LIST, (response, init, url) =>
      response.ok ? response : fetch(url, init),
    ),
  },
  {
    name: "follows redirects",
    caughtBy: ["redirects-are-not-followed"],
    run: (task, run) => run(task, (url, init) => fetch(url, { ...init, redirect: "follow" })),
  },
  {
    name: "takes anything for an empty list",
    caughtBy: ["malformed-lists-fail"],
    run: changeText(LIST, (text) => (text.startsWith('{"events":[{') ? text : "{}")),
  },
  {
    name: "takes a part of a list for the whole",
    caughtBy: ["broken-connections-fail"],
    run: changeResponses(LIST, async ({ body }) => {
      let text = "";
      try {
        for await (const chunk of body ?? []) text += Buffer.from(chunk).toString();
      } catch {
        // The connection ended in the middle.
      }
      return new Response(text);
    }),
  },
  {
    name: "reads a list to its end",
    caughtBy: ["endless-list-is-refused"],
    run: changeResponses(
      LIST,
      async (response) => new Response(await response.arrayBuffer(), response),
    ),
  },
  {
    name: "stores its token with the rest",
    caughtBy: ["nothing-secret-is-printed"],
    run: changeEnd((result, { accessToken }) => ({
      ...result,
      state: accessToken,
    })),
  },
  {
    name: "shows the body of a failed request",
    caughtBy: ["nothing-secret-is-printed"],
    async run(task, run) {
      let message = "";
      const result = await run(task, async (url, init) => {
        const response = await fetch(url, init);
        message += await response.clone().text();
        return response;
      });
      return { ...result, message };
    },
  },
  {
    name: "imports nothing",
    caughtBy: ["actionable-events-become-habits"],
    run: changeImports(() => []),
  },
  {
    name: "imports notices",
    caughtBy: ["info-events-are-not-imported"],
    run: eachEvent(() => ({ type: "homework" })),
  },
  {
    name: "looks for info anywhere in a type",
    caughtBy: ["types-that-resemble-info-are-imported"],
    run: filterEvents(({ type }) => !String(type).includes("info")),
  },
  {
    name: "imports events without a date for today",
    caughtBy: ["events-without-a-date-are-not-imported"],
    run: eachEvent(({ date }) => ({
      date: typeof date === "string" && date ? date : "2026-09-01",
    })),
  },
  {
    name: "takes the creation for the date",
    caughtBy: ["creation-is-no-date"],
    run: eachEvent(({ date, created_at }) => ({ date: date ?? created_at })),
  },
  {
    name: "repairs dates",
    caughtBy: ["events-with-an-invalid-date-are-not-imported"],
    run: eachEvent(() => ({ date: "2026-09-01" })),
  },
  {
    name: "reads dates of the extended form alone",
    caughtBy: ["dates-have-every-form-of-iso-8601"],
    run: eachEvent(({ date }) => ({ date: /^\d{4}-\d\d-/.test(String(date)) ? date : null })),
  },
  {
    name: "reads dates without their hyphens",
    caughtBy: ["dates-of-mixed-forms-are-not-imported"],
    run: eachEvent(({ date }) => ({
      date: /^\d{4}-\d{4}$/.test(String(date)) ? String(date).replace("-", "") : date,
    })),
  },
  {
    name: "does not look at its habits",
    caughtBy: [
      "imported-events-are-not-imported-again",
      "archived-habits-count",
      "next-sync-imports-nothing-twice",
    ],
    run: changeTask(() => ({ habits: [] })),
  },
  {
    name: "overlooks archived habits",
    caughtBy: ["archived-habits-count"],
    run: changeTask(({ habits = [] }) => ({ habits: habits.filter(({ archived }) => !archived) })),
  },
  {
    name: "knows a habit by its name",
    caughtBy: ["ids-alone-tell-events-apart"],
    run: changeImports((imported, { habits = [] }) => {
      const names = new Set(habits.map(({ name }) => name));
      return imported.filter(({ name }) => !names.has(name));
    }),
  },
  {
    name: "imports an event for each time it is listed",
    caughtBy: ["repeated-events-are-imported-once"],
    run: changeImports((imported) => [...imported, ...imported.slice(-1)]),
  },
  {
    name: "prefers the subject to the title",
    caughtBy: ["names-fall-back"],
    run: eachEvent(({ title, subject_name }) => ({ title: subject_name ?? title })),
  },
  {
    name: "names habits after spaces",
    caughtBy: ["blank-names-fall-back"],
    run: eachEvent(({ title }) => ({ title: title === " \t " ? "-" : title })),
  },
  {
    name: "has one category for all",
    caughtBy: ["category-is-the-subject"],
    run: eachImport({ category: "Imported" }),
  },
  {
    name: "has one icon for all",
    caughtBy: ["icons-follow-the-type", "german-types-have-icons"],
    run: eachImport({ icon: "task" }),
  },
  {
    name: "finds a test in every contest",
    caughtBy: ["icons-follow-the-type"],
    run: eachEvent(({ type }) => ({ type: String(type).includes("test") ? "test" : type })),
  },
  {
    name: "forgets the day",
    caughtBy: ["source-is-retained"],
    run: eachImport({ occursOn: "2026-09-01" }),
  },
  {
    name: "takes the day as it is written",
    caughtBy: ["moments-fall-on-the-day-of-the-device"],
    run: eachEvent(({ date }) => ({ date: typeof date === "string" ? date.slice(0, 10) : date })),
  },
  {
    name: "reads only the extended form",
    caughtBy: ["every-form-of-iso-8601-is-read"],
    run: filterEvents(({ date }) => /^\d{4}-\d{2}-\d{2}(?:T.*(?:Z|:\d{2}))?$/.test(String(date))),
  },
  {
    name: "reads dates as well as it can",
    caughtBy: ["other-forms-of-dates-are-refused"],
    run: eachEvent(({ date }) => ({ date: date === "2026-09" ? "2026-09-01" : date })),
  },
  {
    name: "stops at an entry that is no event",
    caughtBy: ["entries-that-are-no-events-are-skipped"],
    run: changeEntries((entries) => {
      const first = entries.findIndex((entry) => !isObject(entry));
      return first === -1 ? entries : entries.slice(0, first);
    }),
  },
  {
    name: "skips events whose names are no text",
    caughtBy: ["members-of-a-wrong-type-count-as-null"],
    run: filterEvents(({ title }) => typeof title === "string"),
  },
  {
    name: "keeps its events by id in an object",
    caughtBy: ["names-of-language-members-are-ids"],
    run: changeEntries((entries) => {
      const eventsById: Members = {};
      for (const entry of entries) eventsById[String((entry as Members)["id"])] = entry;
      return Object.values(eventsById);
    }),
  },
];
