/** Shown where something needs a recent sign-in. */
import type { Language } from "../../contract/language.ts";
import { hiddenFields } from "../forms.ts";
import { html, type Html } from "../html.ts";
import { PASSKEY_TEXTS } from "./texts.ts";

/** The form signs out, and leads back to its page after the sign-in. */
export interface SignInAgain {
  readonly action: string;
  readonly members: Readonly<Record<string, string>>;
}

export function signInAgainForm({ action, members }: SignInAgain, language: Language): Html {
  const { notFresh, signInAgain } = PASSKEY_TEXTS[language];
  return html`<form class="after" method="post" action="${action}">
    ${hiddenFields(members)}
    <p class="meta">${notFresh}</p>
    <button class="quiet" type="submit">${signInAgain}</button>
  </form>`;
}
