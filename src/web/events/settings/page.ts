/** The settings: forms for time zone and language, the password, and passkeys. */
import type { SettingsView } from "../../../contract/events/page-views.ts";
import { LANGUAGES } from "../../../contract/language.ts";
import type { PasskeysView } from "../../../contract/passkey-pages.ts";
import { ACCOUNT_TEXTS } from "../../account-texts.ts";
import { LANGUAGE_NAMES } from "../../document.ts";
import { html, type Html } from "../../html.ts";
import { passwordSection } from "../../login/password-form.ts";
import { hiddenFields, selectField, type ChoiceGroup } from "../../forms.ts";
import { signInAgainForm, type SignInAgain } from "../../passkey/sign-in-again.ts";
import { passkeySection } from "../../passkey/section.ts";
import { PASSKEY_TEXTS } from "../../passkey/texts.ts";
import { clockOf, PATHS, renderAccountPage, type SignedInFrame } from "../frame.ts";
import { cardSection, errorMessage, notice } from "../../components.ts";
import { BROWSERS_TEXTS, signedInBrowsers } from "../../signed-in-browsers.ts";
import { signInHistory } from "../../sign-in-history.ts";
import { PASSWORD_TEXTS, type PasswordTexts } from "../../login/password-texts.ts";

export function renderSettingsPage(view: SettingsView, frame: SignedInFrame): string {
  const texts = SETTINGS_TEXTS[frame.language];
  const { error } = view;
  const password = {
    ...view,
    ...frame.account,
    endpoint: PATHS.settings,
    accessMember: "disconnectApps" as const,
  };
  const canSetPassword = view.hasPassword || view.passkeys?.isFresh === true;
  const main = html`${notice(view.notice && texts.notices[view.notice])}
    ${error !== null && settingsError(error, texts)}
    <h1>${texts.title}</h1>
    <div class="columns">
      <div class="stack">
        ${cardSection("profile", texts.profile, profileForm(view, frame))}
        ${view.passkeys !== null && passkeys(view.passkeys, frame)}
      </div>
      ${
        canSetPassword
          ? passwordSection(password, texts.password, frame.language)
          : noPassword(frame, texts.password)
      }
    </div>
    <section class="group" aria-labelledby="browsers">
      <h2 id="browsers">${BROWSERS_TEXTS[frame.language].title}</h2>
      ${signedInBrowsers({
        browsers: view.browsers,
        csrf: frame.account.csrf,
        action: PATHS.settings,
        question: texts.browserQuestion,
        clock: clockOf(frame),
      })}
    </section>
    <section class="group" aria-labelledby="sign-ins">
      <h2 id="sign-ins">${texts.signIns}</h2>
      ${signInHistory(view.signIns, clockOf(frame))}
    </section>`;
  const hasError = error !== null;
  return renderAccountPage(frame, { title: texts.title, navigation: "settings", hasError, main });
}

function settingsError(error: NonNullable<SettingsView["error"]>, texts: SettingsTexts) {
  return error === "time-zone-unknown"
    ? errorMessage(texts.zoneUnknown, "timeZone")
    : errorMessage(texts.errors[error]);
}

const signInAgain = ({ account: { csrf } }: SignedInFrame): SignInAgain => ({
  action: PATHS.signOut,
  members: { csrf, next: "settings" },
});

function noPassword(frame: SignedInFrame, { title, first }: PasswordTexts): Html {
  return cardSection(
    "password",
    title,
    html`<p class="lead">${first.lead}</p>
      ${signInAgainForm(signInAgain(frame), frame.language)}`,
  );
}

function passkeys(view: PasskeysView, frame: SignedInFrame): Html {
  const { csrf } = frame.account;
  return passkeySection({
    ...view,
    csrf,
    action: PATHS.settings,
    endpoint: PATHS.addPasskey,
    signInAgain: signInAgain(frame),
    clock: clockOf(frame),
  });
}

