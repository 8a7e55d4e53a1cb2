/** Events clients with one error each. */
import type { EventsTask } from "../../../conformance/index.ts";
import type { EventsTaskResult, ImportedEvent } from "../../../conformance/events/driver/task.ts";
import { isObject } from "../../../src/contract/is-object.ts";
import {
  changeResponses,
  changeResult,
  changeTask,
  toClientBreaks,
  type ClientBreak,
} from "./driver-break.ts";

type Run = ClientBreak<EventsTask>["run"];
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

/** The client is given a good address in place of one that it must refuse. */
const takeAddress = (pattern: RegExp): Run =>
  changeTask(({ address }) => ({ address: pattern.test(address) ? ADDRESS : address }));

/** A client that reads an error as if it were a list, or a token. */
const asOk = async (response: Response) => new Response(await response.text(), { status: 200 });

export const EVENTS_CLIENT_BREAKS = toClientBreaks<EventsTask>({
  "plain-http-is-refused": {
    "takes an address without https": takeAddress(/^http:/),
  },
  "other-schemes-are-refused": {
    "takes an address of another scheme": takeAddress(/^(?!https?:)/),
  },
  "other-ports-are-refused": {
    "takes an address with a port": takeAddress(/:\d+$/),
  },
  "credentials-are-refused": {
    "takes an address with credentials": takeAddress(/@/),
  },
  "paths-are-refused": {
    "takes an address with a path": takeAddress(/\/\/[^/]*\/./),
  },
  "queries-are-refused": {
    "takes an address with a query": takeAddress(/\?/),
  },
  "fragments-are-refused": {
    "takes an address with a fragment": takeAddress(/#/),
  },
  "localhost-is-refused": {
    "takes an address of this device": takeAddress(/localhost/i),
  },
  "local-names-are-refused": {
    "takes an address that ends in .local": takeAddress(/\.local$/i),
  },
  "private-addresses-are-refused": {
    "takes an address of a private network": takeAddress(/\/\d/),
  },
  "root-https-origins-are-taken": {
    "takes an address as it is written alone": async (task, run) =>
      /^https:\/\/[a-z.]+$/.test(task.address) ? run(task) : { kind: "address-refused" },
  },
  "login-asks-with-pkce": {
    "asks with the plain challenge": changeAuthorizeUrl((url) => url.replace("=S256", "=plain")),
  },
  "login-secrets-are-new": {
    "has one state for every login": changeAuthorizeUrl((url) =>
      url.replace(/&state=[^&]*/, `&state=${"A".repeat(43)}`),
    ),
  },
  "code-is-redeemed": {
    "redeems with another verifier": (task, run) =>
      run(task, (url, init) => {
        const body = new URLSearchParams(init.body as string);
        body.set("code_verifier", "A".repeat(43));
        return fetch(url, { ...init, body: body.toString() });
      }),
  },
  "callback-of-another-login-is-refused": {
    "does not compare the state": changeCallback((callback, state) =>
      callback.searchParams.set("state", state),
    ),
  },
  "callback-without-a-code-is-refused": {
    "redeems whatever comes": changeCallback(({ searchParams }) => {
      searchParams.delete("error");
      if (!searchParams.get("code")) searchParams.set("code", "undefined");
    }),
  },
  "token-response-has-more-members": {
    "needs to be told the type of its token": changeText(TOKEN, (text) =>
      text.includes("token_type") ? text : null,
    ),
  },
  "failed-redemption-fails-the-login": {
    "reads tokens of any status": changeResponses(TOKEN, asOk),
  },
  "redemption-without-a-token-fails-the-login": {
    "is connected without a token": changeKind("not-connected", "connected"),
  },
  "first-sync-asks-for-everything": {
    "asks for everything since 1970": changeRequests(({ searchParams }) => {
      if (!searchParams.has("updated_since"))
        searchParams.set("updated_since", "1970-01-01T00:00:00Z");
    }),
  },
  "first-sync-asks-for-everything, full-page-may-have-more": {
    "asks for a thousand events": changeRequests(({ searchParams }) =>
      searchParams.set("limit", "1000"),
    ),
  },
  "later-sync-asks-for-what-changed, nothing-else-is-asked-unannounced": {
    "asks for deletions without being told of them": changeRequests(({ searchParams }) => {
      if (searchParams.has("updated_since")) searchParams.set("include_deleted", "true");
    }),
  },
  "clock-of-the-service-counts, failed-sync-moves-nothing": {
    "goes by its own clock": changeResponses(LIST, async (response) => {
      const { status } = response;
      return new Response(await response.text(), { status });
    }),
  },
  "own-clock-counts-without-another, clock-of-the-service-counts": {
    "asks for what has changed by now": changeRequests(({ searchParams }) => {
      if (searchParams.has("updated_since")) {
        searchParams.set("updated_since", new Date().toISOString());
      }
    }),
  },
  "failed-sync-moves-nothing": {
    "forgets that a sync failed": forgetsWhatIsMissing(
      { kind: "failed" },
      async ({ status, headers }) =>
        new Response('{"events":[]}', { status: status === 500 ? 200 : status, headers }),
    ),
  },
  "full-page-is-not-complete": {
    "forgets that a page was full": forgetsWhatIsMissing(
      { mayHaveMore: true, message: "Some are missing" },
      async (response) => {
        const list = (await response.json()) as { events: unknown[] };
        if (list.events.length < 500) return Response.json(list, response);
        const headers = { Date: response.headers.get("Date") ?? "", Cut: "1" };
        return Response.json({ events: list.events.slice(1) }, { headers });
      },
    ),
  },
  "full-page-may-have-more, full-page-is-not-complete": {
    "does not tell what is missing": changeEnd(({ message: _left, ...result }) => result),
  },
  "page-that-is-not-full-is-all": {
    "finds something missing in every list": changeEnd((result) => ({
      ...result,
      mayHaveMore: true,
    })),
  },
  "announced-pages-are-read-or-missing": {
    "reads the first page alone": changeText(LIST, (text) =>
      text.replace('"has_more":true', '"has_more":false'),
    ),
  },
  "pages-in-circles-end": {
    "asks for every page as often as it can": changeResponses(LIST, async (response, init, url) => {
      for (let count = 0; count < 10; count++) await fetch(url, init);
      return response;
    }),
  },
  "refused-extra-is-followed-by-a-plain-request": {
    "gives up when an extra is refused": (task, run) => {
      let refused: Response | null = null;
      return run(task, async (url, init) => {
        const response = refused?.clone() ?? (await fetch(url, init));
        if (!response.ok) refused = response.clone();
        return response;
      });
    },
  },
  "refused-token-is-not-asked-again": {
    "takes an ended token for a refused extra": changeResponses(LIST, (response, _init, url) =>
      url.includes("include_deleted") ? new Response(null, { status: 400 }) : response,
    ),
  },
  "ended-announcement-ends-the-extras": {
    "remembers an announcement for ever": changeText(LIST, (text) =>
      text.replace(/^{/, '{"extras":["deletions"],'),
    ),
  },
  "token-is-sent-as-a-bearer-token": {
    "puts its token into the address": (task, run) =>
      run(task, (url, init) => fetch(`${url}&access_token=${task.accessToken}`, init)),
  },
  "unknown-members-are-ignored": {
    "refuses members that it does not know": changeText(LIST, (text) =>
      text.includes("attachments") ? null : text,
    ),
  },
  "absent-events-are-an-empty-list": {
    "insists on events": changeText(LIST, (text) => (text === "{}" ? null : text)),
  },
  "lists-without-a-content-type-are-read": {
    "reads application/json alone": changeResponses(LIST, (response) => {
      const isJson = response.headers.get("Content-Type")?.startsWith("application/json");
      return isJson ? response : new Response(null, { status: 500 });
    }),
  },
  "slow-lists-are-read, silent-service-is-given-up, dripping-service-is-given-up": {
    "gives up early": (task, run) =>
      run(task, (url, init) => fetch(url, { ...init, signal: AbortSignal.timeout(200) })),
  },
  "other-statuses-fail": {
    "reads lists of any status": changeResponses(LIST, asOk),
  },
  "ended-token-needs-a-new-login": {
    "takes an ended token for any other failure": changeKind("reconnect-needed", "failed"),
  },
  "throttled-sync-is-not-repeated": {
    "asks again at once": changeResponses(LIST, (response, init, url) =>
      response.ok ? response : fetch(url, init),
    ),
  },
  "redirects-are-not-followed": {
    "follows redirects": (task, run) =>
      run(task, (url, init) => fetch(url, { ...init, redirect: "follow" })),
  },
  "malformed-lists-fail": {
    "takes anything for an empty list": changeText(LIST, (text) =>
      text.startsWith('{"events":[{') ? text : "{}",
    ),
  },
  "broken-connections-fail": {
    "takes a part of a list for the whole": changeResponses(LIST, async ({ body }) => {
      let text = "";
      try {
        for await (const chunk of body ?? []) text += Buffer.from(chunk).toString();
      } catch {
        // The connection ended in the middle.
      }
      return new Response(text);
    }),
  },
  "endless-list-is-refused": {
    "reads a list to its end": changeResponses(
      LIST,
      async (response) => new Response(await response.arrayBuffer(), response),
    ),
  },
  "nothing-secret-is-printed": {
    "stores its token with the rest": changeEnd((result, { accessToken }) => ({
      ...result,
      state: accessToken,
    })),
    "shows the body of a failed request": async (task, run) => {
      let message = "";
      const result = await run(task, async (url, init) => {
        const response = await fetch(url, init);
        message += await response.clone().text();
        return response;
      });
      return { ...result, message };
    },
  },
  "actionable-events-become-habits": {
    "imports nothing": changeImports(() => []),
  },
  "info-events-are-not-imported": {
    "imports notices": eachEvent(() => ({ type: "homework" })),
  },
  "types-that-resemble-info-are-imported": {
    "looks for info anywhere in a type": filterEvents(({ type }) => !String(type).includes("info")),
  },
  "events-without-a-date-are-not-imported": {
    "imports events without a date for today": eachEvent(({ date }) => ({
      date: typeof date === "string" && date ? date : "2026-09-01",
    })),
  },
  "creation-is-no-date": {
    "takes the creation for the date": eachEvent(({ date, created_at }) => ({
      date: date ?? created_at,
    })),
  },
  "events-with-an-invalid-date-are-not-imported": {
    "repairs dates": eachEvent(() => ({ date: "2026-09-01" })),
  },
  "dates-have-every-form-of-iso-8601": {
    "reads dates of the extended form alone": eachEvent(({ date }) => ({
      date: /^\d{4}-\d\d-/.test(String(date)) ? date : null,
    })),
  },
  "dates-of-mixed-forms-are-not-imported": {
    "reads dates without their hyphens": eachEvent(({ date }) => ({
      date: /^\d{4}-\d{4}$/.test(String(date)) ? String(date).replace("-", "") : date,
    })),
  },
  "imported-events-are-not-imported-again, archived-habits-count, next-sync-imports-nothing-twice":
    {
      "does not look at its habits": changeTask(() => ({ habits: [] })),
    },
  "archived-habits-count": {
    "overlooks archived habits": changeTask(({ habits = [] }) => ({
      habits: habits.filter(({ archived }) => !archived),
    })),
  },
  "ids-alone-tell-events-apart": {
    "knows a habit by its name": changeImports((imported, { habits = [] }) => {
      const names = new Set(habits.map(({ name }) => name));
      return imported.filter(({ name }) => !names.has(name));
    }),
  },
  "repeated-events-are-imported-once": {
    "imports an event for each time it is listed": changeImports((imported) => [
      ...imported,
      ...imported.slice(-1),
    ]),
  },
  "names-fall-back": {
    "prefers the subject to the title": eachEvent(({ title, subject_name }) => ({
      title: subject_name ?? title,
    })),
  },
  "blank-names-fall-back": {
    "names habits after spaces": eachEvent(({ title }) => ({
      title: title === " \t " ? "-" : title,
    })),
  },
  "category-is-the-subject": {
    "has one category for all": eachImport({ category: "Imported" }),
  },
  "icons-follow-the-type, german-types-have-icons": {
    "has one icon for all": eachImport({ icon: "task" }),
  },
  "icons-follow-the-type": {
    "finds a test in every contest": eachEvent(({ type }) => ({
      type: String(type).includes("test") ? "test" : type,
    })),
  },
  "source-is-retained": {
    "forgets the day": eachImport({ occursOn: "2026-09-01" }),
  },
  "moments-fall-on-the-day-of-the-device": {
    "takes the day as it is written": eachEvent(({ date }) => ({
      date: typeof date === "string" ? date.slice(0, 10) : date,
    })),
  },
  "every-form-of-iso-8601-is-read": {
    "reads only the extended form": filterEvents(({ date }) =>
      /^\d{4}-\d{2}-\d{2}(?:T.*(?:Z|:\d{2}))?$/.test(String(date)),
    ),
  },
  "other-forms-of-dates-are-refused": {
    "reads dates as well as it can": eachEvent(({ date }) => ({
      date: date === "2026-09" ? "2026-09-01" : date,
    })),
  },
  "entries-that-are-no-events-are-skipped": {
    "stops at an entry that is no event": changeEntries((entries) => {
      const first = entries.findIndex((entry) => !isObject(entry));
      return first === -1 ? entries : entries.slice(0, first);
    }),
  },
  "members-of-a-wrong-type-count-as-null": {
    "skips events whose names are no text": filterEvents(({ title }) => typeof title === "string"),
  },
  "names-of-language-members-are-ids": {
    "keeps its events by id in an object": changeEntries((entries) => {
      const eventsById: Members = {};
      for (const entry of entries) eventsById[String((entry as Members)["id"])] = entry;
      return Object.values(eventsById);
    }),
  },
});
