/** The authorization of an app. Allow and Deny are buttons of equal size. */
import type { ConsentView } from "../../../contract/events/page-views.ts";
import { EVENTS_CONSENT_SCRIPT } from "../../generated/events-consent-script.ts";
import { html, type Html } from "../../html.ts";
import { donePanel, returnAddress } from "../../login/return-to-app.ts";
import { writePageData } from "../../page-script.ts";
import { hiddenFields } from "../forms.ts";
import { PATHS, renderEventsPage, type EventsFrame } from "../frame.ts";
import { CONSENT_TEXTS, type ConsentTexts } from "./texts.ts";

export interface ConsentData extends Pick<ConsentView, "redirectUri" | "delivery"> {
  readonly messages: ConsentTexts["messages"];
}

export function renderConsentPage(view: ConsentView, frame: EventsFrame): string {
  const texts = CONSENT_TEXTS[frame.language];
  const main = html`<div class="narrow">
    <div class="card" id="consent">
      <h1>${texts.question(html`<em>${view.appName}</em>`)}</h1>
      <form class="row lead signed-in-as" method="post" action="${PATHS.signOut}">
        ${hiddenFields({ interaction: view.interaction, csrf: view.csrf })}
        <p>${texts.signedInAs(html`<strong>${view.username}</strong>`)}</p>
        <button class="quiet" type="submit">${texts.signOut}</button>
      </form>
      <h2 class="label">${texts.may}</h2>
      <ul class="points">
        ${texts.mayList.map((point) => html`<li>${point}</li>`)}
      </ul>
      <h2 class="label">${texts.mayNot}</h2>
      <ul class="points not">
        ${texts.mayNotList.map((point) => html`<li>${point}</li>`)}
      </ul>
      <p class="duration">${texts.duration}</p>
      ${decision(view, texts)}
      <p class="return">${texts.returnsTo} ${returnAddress(view.redirectUri)}</p>
    </div>
    ${donePanel(texts.allowed, "allowed")} ${donePanel(texts.denied, "denied")}
  </div>`;
  return renderEventsPage(frame, { title: texts.title, script: EVENTS_CONSENT_SCRIPT, main });
}

function decision(view: ConsentView, texts: ConsentTexts): Html {
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
    <div class="error" id="error" role="alert" tabindex="-1" hidden></div>
    <div class="choices">
      <button class="button primary large" name="action" value="allow">${texts.allow}</button>
      <button class="button large" name="action" value="deny">${texts.deny}</button>
    </div>
    <div class="under">
      <p class="status" id="status" role="status"></p>
      <p class="note">${delivery === "scheme" && texts.opensApp}</p>
    </div>
  </form>`;
}
