/** /account/events: all events page by page; those entered by hand can be changed. */
import { EVENTS_PAGE_ROUTES } from "../../contract/events/page-routes.ts";
import { EVENT_TYPES } from "../../contract/events/values.ts";
import { redirectResponse, type HttpResponse } from "../../http/response.ts";
import type { RequestContext } from "../../http/request-context.ts";
import { encodeBase64Url } from "../../rules/base64url.ts";
import { isSameContent } from "../../rules/events/ingest/same-content.ts";
import { DEFAULT_TYPE } from "../../rules/events/ingest/word-rules.ts";
import { upcomingFrom } from "../../rules/events/wire/full-order.ts";
import { parseParameters } from "../../rules/events/wire/parse-parameters.ts";
import { noticeAddress } from "../addresses.ts";
import type { EventFields, EventError } from "../pages.ts";
import type { EventsDependencies } from "../parts.ts";
import type { PostedForm } from "../read-form.ts";
import type { EventChange, EventsReads, EventsRecords, StoredEvent } from "../store.ts";
import type { SignedInSession } from "../visits.ts";
import { createAccountPage, readNotice, type AccountPage } from "./account-page.ts";
import { EMPTY_FIELDS, eventToFields, keepTime, readEventFields } from "./event-fields.ts";

const PATH = EVENTS_PAGE_ROUTES.getEventsPage.path;
const PAGE_SIZE = 50;
const ID_BYTES = 16;
const MANUAL = "manual";
/** What the form offers, the commonest first. */
const TYPES = [DEFAULT_TYPE, ...EVENT_TYPES];

interface Shown {
  readonly editing?: string | null;
  readonly fields?: EventFields;
  readonly error?: EventError;
}

export function createEventsPage(parts: EventsDependencies): AccountPage {
  const { store, now } = parts;
  const createId = () => encodeBase64Url(parts.randomBytes(ID_BYTES));

  return createAccountPage(parts, PATH, {
    async show(visit, context) {
      const asked = parseParameters(context.search).values.get("edit");
      if (asked === undefined) return render(visit, context.search, {});
      const event = await findManual(store.reads, visit.session.accountId, asked);
      return event === null
        ? render(visit, context.search, { error: "not-found" })
        : render(visit, context.search, {
            editing: event.eventId,
            fields: eventToFields(event, visit.profile.timeZone),
          });
    },
    actions: {
      add: (visit, form) => put(visit, form, null),
      save: (visit, form) => put(visit, form, form.text("event")),
      async delete(visit, form) {
        const { accountId } = visit.session;
        const isDone = await store.transaction(async (records) => {
          const event = await findManual(records, accountId, form.text("event"));
          if (event === null) return false;
          const { eventId, sourceId } = event;
          await records.events.write(accountId, sourceId, [{ kind: "delete", eventId }], now());
          return true;
        });
        return isDone
          ? redirectResponse(303, noticeAddress(PATH, "deleted"))
          : render(visit, "", { error: "not-found" });
      },
    },
  });

  /** A new event, or another content of the one that is edited. */
  async function put(
    visit: SignedInSession,
    form: PostedForm,
    editing: string | null,
  ): Promise<HttpResponse> {
    const { fields, result } = readEventFields(form, visit.profile.timeZone);
    if (result.kind === "wrong") {
      return render(visit, "", { editing, fields, error: result.problem });
    }
    const { accountId } = visit.session;
    const at = now();
    const isDone = await store.transaction(async (records) => {
      const known = editing === null ? null : await findManual(records, accountId, editing);
      if (editing !== null && known === null) return false;
      const content =
        known === null
          ? result.content
          : keepTime(result.content, fields, known, visit.profile.timeZone);
      // A write is a new stamp, and apps would read again what is as it was.
      if (known !== null && isSameContent(known, content)) return true;
      const change: EventChange = {
        kind: "put",
        eventId: known?.eventId ?? createId(),
        content,
        createdAt: new Date(at).toISOString(),
      };
      const sourceId = known?.sourceId ?? (await manualSource(records, accountId, at));
      await records.events.write(accountId, sourceId, [change], at);
      return true;
    });
    return isDone
      ? redirectResponse(303, noticeAddress(PATH, editing === null ? "added" : "saved"))
      : render(visit, "", { fields, error: "not-found" });
  }

  async function manualSource({ sources }: EventsRecords, accountId: string, at: number) {
    const { sourceId } = await sources.findOrAdd({
      sourceId: createId(),
      accountId,
      kind: MANUAL,
      name: MANUAL,
      createdAt: at,
    });
    return sourceId;
  }

  async function render(
    visit: SignedInSession,
    search: string,
    shown: Shown,
  ): Promise<HttpResponse> {
    const { accountId } = visit.session;
    const from = upcomingFrom(now());
    const asked = readPageNumber(search);
    const read = (page: number) =>
      store.events.listManaged(accountId, from, (page - 1) * PAGE_SIZE, PAGE_SIZE);
    let found = await read(asked);
    const pages = Math.max(1, Math.ceil(found.total / PAGE_SIZE));
    const page = Math.min(asked, pages);
    if (page !== asked) found = await read(page);
    return parts.pages.events(
      {
        events: found.events,
        page,
        pages,
        total: found.total,
        types: TYPES,
        timeZone: visit.profile.timeZone,
        editing: shown.editing ?? null,
        fields: shown.fields ?? EMPTY_FIELDS,
        error: shown.error ?? null,
        notice: readNotice(search, ["added", "saved", "deleted"]),
      },
      visit.frame,
    );
  }
}

/** One that was entered by hand and is still there. */
async function findManual(
  records: Pick<EventsReads, "events" | "sources">,
  accountId: string,
  eventId: string,
): Promise<StoredEvent | null> {
  const event = await records.events.find(accountId, eventId);
  if (event === null || event.deletedAt !== null) return null;
  const source = await records.sources.find(event.sourceId);
  return source?.kind === MANUAL ? event : null;
}

const MAX_PAGE_NUMBER = 1_000_000;

function readPageNumber(search: RequestContext["search"]): number {
  const text = parseParameters(search).values.get("page") ?? "1";
  return /^[1-9][0-9]{0,6}$/.test(text) ? Math.min(Number(text), MAX_PAGE_NUMBER) : 1;
}
