import { PASSWORD_TEXTS } from "../../login/password-texts.ts";

const en = {
  title: "Settings",
  profile: "Time and language",
  timeZone: "Time zone",
  timeZoneHint: "It determines the day of an event and the times on these pages.",
  /** `{zone}` is replaced by the script. */
  deviceZone: "This device is in {zone}. Use it",
  otherZones: "Other",
  language: "Language of these pages",
  languageHint: "The links at the top change it temporarily, this setting permanently.",
  browserLanguage: "Browser setting",
  password: {
    ...PASSWORD_TEXTS.en,
    lead: "Changing it signs out all other browsers.",
    revokeAccess: "Also revoke access for all apps",
    revokeHint: "If someone else may have known the password.",
  },
  zoneUnknown: "Please choose a time zone from the list.",
  notices: {
    saved: "Your settings were saved.",
    "password-changed": "Your password was changed. All other browsers are signed out.",
  },
};

export type SettingsTexts = typeof en;

const de: SettingsTexts = {
  title: "Einstellungen",
  profile: "Zeit und Sprache",
  timeZone: "Zeitzone",
  timeZoneHint: "Sie bestimmt den Tag eines Termins und die Uhrzeiten auf diesen Seiten.",
  deviceZone: "Dieses Gerät ist in {zone}. Übernehmen",
  otherZones: "Weitere",
  language: "Sprache dieser Seiten",
  languageHint: "Die Links oben ändern sie vorübergehend, diese Einstellung dauerhaft.",
  browserLanguage: "Einstellung des Browsers",
  password: {
    ...PASSWORD_TEXTS.de,
    lead: "Beim Ändern werden alle anderen Browser abgemeldet.",
    revokeAccess: "Auch den Zugriff aller Apps widerrufen",
    revokeHint: "Falls eine andere Person das Passwort gekannt haben könnte.",
  },
  zoneUnknown: "Bitte wähle eine Zeitzone aus der Liste.",
  notices: {
    saved: "Deine Einstellungen wurden gespeichert.",
    "password-changed": "Dein Passwort wurde geändert. Alle anderen Browser sind abgemeldet.",
  },
};

export const SETTINGS_TEXTS = { en, de };
