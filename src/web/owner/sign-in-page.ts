/** The sign-in to the owner's page. */
import type { OwnerSignInView } from "../../contract/sync/page-views.ts";
import { notice } from "../components.ts";
import { html } from "../html.ts";
import { signInForm } from "../login/form.ts";
import type { SessionData } from "../login/session-requests.ts";
import type { SignInPageData } from "../login/sign-in.ts";
import { PATHS, renderOwnerDocument, type OwnerDocumentFrame } from "./frame.ts";
import { OWNER_SIGN_IN_TEXTS } from "./sign-in-texts.ts";

export function renderOwnerSignInPage(view: OwnerSignInView, frame: OwnerDocumentFrame): string {
  const { origin, interaction, csrf, purpose } = view;
  const texts = OWNER_SIGN_IN_TEXTS[frame.language];
  const { login } = texts;
  const data: SessionData & SignInPageData = {
    origin,
    ownAddress: `${origin}${PATHS.page}`,
    endpoint: `${PATHS.signIn}${frame.query}`,
    csrf,
    purpose,
    attempt: { interaction },
    messages: login.messages,
  };
  const main = html`<div class="narrow">
    ${notice(view.notice && texts.notices[view.notice])}
    <div class="card" id="sign-in">
      <h1>${login.heading}</h1>
      <p class="lead">${texts.lead(html`<strong>${frame.displayName}</strong>`)}</p>
      ${signInForm(data, login)}
    </div>
  </div>`;
  return renderOwnerDocument(frame, { title: login.heading, main });
}
