/** The settings: a form for time zone and language, and one for the password. */
import type { SettingsView } from "../../../contract/events/page-views.ts";
import { LANGUAGES } from "../../../contract/language.ts";
import { LANGUAGE_NAMES } from "../../document.ts";
import { html, type Html } from "../../html.ts";
import { errorSummary, explanations, passwordField, statusLine } from "../../login/form.ts";
import { LOGIN_TEXTS } from "../../login/texts.ts";
import { writePageData } from "../../page-script.ts";
import { hiddenFields, selectField, type ChoiceGroup } from "../forms.ts";
import { PATHS, renderAccountPage, type SignedInFrame } from "../frame.ts";
import { errorMessage, notice } from "../components.ts";
import type { SessionData } from "../session-requests.ts";
import { SETTINGS_TEXTS, type SettingsTexts } from "./texts.ts";

export interface PasswordData extends SessionData {
  readonly username: string;
  readonly messages: SettingsTexts["messages"];
}

export function renderSettingsPage(view: SettingsView, frame: SignedInFrame): string {
  const texts = SETTINGS_TEXTS[frame.language];
  const { error } = view;
  const main = html`${notice(view.notice && texts.notices[view.notice])}
    ${errorMessage(error && texts.zoneUnknown, "timeZone")}
    <h1>${texts.title}</h1>
    <div class="columns">
      <section class="card" aria-labelledby="profile">
        <h2 id="profile">${texts.profile}</h2>
        ${profileForm(view, frame, texts)}
      </section>
      <section class="card" aria-labelledby="password">
        <h2 id="password">${texts.password}</h2>
        <p class="lead">${texts.passwordLead}</p>
        ${passwordForm(view, frame, texts)}
      </section>
    </div>`;
  const hasError = error !== null;
  return renderAccountPage(frame, { title: texts.title, navigation: "settings", hasError, main });
}

function profileForm(view: SettingsView, { account }: SignedInFrame, texts: SettingsTexts): Html {
  const languages = LANGUAGES.map((value) => ({ value, label: LANGUAGE_NAMES[value] }));
  return html`<form class="fields" id="profile-form" method="post" action="${PATHS.settings}">
    ${hiddenFields({ csrf: account.csrf, action: "profile" })}
    ${selectField({
      name: "timeZone",
      label: texts.timeZone,
      value: view.timeZone,
      hint: texts.timeZoneHint,
      choices: zoneChoices(view, texts),
      error: view.error !== null && texts.zoneUnknown,
    })}
    <button
      class="quiet"
      id="device-zone"
      type="button"
      hidden
      data-text="${texts.deviceZone}"
    ></button>
    ${selectField({
      name: "language",
      label: texts.language,
      value: view.language ?? "",
      hint: texts.languageHint,
      choices: [{ value: "", label: texts.browserLanguage }, ...languages],
    })}
    <div class="row buttons">
      <button class="button primary" type="submit">${texts.save}</button>
    </div>
  </form>`;
}

/** Grouped by the part before the slash: Africa, America, … and the rest at the end. */
function zoneChoices({ timeZones, timeZone }: SettingsView, texts: SettingsTexts) {
  const all = timeZones.includes(timeZone) ? timeZones : [...timeZones, timeZone];
  const groups = Map.groupBy(all, (zone) => (zone.includes("/") ? zone.split("/", 1)[0] : null));
  return [...groups]
    .sort(([a], [b]) => Number(a === null) - Number(b === null))
    .map(([area, zones]): ChoiceGroup => ({
      label: area ?? texts.otherZones,
      choices: zones.map((zone) => ({ value: zone, label: zone.replaceAll("_", " ") })),
    }));
}

/** Its fields have no names, so that no browser submits them. */
function passwordForm(
  { interaction, purpose }: SettingsView,
  { account, language }: SignedInFrame,
  texts: SettingsTexts,
): Html {
  const { messages } = texts;
  const data: PasswordData = {
    endpoint: PATHS.settings,
    csrf: account.csrf,
    username: account.username,
    purpose,
    attempt: { interaction },
    messages,
  };
  return html`${explanations({ ...LOGIN_TEXTS[language], needsScriptDetail: texts.needsScriptDetail })}
    <form
      class="fields"
      id="change-password"
      novalidate
      hidden
      data-password="${writePageData(data)}"
    >
      ${errorSummary()}
      <input type="text" autocomplete="username" value="${account.username}" readonly hidden />
      ${passwordField({
        id: "current-password",
        label: texts.currentPassword,
        autocomplete: "current-password",
        messages,
      })}
      ${passwordField({
        id: "new-password",
        label: texts.newPassword,
        autocomplete: "new-password",
        describedBy: "new-password-hint password-note",
        messages,
      })}
      <p class="hint" id="new-password-hint">${texts.newPasswordHint}</p>
      <div class="check">
        <input id="revoke-access" type="checkbox" aria-describedby="revoke-hint" />
        <label for="revoke-access">${texts.revokeAccess}</label>
        <p class="hint" id="revoke-hint">${texts.revokeHint}</p>
      </div>
      <button class="button primary large" id="submit" type="submit">${texts.change}</button>
      ${statusLine(texts.passwordNote)}
    </form>`;
}
