/** What the page of invitations and reset links shows; the script shows the part that the link is for. */
import type { Language } from "../../contract/language.ts";
import { copyButton } from "../components.ts";
import { html, type Html } from "../html.ts";
import type { LinkPageData } from "../link-script.ts";
import {
  errorSummary,
  explanations,
  otherAddress,
  passwordField,
  statusLine,
  usernameField,
} from "../login/form.ts";
import { PASSWORD_TEXTS } from "../login/password-texts.ts";
import { LOGIN_TEXTS } from "../login/texts.ts";
import { PASSKEY_TEXTS } from "../passkey/texts.ts";
import { writePageData } from "../page-script.ts";
import { resultCard } from "../sign-in-link/content.ts";
import { WELCOME_TEXTS, type WelcomeMessages, type WelcomeTexts } from "./texts.ts";

export interface WelcomeData extends LinkPageData {
  /** The origin of the service: the page works at no other. */
  readonly origin: string;
  /** The name of the first passkey. */
  readonly passkeyName: string;
  readonly submit: { readonly invitation: string; readonly reset: string };
  readonly messages: WelcomeMessages;
}

export interface WelcomeContent {
  readonly service: "sync" | "events";
  readonly displayName: string;
  readonly language: Language;
  readonly origin: string;
  readonly data: LinkPageData;
  /** Where a person signs in to the service's pages; null where it has none. */
  readonly signInUrl: string | null;
}

/** The script writes the name of the account there. */
const NAME = html`<strong data-username></strong>`;

export function welcomeContent(content: WelcomeContent): Html {
  const { service, displayName, language, origin, signInUrl } = content;
  const texts = WELCOME_TEXTS[language];
  const login = LOGIN_TEXTS[language];
  const instance = html`<strong>${displayName}</strong>`;
  const { open, resetEnds, changedDetail } = texts[service];
  const done = signInUrl === null ? texts.username(NAME) : texts.signedIn(NAME);
  const openButton = html`<a class="button primary large" data-next>${open}</a>`;
  return html`<div class="card" id="ask">
      <div id="opening">
        <h1>${texts.title}</h1>
        <p class="lead" id="opening-status" role="status"></p>
        <p><button class="button" id="try-again" type="button" hidden>${texts.tryAgain}</button></p>
      </div>
      <div id="invitation" hidden>
        <h1 id="invitation-title" tabindex="-1">${texts.invited}</h1>
        <p class="lead">${texts.invitedLead(instance)}</p>
      </div>
      <div id="reset" hidden>
        <h1 id="reset-title" tabindex="-1">${texts.reset}</h1>
        <p class="lead">${texts.resetLead(NAME, instance)}</p>
        <p class="lead">${resetEnds} ${service === "events" && appAccess(texts)}</p>
      </div>
      ${explanations({ ...login, needsScriptDetail: texts.needsScriptDetail })}
      ${otherAddress(login, origin)} ${welcomeForm(content, texts)}
    </div>
    ${resultCard(
      "created",
      texts.created,
      html`<p class="lead">${done}</p>
        ${connectSteps(content, texts)} ${openButton}`,
    )}
    ${resultCard(
      "changed",
      texts.changed,
      html`<p class="lead">${done} ${changedDetail}</p>
        ${openButton}`,
    )}
    ${resultCard(
      "refused",
      texts.refused,
      html`<p class="lead">${texts.refusedDetail}</p>
        ${signInUrl !== null && html`<a class="button" href="${signInUrl}">${login.submit}</a>`}`,
    )}`;
}

function appAccess({ appsRevoked, appsKept }: WelcomeTexts): Html {
  return html`<span id="apps-revoked" hidden>${appsRevoked}</span
    ><span id="apps-kept" hidden>${appsKept}</span>`;
}

/** The fields have no names, so that no browser submits them. */
function welcomeForm({ language, origin, data: own }: WelcomeContent, texts: WelcomeTexts): Html {
  const { messages } = texts;
  const data: WelcomeData = {
    ...own,
    origin,
    passkeyName: PASSKEY_TEXTS[language].newName(1),
    submit: { invitation: texts.create, reset: texts.set },
    messages,
  };
  return html`<form
    class="fields"
    id="welcome"
    novalidate
    hidden
    data-welcome="${writePageData(data)}"
  >
    ${errorSummary()} ${usernameField(LOGIN_TEXTS[language], "username")}
    ${passwordField({
      id: "password",
      label: LOGIN_TEXTS[language].password,
      autocomplete: "new-password",
      hint: PASSWORD_TEXTS[language].newPasswordHint,
      messages,
    })}
    <button class="button primary large" id="submit" type="submit">${texts.create}</button>
    ${statusLine(texts.passwordNote)}
    <div id="with-passkey" hidden>
      <button class="quiet" id="passkey" type="button" aria-describedby="passkey-hint">
        ${texts.usePasskey}
      </button>
      <p class="fine" id="passkey-hint">${texts.passkeyHint}</p>
      <p class="field-error" id="passkey-error" role="alert"></p>
    </div>
  </form>`;
}

/** The second step has the address. */
function connectSteps({ service, origin, language }: WelcomeContent, texts: WelcomeTexts): Html {
  const [choose, enter, allow] = texts[service].steps;
  return html`<h2>${texts.connect}</h2>
    <ol class="steps">
      <li>${choose}</li>
      <li>
        ${enter}
        <p class="row address">
          <code>${origin}</code> ${copyButton(origin, texts.theAddress, language)}
        </p>
      </li>
      <li>${allow}</li>
    </ol>
    <p class="unseen" id="copy-status" role="status"></p>`;
}
