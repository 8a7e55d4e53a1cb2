/** The frame of the events pages: instance name, navigation, account. */
import { EVENTS_PAGE_ROUTES } from "../../contract/events/page-routes.ts";
import type { PageAccount } from "../../contract/events/page-views.ts";
import type { Language } from "../../contract/language.ts";
import { accountBar } from "../account-bar.ts";
import { ACCOUNT_TEXTS } from "../account-texts.ts";
import { renderDocument, type DocumentFrame } from "../document.ts";
import { EVENTS_ACCOUNT_SCRIPT } from "../generated/events-account-script.ts";
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
  signInWithPasskey: EVENTS_PAGE_ROUTES.signInWithPasskey.path,
  signInLink: EVENTS_PAGE_ROUTES.getSignInLinkPage.path,
  welcome: EVENTS_PAGE_ROUTES.getWelcomePage.path,
  signOut: EVENTS_PAGE_ROUTES.signOut.path,
  consent: EVENTS_PAGE_ROUTES.getConsentPage.path,
  apps: EVENTS_PAGE_ROUTES.getAppsPage.path,
  events: EVENTS_PAGE_ROUTES.getEventsPage.path,
  subscriptions: EVENTS_PAGE_ROUTES.getSubscriptionsPage.path,
  settings: EVENTS_PAGE_ROUTES.getSettingsPage.path,
  addPasskey: EVENTS_PAGE_ROUTES.addPasskey.path,
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
    ...(script !== undefined && { script }),
    referrer: "same-origin",
    ...(navigation !== undefined && { homeUrl: PATHS.home }),
    ...(account !== null &&
      navigation !== undefined && { header: accountHeader(language, account, navigation) }),
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

function accountHeader(
  language: Language,
  { username, csrf }: PageAccount,
  current: AccountPageContent["navigation"],
): Html {
  const links = SECTIONS.map((section) => ({
    label: FRAME_TEXTS[language][section],
    url: PATHS[section],
    isCurrent: section === current,
  }));
  return accountBar({ links, username, action: PATHS.signOut, members: { csrf } }, language);
}

const en = {
  events: "Events",
  subscriptions: "Calendars",
  apps: "Apps",
  settings: "Settings",
};

const de: typeof en = {
  events: "Termine",
  subscriptions: "Kalender",
  apps: "Apps",
  settings: "Einstellungen",
};

export const FRAME_TEXTS = { en, de };

const ICONS: Readonly<Record<Section, Html>> = {
  events: html`<path d="M4 6h16v14H4zM4 10.5h16M8.5 3.5v4M15.5 3.5v4M8.5 15l2.25 2.25 4.5-4.5" />`,
  subscriptions: html`<path d="M5 19h.01M5 12.5a6.5 6.5 0 0 1 6.5 6.5M5 6a13 13 0 0 1 13 13" />`,
  apps: html`<path
    d="M9.5 14.5l5-5M8 11l-2.5 2.5a3.9 3.9 0 0 0 5 5L13 16M16 13l2.5-2.5a3.9 3.9 0 0 0-5-5L11 8"
  />`,
  settings: html`<path d="M4 7h9M17 7h3M4 17h3M11 17h9M15 4.75v4.5M9 14.75v4.5" />`,
};

export function sectionIcon(section: Section): Html {
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
    ${ICONS[section]}
  </svg>`;
}
