/** /account/events: all events, or those that a person looks for, page by page. Events that were entered by hand can be changed. */
import { EVENTS_PAGE_ROUTES } from "../../contract/events/page-routes.ts";
import { EVENT_TYPES } from "../../contract/events/values.ts";
import type { HttpResponse } from "../../http/response.ts";
import { DEFAULT_TYPE } from "../../rules/events/ingest/word-rules.ts";
import { EVENT_STATES, isFiltered } from "../../rules/events/wire/filter-events.ts";
import { upcomingFrom } from "../../rules/events/wire/full-order.ts";
import { parseParameters } from "../../rules/events/wire/parse-parameters.ts";
import type { EventsDependencies } from "../setup/dependencies.ts";
import type { PostedForm, SignedInSession } from "../sign-in/page-sessions.ts";
import type { EventFilter, EventsView } from "../pages.ts";
import type { NamedSource } from "../store.ts";
import { createAccountPage, type AccountPage } from "./account-page.ts";
import { noticeResponse, readNotice } from "./notices.ts";
import {
  EMPTY_FIELDS,
  eventToFields,
  fieldsToContent,
  keepTime,
  readFields,
} from "./event-form.ts";
import { createManualEvents } from "./manual-events.ts";

const PATH = EVENTS_PAGE_ROUTES.getEventsPage.path;
const PAGE_SIZE = 50;
const TYPES = [DEFAULT_TYPE, ...EVENT_TYPES];

type FormState = Partial<Pick<EventsView, "editing" | "fields" | "error">>;
const EMPTY_FORM = { editing: null, fields: EMPTY_FIELDS, error: null };

export function createEventsPage(dependencies: EventsDependencies): AccountPage {
  const { store, now } = dependencies;
  const manual = createManualEvents(dependencies);

  return createAccountPage(dependencies, PATH, {
    async show(page, { search }) {
      const edited = parseParameters(search).values.get("edit");
      if (edited === undefined) return render(page, search, {});
      const event = await manual.find(page.session.accountId, edited);
      return event === null
        ? render(page, search, { error: "not-found" })
        : render(page, search, {
            editing: event.eventId,
            fields: eventToFields(event, page.profile.timeZone),
          });
    },
    actions: {
      add: (page, form) => put(page, form, null),
      save: (page, form) => put(page, form, form.text("event")),
      async delete(page, form) {
        const isDone = await manual.remove(page.session.accountId, form.text("event"));
        return isDone ? noticeResponse(PATH, "deleted") : render(page, "", { error: "not-found" });
      },
    },
  });

  async function put(
    page: SignedInSession,
    form: PostedForm,
    editing: string | null,
  ): Promise<HttpResponse> {
    const { timeZone } = page.profile;
    const fields = readFields(form);
    const result = fieldsToContent(fields, timeZone);
    if (result.kind === "invalid") {
      return render(page, "", { editing, fields, error: result.error });
    }
    const isDone = await manual.put(page.session.accountId, editing, (known) =>
      known === null ? result.content : keepTime(result.content, fields, known, timeZone),
    );
    return isDone
      ? noticeResponse(PATH, editing === null ? "added" : "saved")
      : render(page, "", { fields, error: "not-found" });
  }

  async function render(
    page: SignedInSession,
    search: string,
    state: FormState,
  ): Promise<HttpResponse> {
    const from = upcomingFrom(now());
    const { accountId } = page.session;
    const sources = await store.events.listSources(accountId);
    const filter = readFilter(search, sources);
    const read = (number: number) => {
      const range = [(number - 1) * PAGE_SIZE, PAGE_SIZE] as const;
      return isFiltered(filter)
        ? store.events.searchManaged(accountId, from, filter, ...range)
        : store.events.listManaged(accountId, from, ...range);
    };
    const given = readPageNumber(search);
    let found = await read(given);
    const last = Math.max(1, Math.ceil(found.total / PAGE_SIZE));
    const number = Math.min(given, last);
    if (number !== given) found = await read(number);
    return dependencies.pages.events(
      {
        events: found.events,
        page: number,
        pages: last,
        first: (number - 1) * PAGE_SIZE + 1,
        found: found.total,
        total: isFiltered(filter)
          ? (await store.events.listManaged(accountId, from, 0, 1)).total
          : found.total,
        filter,
        sources,
        types: TYPES,
        timeZone: page.profile.timeZone,
        ...EMPTY_FORM,
        ...state,
        notice: readNotice(search, ["added", "saved", "deleted"]),
      },
      page.frame,
    );
  }
}

const MAX_SEARCH_CHARACTERS = 200;

/** What the account does not have is ignored, such as a source that was removed. */
function readFilter(search: string, sources: readonly NamedSource[]): EventFilter {
  const { values } = parseParameters(search);
  const source = sources.find(({ sourceId }) => sourceId === values.get("source"));
  return {
    text: (values.get("text") ?? "").slice(0, MAX_SEARCH_CHARACTERS).toWellFormed(),
    sourceId: source?.sourceId ?? null,
    state: EVENT_STATES.find((state) => state === values.get("state")) ?? null,
  };
}

const MAX_PAGE_NUMBER = 1_000_000;

function readPageNumber(search: string): number {
  const text = parseParameters(search).values.get("page") ?? "1";
  return /^[1-9][0-9]{0,6}$/.test(text) ? Math.min(Number(text), MAX_PAGE_NUMBER) : 1;
}
