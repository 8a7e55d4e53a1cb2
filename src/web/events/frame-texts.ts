/** What stands on every page of the events service. */
import type { Language } from "../language.ts";

export interface FrameTexts {
  readonly navigation: string;
  readonly events: string;
  readonly subscriptions: string;
  readonly apps: string;
  readonly settings: string;
  readonly signedInAs: string;
  readonly signOut: string;
  /** In front of the title of a page that shows a problem. */
  readonly problem: string;
  readonly cancel: string;
}

export const FRAME_TEXTS: Readonly<Record<Language, FrameTexts>> = {
  en: {
    navigation: "Account",
    events: "Events",
    subscriptions: "Calendars",
    apps: "Apps",
    settings: "Settings",
    signedInAs: "Signed in as",
    signOut: "Sign out",
    problem: "Problem",
    cancel: "Cancel",
  },
  de: {
    navigation: "Konto",
    events: "Termine",
    subscriptions: "Kalender",
    apps: "Apps",
    settings: "Einstellungen",
    signedInAs: "Angemeldet als",
    signOut: "Abmelden",
    problem: "Problem",
    cancel: "Abbrechen",
  },
};
