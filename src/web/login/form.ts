/** The form of a sign-in, and the explanations in its place when the browser cannot prove a password. */
import type { SignInView } from "../../contract/events/page-views.ts";
import { html, type Html } from "../html.ts";
import { writePageData } from "../page-script.ts";
import type { SessionSignInData } from "./proof-requests.ts";
import type { SignInPageData } from "./sign-in.ts";
import type { LoginTexts, SignInMessages } from "./texts.ts";

/** The sign-in to pages with browser sessions. `home` is where they are opened. */
export function sessionSignIn(
  { origin, interaction, csrf, purpose }: Omit<SignInView, "appName">,
  { home, endpoint }: { readonly home: string; readonly endpoint: string },
  texts: LoginTexts,
  lead: string | Html,
): Html {
  const data: SessionSignInData = {
    origin,
    ownAddress: `${origin}${home}`,
    endpoint,
    csrf,
    purpose,
    attempt: { interaction },
    messages: texts.messages,
  };
  return html`<div class="card" id="sign-in">
    <h1>${texts.heading}</h1>
    <p class="lead">${lead}</p>
    ${signInForm(data, texts)}
  </div>`;
}

export function signInForm(data: SignInPageData, texts: LoginTexts): Html {
  return html`${explanations(texts)} ${otherAddress(texts, data.origin)}
    <form class="fields" id="login" novalidate hidden data-login="${writePageData(data)}">
      ${errorSummary()} ${usernameField(texts)}
      ${passwordField({
        id: "password",
        label: texts.password,
        autocomplete: "current-password",
        describedBy: "password-note",
        messages: data.messages,
      })}
      <button class="button primary large" id="submit" type="submit">${texts.submit}</button>
      ${statusLine(texts.passwordNote)}
    </form>`;
}

export function usernameField(texts: LoginTexts): Html {
  return html`<div class="field">
    <label for="username">${texts.username}</label>
    <input
      id="username"
      type="text"
      autocomplete="username"
      autocapitalize="none"
      autocorrect="off"
      spellcheck="false"
      required
      aria-describedby="username-error"
    />
    <p class="field-error" id="username-error"></p>
  </div>`;
}

export interface PasswordFieldOptions {
  readonly id: string;
  readonly label: string;
  readonly autocomplete: "current-password" | "new-password";
  /** The ids of further descriptions, besides the error of the field. */
  readonly describedBy?: string;
  readonly messages: SignInMessages;
}

/** The field has no name, so a browser that submits the form itself sends no password. */
export function passwordField(options: PasswordFieldOptions): Html {
  const { id, label, autocomplete, describedBy = "", messages } = options;
  return html`<div class="field">
    <label for="${id}">${label}</label>
    <div class="password">
      <input
        id="${id}"
        type="password"
        autocomplete="${autocomplete}"
        autocapitalize="none"
        autocorrect="off"
        spellcheck="false"
        required
        aria-describedby="${`${id}-error ${describedBy}`.trim()}"
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
