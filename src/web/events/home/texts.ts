/** The words of the start page. */
import type { Language } from "../../language.ts";
import type { Section } from "../frame.ts";

export interface HomeTexts {
  readonly welcome: (username: string) => string;
  readonly lead: string;
  readonly sections: Readonly<Record<Section, string>>;
}

export const HOME_TEXTS: Readonly<Record<Language, HomeTexts>> = {
  en: {
    welcome: (username) => `Hello, ${username}`,
    lead: "What is due, where it comes from, and who may read it.",
    sections: {
      events: "See everything that is due, and add events of your own.",
      subscriptions: "Subscribe to the calendar of your school or club, and see how it is doing.",
      apps: "See which apps may read your events, and disconnect them.",
      settings: "Time zone, language and password.",
    },
  },
  de: {
    welcome: (username) => `Hallo, ${username}`,
    lead: "Was ansteht, woher es kommt und wer es lesen darf.",
    sections: {
      events: "Sieh alles, was ansteht, und trage eigene Termine ein.",
      subscriptions:
        "Abonniere den Kalender deiner Schule oder deines Vereins und sieh, wie es ihm geht.",
      apps: "Sieh, welche Apps deine Termine lesen dürfen, und trenne sie.",
      settings: "Zeitzone, Sprache und Passwort.",
    },
  },
};
