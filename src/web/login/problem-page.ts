/** What a person sees whose browser was sent here with a wrong authorize request. */
import { renderDocument, type DocumentFrame } from "../document.ts";
import { LOGIN_STYLE } from "../generated/login-style.ts";
import { html } from "../html.ts";
import { LOGIN_TEXTS } from "./texts.ts";

export interface LoginProblem {
  readonly status: number;
  /** The stable code of the error. */
  readonly code: string;
  readonly requestId: string;
}

export function renderLoginErrorPage(options: DocumentFrame, problem: LoginProblem): string {
  const texts = LOGIN_TEXTS[options.language];
  const { status, code, requestId } = problem;
  const passing = status === 429 || status >= 500;
  const main = html`<div class="card">
    <h1>${passing ? texts.outOfService : texts.badLink}</h1>
    <p class="lead">${passing ? texts.outOfServiceDetail : texts.badLinkDetail}</p>
    <p class="return">
      ${texts.reference} <code>${status} ${code}</code> <code>${requestId}</code>
    </p>
  </div>`;
  return renderDocument(options, {
    title: texts.errorTitle(options.displayName),
    style: LOGIN_STYLE,
    referrer: "no-referrer",
    main,
  });
}
