/** The form of a sign-in, and the explanations in its place when the browser cannot prove a password. */
import type { SignInView } from "../../contract/events/page-views.ts";
import type { Language } from "../../contract/language.ts";
import { html, type Html } from "../html.ts";
import { writePageData } from "../page-script.ts";
import type { PasskeySignInData } from "../passkey/sign-in.ts";
import { PASSKEY_TEXTS } from "../passkey/texts.ts";
import type { SessionSignInData } from "./proof-requests.ts";
import type { SignInPageData } from "./sign-in.ts";
import type { LoginTexts, SignInMessages } from "./texts.ts";

export interface PasskeyPlace {
  readonly language: Language;
  /** Absent where passkeys are not offered. */
  readonly passkeyEndpoint?: string;
}

export interface SessionSignInPlace extends PasskeyPlace {
  /** The path at which the pages are opened. */
  readonly home: string;
  readonly endpoint: string;
}

/** The sign-in to pages with browser sessions. */
export function sessionSignIn(
  { origin, interaction, csrf, purpose }: Omit<SignInView, "appName" | "hasPasskeys">,
  place: SessionSignInPlace,
  texts: LoginTexts,
  lead: string | Html,
): Html {
  const data: SessionSignInData = {
    origin,
    ownAddress: `${origin}${place.home}`,
    endpoint: place.endpoint,
    csrf,
    purpose,
    attempt: { interaction },
    messages: texts.messages,
  };
  return html`<div class="card" id="sign-in">
    <h1>${texts.heading}</h1>
    <p class="lead">${lead}</p>
    ${signInForm(data, texts, place)}
  </div>`;
}

export function signInForm(data: SignInPageData, texts: LoginTexts, place: PasskeyPlace): Html {
  const passkeyButton = passkeySignIn(place, texts);
  const autocomplete = passkeyButton === null ? "username" : "username webauthn";
  return html`${explanations(texts)} ${otherAddress(texts, data.origin)}
    <form class="fields" id="login" novalidate hidden data-login="${writePageData(data)}">
      ${errorSummary()} ${usernameField(texts, autocomplete)}
      ${passwordField({
        id: "password",
        label: texts.password,
        autocomplete: "current-password",
        messages: data.messages,
      })}
      <button class="button primary large" id="submit" type="submit">${texts.submit}</button>
      ${statusLine(texts.passwordNote)} ${passkeyButton}
      <p class="forgotten fine">${texts.forgotten}</p>
    </form>`;
}

export function usernameField(
  texts: LoginTexts,
  autocomplete: "username" | "username webauthn",
): Html {
  return html`<div class="field">
    <label for="username">${texts.username}</label>
    <input
      id="username"
      type="text"
      autocomplete="${autocomplete}"
      autocapitalize="none"
      autocorrect="off"
      spellcheck="false"
      required
      aria-describedby="username-error"
    />
    <p class="field-error" id="username-error"></p>
  </div>`;
}

/** Hidden until the script knows that the browser supports passkeys. */
function passkeySignIn(
  { passkeyEndpoint, language }: PasskeyPlace,
  { messages: { outdated } }: LoginTexts,
): Html | null {
  if (passkeyEndpoint === undefined) return null;
  const texts = PASSKEY_TEXTS[language];
  const messages = { ...texts.messages, unauthorized: texts.refused, outdated };
  const data: PasskeySignInData = { endpoint: passkeyEndpoint, messages };
  return html`<div id="passkey-sign-in" hidden data-passkey="${writePageData(data)}">
    <button class="quiet" id="passkey" type="button">${texts.signIn}</button>
    <p class="field-error" id="passkey-error" role="alert"></p>
  </div>`;
}

export interface PasswordFieldOptions {
  readonly id: string;
  readonly label: string;
  readonly autocomplete: "current-password" | "new-password";
  readonly hint?: string;
  readonly messages: SignInMessages;
}

/** The field has no name, so a browser that submits the form itself sends no password. */
export function passwordField(options: PasswordFieldOptions): Html {
  const { id, label, autocomplete, hint, messages } = options;
  const described = `${id}-error ${hint === undefined ? "" : `${id}-hint `}password-note`;
  return html`<div class="field">
    <label for="${id}">${label}</label>
    ${hint !== undefined && html`<p class="fine" id="${id}-hint">${hint}</p>`}
    <div class="password">
      <input
        id="${id}"
        type="password"
        autocomplete="${autocomplete}"
        autocapitalize="none"
        autocorrect="off"
        spellcheck="false"
        required
        aria-describedby="${described}"
      />
      <button
        class="quiet reveal"
        id="${id}-reveal"
        type="button"
        aria-controls="${id}"
        aria-label="${messages.showPassword}"
      >
        ${messages.show}
      </button>
    </div>
    <p class="field-error" id="${id}-error"></p>
  </div>`;
}

export function explanations(texts: LoginTexts): Html {
  return html`<div class="explanation" id="needs-script">
      <h2>${texts.needsScript}</h2>
      <p>${texts.needsScriptDetail}</p>
    </div>
    <div class="explanation" id="no-cookies" hidden>
      <h2>${texts.noCookies}</h2>
      <p>${texts.noCookiesDetail}</p>
    </div>
    <div class="explanation" id="insecure" hidden>
      <h2>${texts.insecure}</h2>
      <p>${texts.insecureDetail}</p>
    </div>`;
}

/** For a page that was opened at another address than its own. */
export function otherAddress(texts: LoginTexts, origin: string): Html {
  return html`<div class="explanation" id="other-address" hidden>
    <h2>${texts.otherAddress}</h2>
    <p>${texts.otherAddressDetail(html`<strong>${origin}</strong>`)}</p>
    <p><a class="button" id="own-address">${texts.otherAddressOpen}</a></p>
  </div>`;
}

/** The countdown is outside the alert, so that screen readers do not announce every second. */
export function errorSummary(): Html {
  return html`<div class="error" id="error" tabindex="-1" hidden>
    <div role="alert">
      <p id="error-text"></p>
      <p class="detail" id="error-detail"></p>
    </div>
    <p class="countdown" id="countdown" hidden></p>
  </div>`;
}

export function statusLine(note: string): Html {
  return html`<div class="under fine">
    <p class="status" id="status" role="status"></p>
    <p class="note" id="password-note">${note}</p>
  </div>`;
}
