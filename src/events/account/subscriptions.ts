/** /account/subscriptions: calendars that are fetched regularly. */
import { EVENTS_PAGE_ROUTES } from "../../contract/events/page-routes.ts";
import type { HttpResponse } from "../../http/response.ts";
import { DEFAULT_TYPE } from "../../rules/events/ingest/word-rules.ts";
import { parseParameters } from "../../rules/events/wire/parse-parameters.ts";
import type { EventsDependencies } from "../setup/dependencies.ts";
import type { PostedForm, SignedInSession } from "../sign-in/page-sessions.ts";
import type { SubscriptionFields, SubscriptionsView } from "../pages.ts";
import type { SubscriptionFailure } from "../subscriptions/subscription-input.ts";
import { createAccountPage, type AccountPage } from "./account-page.ts";
import { noticeResponse, readNotice } from "./notices.ts";

const PATH = EVENTS_PAGE_ROUTES.getSubscriptionsPage.path;
const NOTICES = ["subscribed", "saved", "refreshed", "unsubscribed"] as const;
const EMPTY_FIELDS: SubscriptionFields = {
  url: "",
  name: "",
  defaultType: DEFAULT_TYPE,
  rules: "",
};

type FormState = Partial<Pick<SubscriptionsView, "editing" | "fields" | "preview" | "error">>;
const EMPTY_FORM = { editing: null, fields: EMPTY_FIELDS, preview: null, error: null };

export function createSubscriptionsPage(dependencies: EventsDependencies): AccountPage {
  const { subscriptions } = dependencies;

  return createAccountPage(dependencies, PATH, {
    async show(page, { search }) {
      const editing = parseParameters(search).values.get("edit");
      if (editing === undefined) return render(page, search, {});
      const settings = await subscriptions.findSettings(page.session.accountId, editing);
      return settings === null
        ? render(page, search, { error: { kind: "not-found" } })
        : render(page, search, { editing, fields: { ...settings, url: "" } });
    },
    actions: {
      async preview(page, form) {
        const fields = readFields(form);
        const result = await subscriptions.preview(page.session.accountId, fields);
        return result.kind === "previewed"
          ? render(page, "", { fields, preview: result.preview })
          : render(page, "", { fields, error: result.error });
      },
      async subscribe(page, form) {
        const fields = readFields(form);
        const result = await subscriptions.subscribe(page.session.accountId, fields);
        return finish(page, result, { fields });
      },
      async save(page, form) {
        const editing = form.text("source");
        const { url: _url, ...settings } = readFields(form);
        const result = await subscriptions.save(page.session.accountId, editing, settings);
        return finish(page, result, { editing, fields: { ...settings, url: "" } });
      },
      async refresh(page, form) {
        const source = form.text("source");
        return finish(page, await subscriptions.refresh(page.session.accountId, source), {});
      },
      async accept(page, form) {
        const { accountId } = page.session;
        const options = { acceptShrink: true };
        const result = await subscriptions.refresh(accountId, form.text("source"), options);
        return finish(page, result, {});
      },
      async unsubscribe(page, form) {
        const source = form.text("source");
        return finish(page, await subscriptions.unsubscribe(page.session.accountId, source), {});
      },
    },
  });

  function finish(
    page: SignedInSession,
    result: { readonly kind: (typeof NOTICES)[number] } | SubscriptionFailure,
    state: FormState,
  ): HttpResponse | Promise<HttpResponse> {
    return result.kind === "refused"
      ? render(page, "", { ...state, error: result.error })
      : noticeResponse(PATH, result.kind);
  }

  async function render(
    page: SignedInSession,
    search: string,
    state: FormState,
  ): Promise<HttpResponse> {
    return dependencies.pages.subscriptions(
      {
        subscriptions: await subscriptions.list(page.session.accountId),
        ...EMPTY_FORM,
        ...state,
        notice: readNotice(search, NOTICES),
      },
      page.frame,
    );
  }
}

/** All but line feeds, which separate rules. Includes U+0000, which no store accepts. */
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
