/** Where a person decides what an app may do. Allow and Deny are two buttons of one size. */
import { EVENTS_CONSENT_SCRIPT } from "../../generated/events-consent-script.ts";
import { html, type Html } from "../../html.ts";
import { donePanel } from "../../login/done.ts";
import { returnAddress } from "../../login/return-address.ts";
import { writePageData } from "../../page-data.ts";
import { renderEventsPage, type EventsFrame } from "../frame.ts";
import { hiddenFields } from "../hidden-fields.ts";
import { PATHS } from "../paths.ts";
import type { ConsentData } from "./consent-data.ts";
import { CONSENT_TEXTS, type ConsentTexts } from "./texts.ts";

export interface ConsentPageView {
  readonly interaction: string;
  readonly csrf: string;
  readonly username: string;
  readonly appName: string;
  readonly redirectUri: string;
  readonly delivery: "http" | "scheme";
}

export function renderConsentPage(view: ConsentPageView, frame: EventsFrame): string {
  const texts = CONSENT_TEXTS[frame.language];
  const { question, whose } = texts;
  const main = html`<div class="narrow">
    <div class="card" id="consent">
      <h1>${question[0]}<em>${view.appName}</em>${question[1]}</h1>
      <form class="lead whose" method="post" action="${PATHS.signOut}">
        ${hiddenFields({ interaction: view.interaction, csrf: view.csrf })}
        <p>${whose[0]}<strong>${view.username}</strong>${whose[1]}</p>
        <button class="quiet" type="submit">${texts.notYou}</button>
      </form>
      <h2 class="label">${texts.may}</h2>
      <ul class="points">
        ${texts.mayList.map((point) => html`<li>${point}</li>`)}
      </ul>
      <h2 class="label">${texts.mayNot}</h2>
      <ul class="points not">
        ${texts.mayNotList.map((point) => html`<li>${point}</li>`)}
      </ul>
      <p class="lasts">${texts.lasts}</p>
      ${decision(view, texts)}
      <p class="return">${texts.next} ${returnAddress(view.redirectUri)}</p>
    </div>
    ${donePanel(texts.allowed, "allowed")} ${donePanel(texts.denied, "denied")}
  </div>`;
  return renderEventsPage(frame, { title: texts.title, script: EVENTS_CONSENT_SCRIPT, main });
}

function decision(view: ConsentPageView, texts: ConsentTexts): Html {
  const { interaction, csrf, redirectUri, delivery } = view;
  const data: ConsentData = { redirectUri, delivery, messages: texts.messages };
  return html`<form
    class="fields"
    id="decision"
    method="post"
    action="${PATHS.consent}"
    data-consent="${writePageData(data)}"
  >
    ${hiddenFields({ interaction, csrf })}
    <div class="problem" id="problem" role="alert" tabindex="-1" hidden></div>
    <div class="choices">
      <button class="submit" name="action" value="allow">${texts.allow}</button>
      <button class="submit other" name="action" value="deny">${texts.deny}</button>
    </div>
    <div class="under">
      <p class="status" id="status" role="status"></p>
      <p class="note">${delivery === "scheme" && texts.opensApp}</p>
    </div>
  </form>`;
}
