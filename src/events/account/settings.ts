/** /account/settings: time zone, language and passkeys by form, the password by script. */
import { EVENTS_PAGE_ROUTES } from "../../contract/events/page-routes.ts";
import { ChangePasswordBody } from "../../contract/events/schemas.ts";
import { createChecker } from "../../contract/check.ts";
import { MAX_PAGE_BODY_BYTES } from "../../contract/events/values.ts";
import type { HttpError } from "../../http/http-error.ts";
import { readJsonBody } from "../../http/read-body.ts";
import type { RequestContext } from "../../http/request.ts";
import { redirectResponse, type HttpResponse } from "../../http/response.ts";
import type { PasskeyFormResult } from "../../identity/account/account-passkeys.ts";
import { listTimeZones, parseTimeZone } from "../../rules/events/ingest/time-zone.ts";
import type { EventsDependencies } from "../setup/dependencies.ts";
import type { SettingsView } from "../pages.ts";
import type { SignedInSession } from "../sign-in/page-sessions.ts";
import { errorResponse } from "../responses/error-response.ts";
import { toResponse } from "../setup/account.ts";
import type { Profile } from "../store.ts";
import { scheduleFullReads } from "../subscriptions/subscriptions.ts";
import { createAccountPage, type AccountPage, type AccountPageActions } from "./account-page.ts";
import { noticeResponse, readNotice } from "./notices.ts";

const PATH = EVENTS_PAGE_ROUTES.getSettingsPage.path;

const JSON_RULES = { mediaType: "application/json", maxBytes: MAX_PAGE_BODY_BYTES };

export function createSettingsPage(dependencies: EventsDependencies): AccountPage {
  const { account } = dependencies;
  const passwordBody = createChecker(ChangePasswordBody);
  const settingsPage = createAccountPage(dependencies, PATH, {
    show: (page, { search }) => render(page, search, page.profile, null),
    actions: {
      async profile(page, form) {
        const given = form.text("timeZone").trim();
        const timeZone = parseTimeZone(given);
        const language = readLanguage(form.text("language"));
        if (timeZone === null) {
          return render(page, "", { timeZone: given, language }, "time-zone-unknown");
        }
        const { accountId } = page.session;
        await dependencies.store.transaction(async (records) => {
          await records.profiles.put({ accountId, timeZone, language });
          if (timeZone !== page.profile.timeZone) {
            await scheduleFullReads(records, accountId, dependencies.now());
          }
        });
        return noticeResponse(PATH, "saved");
      },
      async "sign-out-browser"(page, form, request) {
        const browser = form.text("browser");
        return (await account.signOutBrowser(page.session, browser, request))
          ? noticeResponse(PATH, "browser-signed-out")
          : render(page, "", page.profile, "browser-gone");
      },
      ...passkeyActions(),
    },
  });

  async function render(
    page: SignedInSession,
    search: string,
    { timeZone, language }: Pick<Profile, "timeZone" | "language">,
    error: SettingsView["error"],
  ): Promise<HttpResponse> {
    const { store } = dependencies;
    return dependencies.pages.settings(
      {
        timeZone,
        timeZones: listTimeZones(),
        language,
        ...(await account.viewWaysIn(store.reads.identity, page.session)),
        browsers: await account.listBrowsers(store.reads.sessions, page.session),
        error,
        notice: readNotice(search, [
          "saved",
          "password-changed",
          "password-set",
          "browser-signed-out",
          "passkey-added",
          "passkey-named",
          "passkey-removed",
        ]),
      },
      page.frame,
    );
  }

  function passkeyActions(): AccountPageActions["actions"] {
    const { passkeyForms } = account;
    if (passkeyForms === null) return {};
    const respond = (page: SignedInSession, result: PasskeyFormResult) => {
      switch (result.kind) {
        case "done":
          return noticeResponse(PATH, result.notice);
        case "refused":
          return render(page, "", page.profile, result.error);
        case "signed-out":
          return redirectResponse(303, PATH);
      }
    };
    return {
      async "name-passkey"(page, form) {
        const named = { session: page.session, passkey: form.text("passkey") };
        return respond(page, await passkeyForms.name(named, form.text("name")));
      },
      async "remove-passkey"(page, form, request) {
        const removed = { session: page.session, passkey: form.text("passkey"), request };
        return respond(page, await passkeyForms.remove(removed));
      },
    };
  }

  async function changePassword(context: RequestContext): Promise<HttpResponse | HttpError> {
    const content = await readJsonBody(context, JSON_RULES);
    if (content.kind !== "json") return content;
    const body = content.value;
    if (!passwordBody.is(body)) return errorResponse("invalid_request");
    const isEverywhere = body.action === "complete" && body.disconnectApps;
    return toResponse(await account.changePassword(body, isEverywhere, context));
  }

  return {
    get: settingsPage.get,
    post: (input, context) =>
      /^application\/json\b/i.test(context.header("content-type") ?? "")
        ? changePassword(context)
        : settingsPage.post(input, context),
  };
}

function readLanguage(text: string): Profile["language"] {
  return text === "de" || text === "en" ? text : null;
}
