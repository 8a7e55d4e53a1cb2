/** /account/subscriptions: calendars that are fetched again and again. */
import { EVENTS_PAGE_ROUTES } from "../../contract/events/page-routes.ts";
import { redirectResponse, type HttpResponse } from "../../http/response.ts";
import { DEFAULT_TYPE } from "../../rules/events/ingest/word-rules.ts";
import { parseParameters } from "../../rules/events/wire/parse-parameters.ts";
import { noticeAddress } from "../addresses.ts";
import type { FeedPreview, SubscriptionFields, SubscriptionProblem } from "../pages.ts";
import type { EventsDependencies } from "../parts.ts";
import type { PostedForm } from "../read-form.ts";
import type { SubscriptionRefusal } from "../subscriptions-port.ts";
import type { SignedInSession } from "../visits.ts";
import { createAccountPage, readNotice, type AccountPage } from "./account-page.ts";

const PATH = EVENTS_PAGE_ROUTES.getSubscriptionsPage.path;
const NOTICES = ["subscribed", "saved", "refreshed", "unsubscribed"] as const;
const EMPTY_FIELDS: SubscriptionFields = {
  url: "",
  name: "",
  defaultType: DEFAULT_TYPE,
  rules: "",
};

interface Shown {
  readonly editing?: string;
  readonly fields?: SubscriptionFields;
  readonly preview?: FeedPreview;
  readonly error?: SubscriptionProblem;
}

export function createSubscriptionsPage(parts: EventsDependencies): AccountPage {
  const { subscriptions } = parts;

  return createAccountPage(parts, PATH, {
    async show(visit, { search }) {
      const editing = parseParameters(search).values.get("edit");
      if (editing === undefined) return render(visit, search, {});
      const settings = await subscriptions.findSettings(visit.session.accountId, editing);
      return settings === null
        ? render(visit, search, { error: { kind: "not-found" } })
        : render(visit, search, { editing, fields: { ...settings, url: "" } });
    },
    actions: {
      async preview(visit, form) {
        const fields = readFields(form);
        const outcome = await subscriptions.preview(visit.session.accountId, fields);
        return outcome.kind === "previewed"
          ? render(visit, "", { fields, preview: outcome.preview })
          : render(visit, "", { fields, error: outcome.problem });
      },
      async subscribe(visit, form) {
        const fields = readFields(form);
        const outcome = await subscriptions.subscribe(visit.session.accountId, fields);
        return finish(visit, outcome, { fields });
      },
      async save(visit, form) {
        const editing = form.text("source");
        const { url: _url, ...settings } = readFields(form);
        const outcome = await subscriptions.save(visit.session.accountId, editing, settings);
        return finish(visit, outcome, { editing, fields: { ...settings, url: "" } });
      },
      async refresh(visit, form) {
        const source = form.text("source");
        return finish(visit, await subscriptions.refresh(visit.session.accountId, source), {});
      },
      async accept(visit, form) {
        const source = form.text("source");
        const asked = { acceptShrink: true };
        return finish(
          visit,
          await subscriptions.refresh(visit.session.accountId, source, asked),
          {},
        );
      },
      async unsubscribe(visit, form) {
        const source = form.text("source");
        return finish(visit, await subscriptions.unsubscribe(visit.session.accountId, source), {});
      },
    },
  });

  function finish(
    visit: SignedInSession,
    outcome: { readonly kind: (typeof NOTICES)[number] } | SubscriptionRefusal,
    shown: Shown,
  ): HttpResponse | Promise<HttpResponse> {
    return outcome.kind === "refused"
      ? render(visit, "", { ...shown, error: outcome.problem })
      : redirectResponse(303, noticeAddress(PATH, outcome.kind));
  }

  async function render(
    visit: SignedInSession,
    search: string,
    shown: Shown,
  ): Promise<HttpResponse> {
    return parts.pages.subscriptions(
      {
        subscriptions: await subscriptions.list(visit.session.accountId),
        editing: shown.editing ?? null,
        fields: shown.fields ?? EMPTY_FIELDS,
        preview: shown.preview ?? null,
        error: shown.error ?? null,
        notice: readNotice(search, NOTICES),
      },
      visit.frame,
    );
  }
}

/** Rules are lines, so line ends stay. Among the others is U+0000, which no store takes. */
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]+/g;

function readFields(form: PostedForm): SubscriptionFields {
  const clean = (name: string) => form.text(name).replace(CONTROL, " ").trim();
  return {
    url: clean("url"),
    name: clean("name"),
    defaultType: clean("defaultType"),
    rules: clean("rules"),
  };
}
