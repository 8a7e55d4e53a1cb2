/** The login page of the sync service, and its error page. */
import type { LoginErrorView } from "../../contract/sync/page-views.ts";
import { renderDocument, type DocumentFrame } from "../document.ts";
import { LOGIN_SCRIPT } from "../generated/login-script.ts";
import { errorCard, type ErrorTexts } from "../error-card.ts";
import { html } from "../html.ts";
import { signInForm, type PasskeyPlace } from "./form.ts";
import type { LoginRequestSettings } from "./proof-requests.ts";
import { donePanel, returnAddress } from "./return-to-app.ts";
import type { SignInPageData } from "./sign-in.ts";
import { LOGIN_TEXTS, type LoginTexts } from "./texts.ts";

/** `endpoint` is the path of the page; the redirect URI was checked against the allowlist. */
interface LoginSettings extends LoginRequestSettings {
  readonly purpose: string;
}

export type LoginPageOptions = DocumentFrame &
  LoginSettings &
  PasskeyPlace &
  Pick<SignInPageData, "origin" | "ownAddress">;
export type LoginData = SignInPageData & LoginSettings;

export function renderLoginPage(options: LoginPageOptions): string {
  const { language, displayName, origin, ownAddress } = options;
  const { endpoint, csrfHeader, purpose, attempt, delivery } = options;
  const texts = LOGIN_TEXTS[language];
  const { messages } = texts;
  const data: LoginData = {
    origin,
    ownAddress,
    endpoint,
    csrfHeader,
    purpose,
    attempt,
    delivery,
    messages,
  };
  const main = html`<div class="narrow">
    <div class="card" id="sign-in">
      <h1>${texts.heading}</h1>
      <p class="lead">${texts.purpose(html`<strong>${displayName}</strong>`)}</p>
      ${signInForm(data, texts, options)}
      <p class="return fine">${texts.returnsTo} ${returnAddress(attempt.redirectUri)}</p>
    </div>
    ${donePanel(texts)}
  </div>`;
  return renderDocument(options, {
    title: texts.title(displayName),
    script: LOGIN_SCRIPT,
    referrer: "no-referrer",
    main,
  });
}

export function renderLoginErrorPage(frame: DocumentFrame, view: LoginErrorView): string {
  const texts = LOGIN_TEXTS[frame.language];
  return renderDocument(frame, {
    title: texts.errorTitle(frame.displayName),
    referrer: "no-referrer",
    main: errorCard(explainError(view, texts), view, frame.language),
  });
}

function explainError({ status, reason }: LoginErrorView, texts: LoginTexts): ErrorTexts {
  if (reason === "redirect-not-listed") {
    return { title: texts.unlistedRedirect, detail: texts.unlistedRedirectDetail };
  }
  if (reason === "suspended") return { title: texts.suspended, detail: texts.suspendedDetail };
  return status === 429 || status >= 500
    ? { title: texts.unavailable, detail: texts.unavailableDetail }
    : { title: texts.badLink, detail: texts.badLinkDetail };
}
