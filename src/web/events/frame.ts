/** The frame of the events pages: instance name, navigation, account. */
import { EVENTS_PAGE_ROUTES } from "../../contract/events/page-routes.ts";
import type { PageAccount } from "../../contract/events/page-views.ts";
import type { Language } from "../../contract/language.ts";
import { ACCOUNT_TEXTS } from "../account-texts.ts";
import { signOutForm } from "../components.ts";
import { renderDocument, type DocumentFrame } from "../document.ts";
import { EVENTS_ACCOUNT_SCRIPT } from "../generated/events-account-script.ts";
import { EVENTS_STYLE } from "../generated/events-style.ts";
import { html, type Html } from "../html.ts";
import type { Clock } from "../moments.ts";

export interface EventsFrame extends DocumentFrame {
  /** Null before sign-in. */
  readonly account: PageAccount | null;
  readonly now: number;
}

export interface SignedInFrame extends EventsFrame {
  readonly account: PageAccount;
}

export function clockOf({ language, account, now }: SignedInFrame): Clock {
  return { language, timeZone: account.timeZone, now };
}

export const PATHS = {
  home: EVENTS_PAGE_ROUTES.getHomePage.path,
  signIn: EVENTS_PAGE_ROUTES.getSignInPage.path,
  signInLink: EVENTS_PAGE_ROUTES.getSignInLinkPage.path,
  signOut: EVENTS_PAGE_ROUTES.signOut.path,
  consent: EVENTS_PAGE_ROUTES.getConsentPage.path,
  apps: EVENTS_PAGE_ROUTES.getAppsPage.path,
  events: EVENTS_PAGE_ROUTES.getEventsPage.path,
  subscriptions: EVENTS_PAGE_ROUTES.getSubscriptionsPage.path,
  settings: EVENTS_PAGE_ROUTES.getSettingsPage.path,
} as const;

export const SECTIONS = ["events", "subscriptions", "apps", "settings"] as const;

export type Section = (typeof SECTIONS)[number];

export interface EventsPage {
  readonly title: string;
  readonly main: Html;
  readonly script?: string;
  /** The navigation is absent on pages that ask for a decision, which have no links to elsewhere. */
  readonly navigation?: "home" | Section;
}

export function renderEventsPage(frame: EventsFrame, page: EventsPage): string {
  const { title, script, navigation, main } = page;
  const { account, language } = frame;
  return renderDocument(frame, {
    title: `${title} · ${frame.displayName}`,
    style: EVENTS_STYLE,
    ...(script !== undefined && { script }),
    referrer: "same-origin",
    ...(navigation !== undefined && { homeUrl: PATHS.home }),
    ...(account !== null &&
      navigation !== undefined && { header: accountBar(language, account, navigation) }),
    main,
  });
}

export interface AccountPageContent extends Required<Omit<EventsPage, "script">> {
  readonly hasError?: boolean;
}

export function renderAccountPage(frame: SignedInFrame, page: AccountPageContent): string {
  const { title, navigation, hasError = false, main } = page;
  const prefix = hasError ? `${ACCOUNT_TEXTS[frame.language].error}: ` : "";
  const script = EVENTS_ACCOUNT_SCRIPT;
  return renderEventsPage(frame, { title: `${prefix}${title}`, navigation, script, main });
}

function accountBar(
  language: Language,
  { username, csrf }: PageAccount,
  current: AccountPageContent["navigation"],
): Html {
  const texts = FRAME_TEXTS[language];
  return html`<div class="row account-bar">
    <nav class="sections" aria-label="${texts.navigation}">
      <ul class="row">
        ${SECTIONS.map(
          (section) =>
            html`<li>
              <a
                class="target"
                href="${PATHS[section]}"
                ${section === current && html` aria-current="page"`}
                >${texts[section]}</a
              >
            </li>`,
        )}
      </ul>
    </nav>
    ${signOutForm(username, PATHS.signOut, { csrf }, language)}
  </div>`;
}

const en = {
  navigation: "Account",
  events: "Events",
  subscriptions: "Calendars",
  apps: "Apps",
  settings: "Settings",
};

const de: typeof en = {
  navigation: "Konto",
  events: "Termine",
  subscriptions: "Kalender",
  apps: "Apps",
  settings: "Einstellungen",
};

export const FRAME_TEXTS = { en, de };
