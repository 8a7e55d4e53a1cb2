/** The form of a sign-in, and the explanations in its place when the browser cannot prove a password. */
import { html, type Html } from "../html.ts";
import { writePageData } from "../page-script.ts";
import type { SignInPageData } from "./sign-in.ts";
import type { LoginTexts, SignInMessages } from "./texts.ts";

export function signInForm(data: SignInPageData, texts: LoginTexts): Html {
  return html`${explanations(texts)}
    <div class="explanation" id="other-address" hidden>
      <h2>${texts.otherAddress}</h2>
      <p>${texts.otherAddressDetail(html`<strong>${data.origin}</strong>`)}</p>
      <p><a class="button" id="own-address">${texts.otherAddressOpen}</a></p>
    </div>
    <form class="fields" id="login" novalidate hidden data-login="${writePageData(data)}">
      ${errorSummary()}
      <div class="field">
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
      </div>
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

export interface PasswordFieldOptions {
  readonly id: string;
  readonly label: string;
  readonly autocomplete: "current-password" | "new-password";
  /** Ids of further descriptions, besides its own error. */
  readonly describedBy?: string;
  readonly messages: SignInMessages;
}

/** Without a name: a browser that submits the form itself sends no password. */
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

export interface ExplanationTexts {
  readonly needsScript: string;
  readonly needsScriptDetail: string;
  readonly insecure: string;
  readonly insecureDetail: string;
}

export function explanations(texts: ExplanationTexts): Html {
  return html`<div class="explanation" id="needs-script">
      <h2>${texts.needsScript}</h2>
      <p>${texts.needsScriptDetail}</p>
    </div>
    <div class="explanation" id="insecure" hidden>
      <h2>${texts.insecure}</h2>
      <p>${texts.insecureDetail}</p>
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
  return html`<div class="under">
    <p class="status" id="status" role="status"></p>
    <p class="note" id="password-note">${note}</p>
  </div>`;
}
