/** /account/settings: time zone and language by form, the password by script. */
import { EVENTS_PAGE_ROUTES } from "../../contract/events/page-routes.ts";
import { LOGIN_PURPOSE } from "../../contract/events/values.ts";
import { redirectResponse, type HttpResponse } from "../../http/response.ts";
import { noticeAddress } from "../addresses.ts";
import type { EventsDependencies } from "../parts.ts";
import { readFeedsAnew } from "../subscriptions/subscriptions.ts";
import { listTimeZones, parseTimeZone } from "../time-zones.ts";
import type { SignedInSession } from "../visits.ts";
import { createAccountPage, readNotice, type AccountPage } from "./account-page.ts";
import { createPasswordChange } from "./change-password.ts";

const PATH = EVENTS_PAGE_ROUTES.getSettingsPage.path;

export function createSettingsPage(parts: EventsDependencies): AccountPage {
  const changePassword = createPasswordChange(parts);
  const page = createAccountPage(parts, PATH, {
    show: (visit, { search }) => render(visit, search, visit.profile, null),
    actions: {
      async profile(visit, form) {
        const given = form.text("timeZone").trim();
        const timeZone = parseTimeZone(given);
        const language = readLanguage(form.text("language"));
        if (timeZone === null) {
          return render(visit, "", { timeZone: given, language }, "time-zone-unknown");
        }
        const { accountId } = visit.session;
        await parts.store.transaction(async (records) => {
          await records.profiles.put({ accountId, timeZone, language });
          if (timeZone !== visit.profile.timeZone) {
            await readFeedsAnew(records, accountId, parts.now());
          }
        });
        return redirectResponse(303, noticeAddress(PATH, "saved"));
      },
    },
  });

  function render(
    visit: SignedInSession,
    search: string,
    { timeZone, language }: Pick<SignedInSession["profile"], "timeZone" | "language">,
    error: "time-zone-unknown" | null,
  ): HttpResponse {
    return parts.pages.settings(
      {
        timeZone,
        timeZones: listTimeZones(),
        language,
        interaction: parts.guard.passwordInteraction(visit.session.sessionHash),
        purpose: LOGIN_PURPOSE,
        error,
        notice: readNotice(search, ["saved", "password-changed"]),
      },
      visit.frame,
    );
  }

  return {
    get: page.get,
    post: (input, context) =>
      /^application\/json\b/i.test(context.header("content-type") ?? "")
        ? changePassword(context)
        : page.post(input, context),
  };
}

function readLanguage(text: string): "de" | "en" | null {
  return text === "de" || text === "en" ? text : null;
}
