/** /account/settings: time zone, language and passkeys by form, the password by script. */
import { EVENTS_PAGE_ROUTES } from "../../contract/events/page-routes.ts";
import { LOGIN_PURPOSE } from "../../contract/events/values.ts";
import type { HttpResponse } from "../../http/response.ts";
import { listTimeZones, parseTimeZone } from "../../rules/events/ingest/time-zone.ts";
import type { EventsDependencies } from "../setup/dependencies.ts";
import type { SettingsView } from "../pages.ts";
import type { SignedInSession } from "../sign-in/page-sessions.ts";
import type { PasswordProofs } from "../sign-in/password-proofs.ts";
import type { Profile } from "../store.ts";
import { scheduleFullReads } from "../subscriptions/subscriptions.ts";
import type { AccountPasskeys } from "./passkeys.ts";
import { createAccountPage, noticeResponse, readNotice, type AccountPage } from "./account-page.ts";

const PATH = EVENTS_PAGE_ROUTES.getSettingsPage.path;

export function createSettingsPage(
  dependencies: EventsDependencies,
  { changePassword }: Pick<PasswordProofs, "changePassword">,
  passkeys: Pick<AccountPasskeys, "view" | "actions">,
): AccountPage {
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
      ...passkeys.actions((page, error) => render(page, "", page.profile, error)),
    },
  });

  async function render(
    page: SignedInSession,
    search: string,
    { timeZone, language }: Pick<Profile, "timeZone" | "language">,
    error: SettingsView["error"],
  ): Promise<HttpResponse> {
    const { csrf, store } = dependencies;
    const account = await store.reads.identity.findAccount(page.session.username);
    return dependencies.pages.settings(
      {
        timeZone,
        timeZones: listTimeZones(),
        language,
        hasPassword: account?.hasPassword ?? true,
        interaction: csrf.passwordInteraction(page.session.sessionHash),
        purpose: LOGIN_PURPOSE,
        passkeys: await passkeys.view(page),
        error,
        notice: readNotice(search, [
          "saved",
          "password-changed",
          "password-set",
          "passkey-added",
          "passkey-named",
          "passkey-removed",
        ]),
      },
      page.frame,
    );
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
