/** The settings: a form for time zone and language, and one for the password. */
import type { SettingsView } from "../../../contract/events/page-views.ts";
import { LANGUAGES } from "../../../contract/language.ts";
import { LANGUAGE_NAMES } from "../../document.ts";
import { html, type Html } from "../../html.ts";
import { passwordForm } from "../../login/password-form.ts";
import { hiddenFields, selectField, type ChoiceGroup } from "../../forms.ts";
import { PATHS, renderAccountPage, type SignedInFrame } from "../frame.ts";
import { errorMessage, notice } from "../../components.ts";
import { SETTINGS_TEXTS, type SettingsTexts } from "./texts.ts";

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
        ${passwordForm(
          {
            endpoint: PATHS.settings,
            csrf: frame.account.csrf,
            username: frame.account.username,
            purpose: view.purpose,
            attempt: { interaction: view.interaction },
            accessMember: "disconnectApps",
            messages: texts.messages,
          },
          texts,
          frame.language,
        )}
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
