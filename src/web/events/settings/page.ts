/** What a person can set: zone and language by a plain form, the password by a script. */
import { EVENTS_ACCOUNT_SCRIPT } from "../../generated/events-account-script.ts";
import { html, type Html } from "../../html.ts";
import { LANGUAGE_NAMES, LANGUAGES } from "../../language.ts";
import { selectField, type ChoiceGroup } from "../fields.ts";
import { FRAME_TEXTS } from "../frame-texts.ts";
import { renderEventsPage } from "../frame.ts";
import { hiddenFields } from "../hidden-fields.ts";
import { notice, errorMessage } from "../messages.ts";
import { PATHS } from "../paths.ts";
import type { SignedInFrame } from "../signed-in.ts";
import { passwordForm } from "./password-form.ts";
import { SETTINGS_TEXTS, type SettingsTexts } from "./texts.ts";

export interface SettingsPageView {
  readonly timeZone: string;
  readonly timeZones: readonly string[];
  readonly language: "de" | "en" | null;
  readonly interaction: string;
  readonly purpose: string;
  readonly problem: "time-zone-unknown" | null;
  readonly notice: "saved" | "password-changed" | null;
}

export function renderSettingsPage(view: SettingsPageView, frame: SignedInFrame): string {
  const texts = SETTINGS_TEXTS[frame.language];
  const { problem } = view;
  const main = html`${notice(view.notice && texts.notices[view.notice])}
    ${errorMessage(problem && texts.zoneUnknown, "timeZone")}
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
  const prefix = problem === null ? "" : `${FRAME_TEXTS[frame.language].problem}: `;
  return renderEventsPage(frame, {
    title: `${prefix}${texts.title}`,
    navigation: "settings",
    script: EVENTS_ACCOUNT_SCRIPT,
    main,
  });
}

function profileForm(
  view: SettingsPageView,
  { account }: SignedInFrame,
  texts: SettingsTexts,
): Html {
  const languages = LANGUAGES.map((value) => ({ value, label: LANGUAGE_NAMES[value] }));
  return html`<form class="fields" id="profile-form" method="post" action="${PATHS.settings}">
    ${hiddenFields({ csrf: account.csrf, action: "profile" })}
    ${selectField({
      name: "timeZone",
      label: texts.timeZone,
      value: view.timeZone,
      hint: texts.timeZoneHint,
      choices: zoneChoices(view, texts),
      problem: view.problem !== null && texts.zoneUnknown,
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
    <div class="buttons">
      <button class="button primary" type="submit">${texts.save}</button>
    </div>
  </form>`;
}

/** By the part before the slash, as the list is long: Africa, America, … and the rest at the end. */
function zoneChoices({ timeZones, timeZone }: SettingsPageView, texts: SettingsTexts) {
  const all = timeZones.includes(timeZone) ? timeZones : [...timeZones, timeZone];
  const groups = Map.groupBy(all, (zone) => (zone.includes("/") ? zone.split("/", 1)[0] : null));
  return [...groups]
    .sort(([a], [b]) => Number(a === null) - Number(b === null))
    .map(([area, zones]): ChoiceGroup => ({
      label: area ?? texts.otherZones,
      choices: zones.map((zone) => ({ value: zone, label: zone.replaceAll("_", " ") })),
    }));
}
