/** The login page: a pure function of what the authorize request asked for. */
import type { Delivery } from "../../rules/identity/redirect.ts";
import { renderDocument, type DocumentFrame } from "../document.ts";
import { LOGIN_SCRIPT } from "../generated/login-script.ts";
import { LOGIN_STYLE } from "../generated/login-style.ts";
import { html } from "../html.ts";
import { donePanel } from "./done.ts";
import { loginForm } from "./form.ts";
import type { LoginAttempt, LoginData } from "./login-data.ts";
import { returnAddress } from "./return-address.ts";
import { LOGIN_TEXTS } from "./texts.ts";

export interface LoginPageOptions extends DocumentFrame {
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
  const { language, displayName, endpoint, csrfHeader, purpose, delivery } = options;
  const { codeChallenge, state, redirectUri, attemptId, deviceId } = options.attempt;
  const attempt = { codeChallenge, state, redirectUri, attemptId, deviceId };
  const texts = LOGIN_TEXTS[language];
  const { messages } = texts;
  const data: LoginData = { endpoint, csrfHeader, purpose, attempt, delivery, messages };
  const main = html`<div class="card" id="sign-in">
      <h1>${texts.heading}</h1>
      <p class="lead">${texts.purpose[0]}<strong>${displayName}</strong>${texts.purpose[1]}</p>
      ${loginForm(data, texts)}
      <p class="return">${texts.returnsTo} ${returnAddress(redirectUri)}</p>
    </div>
    ${donePanel(texts)}`;
  return renderDocument(options, {
    title: texts.title(displayName),
    style: LOGIN_STYLE,
    script: LOGIN_SCRIPT,
    referrer: "no-referrer",
    main,
  });
}
