/** The login page: a pure function of what the authorize request asked for. */
import type { Delivery } from "../../rules/identity/redirect.ts";
import { LOGIN_SCRIPT } from "../generated/login-script.ts";
import { html, type Html } from "../html.ts";
import { renderDocument, type FrameOptions } from "./document.ts";
import { writeLoginData, type LoginAttempt } from "./login-data.ts";
import { returnAddress } from "./return-address.ts";
import { LOGIN_TEXTS, type LoginTexts } from "./texts.ts";

export interface LoginPageOptions extends FrameOptions {
  /** Where the script sends its two requests: a path of this very origin. */
  readonly endpoint: string;
  /** The header that repeats the state, for example `X-Service-CSRF`. */
  readonly csrfHeader: string;
  /** What the proof is for: `trellis-sync-login`. */
  readonly purpose: string;
  /** Checked already: the redirect URI is one of the configured ones. */
  readonly attempt: LoginAttempt;
  readonly delivery: Delivery;
}

export function renderLoginPage(options: LoginPageOptions): string {
  const texts = LOGIN_TEXTS[options.language];
  const main = html`<div class="card" id="sign-in">
      <h1>${texts.heading}</h1>
      <p class="lead">
        ${texts.purpose[0]}<strong>${options.displayName}</strong>${texts.purpose[1]}
      </p>
      ${explanation("needs-script", texts.needsScript, texts.needsScriptDetail, false)}
      ${explanation("insecure", texts.insecure, texts.insecureDetail, true)}
      ${loginForm(options, texts)}
      <p class="return">${texts.returnsTo} ${returnAddress(options.attempt.redirectUri)}</p>
    </div>
    ${donePanel(texts)}`;
  const title = texts.title(options.displayName);
  return renderDocument(options, { title, main, script: LOGIN_SCRIPT }).markup;
}

function explanation(id: string, title: string, detail: string, hidden: boolean): Html {
  return html`<div class="explanation" id="${id}" ${hidden && html`hidden`}>
    <h2>${title}</h2>
    <p>${detail}</p>
  </div>`;
}

/** The fields have no names: even a browser that submits the form by itself would send nothing. */
function loginForm(options: LoginPageOptions, texts: LoginTexts): Html {
  const { endpoint, csrfHeader, purpose, delivery } = options;
  const { codeChallenge, state, redirectUri, attemptId, deviceId } = options.attempt;
  const attempt = { codeChallenge, state, redirectUri, attemptId, deviceId };
  const { messages } = texts;
  const data = writeLoginData({ endpoint, csrfHeader, purpose, attempt, delivery, messages });
  return html`<form id="login" novalidate hidden data-login="${data}">
    <div class="problem" id="problem" tabindex="-1" hidden>
      <div role="alert">
        <p id="problem-text"></p>
        <p class="detail" id="problem-detail"></p>
      </div>
      <p class="countdown" id="countdown" hidden></p>
    </div>
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
        aria-describedby="username-problem"
      />
      <p class="field-problem" id="username-problem"></p>
    </div>
    <div class="field">
      <label for="password">${texts.password}</label>
      <div class="password">
        <input
          id="password"
          type="password"
          autocomplete="current-password"
          autocapitalize="none"
          autocorrect="off"
          spellcheck="false"
          required
          aria-describedby="password-problem stays-here"
        />
        <button
          class="reveal"
          id="reveal"
          type="button"
          aria-controls="password"
          aria-label="${messages.showPassword}"
        >
          ${messages.show}
        </button>
      </div>
      <p class="field-problem" id="password-problem"></p>
    </div>
    <button class="submit" id="submit" type="submit">${texts.submit}</button>
    <div class="under">
      <p class="status" id="status" role="status"></p>
      <p class="note" id="stays-here">${texts.staysHere}</p>
    </div>
  </form>`;
}

function donePanel(texts: LoginTexts): Html {
  return html`<div class="card" id="done" hidden>
    <svg class="tick" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d="m6 12.5 4 4 8-9" />
    </svg>
    <h1 id="done-title" tabindex="-1">${texts.done}</h1>
    <p class="lead">${texts.doneDetail}</p>
    <a class="submit" id="back">${texts.back}</a>
  </div>`;
}