function profileForm(view: SettingsView, { account, language }: SignedInFrame): Html {
  const texts = SETTINGS_TEXTS[language];
  const languages = LANGUAGES.map((value) => ({ value, label: LANGUAGE_NAMES[value] }));
  return html`<form class="fields" id="profile-form" method="post" action="${PATHS.settings}">
    ${hiddenFields({ csrf: account.csrf, action: "profile" })}
    ${selectField({
      name: "timeZone",
      label: texts.timeZone,
      value: view.timeZone,
      hint: texts.timeZoneHint,
      choices: zoneChoices(view, texts),
      error: view.error === "time-zone-unknown" && texts.zoneUnknown,
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
      <button class="button primary" type="submit">${ACCOUNT_TEXTS[language].save}</button>
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

const en = {
  title: "Settings",
  profile: "Time and language",
  timeZone: "Time zone",
  timeZoneHint: "It determines the day of an event and the times on these pages.",
  /** `{zone}` is replaced by the script. */
  deviceZone: "Use the time zone of this device: {zone}",
  otherZones: "Other",
  language: "Language of these pages",
  languageHint: "The links at the top change it temporarily, this setting permanently.",
  browserLanguage: "Same as the browser",
  browserQuestion: "The browser then has to sign in again. Your apps keep their access.",
  signIns: "Sign-ins",
  password: {
    ...PASSWORD_TEXTS.en,
    lead: "When you change it, all other browsers are signed out.",
    revokeAccess: "Also revoke access for all apps and remove my passkeys",
    revokeHint: "If someone else may have known the password.",
  },
  zoneUnknown: "Please choose a time zone from the list.",
  notices: {
    saved: "Your settings were saved.",
    "password-changed": "Your password was changed. All other browsers are signed out.",
    "password-set": PASSWORD_TEXTS.en.first.done,
    "browser-signed-out": BROWSERS_TEXTS.en.signedOut,
    ...PASSKEY_TEXTS.en.notices,
  },
  errors: { ...PASSKEY_TEXTS.en.errors, "browser-gone": BROWSERS_TEXTS.en.gone },
};

type SettingsTexts = typeof en;

const de: SettingsTexts = {
  title: "Einstellungen",
  profile: "Zeit und Sprache",
  timeZone: "Zeitzone",
  timeZoneHint: "Sie bestimmt den Tag eines Termins und die Uhrzeiten auf diesen Seiten.",
  deviceZone: "Zeitzone dieses Geräts übernehmen: {zone}",
  otherZones: "Weitere",
  language: "Sprache dieser Seiten",
  languageHint: "Die Links oben ändern sie vorübergehend, diese Einstellung dauerhaft.",
  browserLanguage: "Wie im Browser",
  browserQuestion: "Der Browser muss sich dann neu anmelden. Deine Apps behalten ihren Zugriff.",
  signIns: "Anmeldungen",
  password: {
    ...PASSWORD_TEXTS.de,
    lead: "Beim Ändern werden alle anderen Browser abgemeldet.",
    revokeAccess: "Auch den Zugriff aller Apps widerrufen und meine Passkeys entfernen",
    revokeHint: "Falls eine andere Person das Passwort gekannt haben könnte.",
  },
  zoneUnknown: "Bitte wähle eine Zeitzone aus der Liste.",
  notices: {
    saved: "Deine Einstellungen wurden gespeichert.",
    "password-changed": "Dein Passwort wurde geändert. Alle anderen Browser sind abgemeldet.",
    "password-set": PASSWORD_TEXTS.de.first.done,
    "browser-signed-out": BROWSERS_TEXTS.de.signedOut,
    ...PASSKEY_TEXTS.de.notices,
  },
  errors: { ...PASSKEY_TEXTS.de.errors, "browser-gone": BROWSERS_TEXTS.de.gone },
};

const SETTINGS_TEXTS = { en, de };
