/** What the sign-in of the events service says otherwise than that of an app. */
import type { Language } from "../../language.ts";
import { LOGIN_TEXTS, type LoginTexts } from "../../login/texts.ts";

export interface SignInTexts {
  /** Before and after the app's name. */
  readonly forApp: readonly [string, string];
  readonly forOneself: string;
  readonly login: LoginTexts;
}

function withMessages(language: Language, changes: Partial<LoginTexts["messages"]>): LoginTexts {
  const texts = LOGIN_TEXTS[language];
  return { ...texts, messages: { ...texts.messages, ...changes } };
}

export const SIGN_IN_TEXTS: Readonly<Record<Language, SignInTexts>> = {
  en: {
    forApp: ["", " would like to read your events. Sign in, then you decide."],
    forOneself: "To your events, your calendars and the apps that may read them.",
    login: withMessages("en", {
      forged:
        "The server could not prove that it knows your account. You are not signed in. Please make sure that the address of this page is right.",
    }),
  },
  de: {
    forApp: ["", " möchte deine Termine lesen. Melde dich an, dann entscheidest du."],
    forOneself: "Zu deinen Terminen, deinen Kalendern und den Apps, die sie lesen dürfen.",
    login: withMessages("de", {
      forged:
        "Der Server konnte nicht zeigen, dass er dein Konto kennt. Du bist nicht angemeldet. Bitte prüfe, ob die Adresse dieser Seite stimmt.",
    }),
  },
};
