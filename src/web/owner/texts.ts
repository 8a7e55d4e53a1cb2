import { BROWSERS_TEXTS } from "../signed-in-browsers.ts";
import { html, type Html } from "../html.ts";
import { PASSWORD_TEXTS } from "../login/password-texts.ts";
import { PASSKEY_TEXTS } from "../passkey/texts.ts";

const en = {
  tabs: {
    devices: { title: "Devices", lead: "Your devices and browsers with access to this server." },
    "sign-in": { title: "Sign-in", lead: "The ways to sign in to your account." },
    data: { title: "Data", lead: "What this server stores for you." },
    history: {
      title: "History",
      lead: "If one of these sign-ins was not you, sign out its device and browser, remove passkeys that you do not know, and change your password. The list goes back at most 90 days.",
    },
  },
  notices: {
    "device-named": "The name of the device was saved.",
    "device-signed-out": "The device is signed out. It keeps its data, but can no longer sync.",
    "browser-signed-out": BROWSERS_TEXTS.en.signedOut,
    "password-changed":
      "Your password was changed. All other browsers are signed out of this page.",
    "password-set": PASSWORD_TEXTS.en.first.done,
    ...PASSKEY_TEXTS.en.notices,
  },
  passkeysStay: "Your passkeys still work. Please remove any that you do not know.",
  errors: {
    outdated: "This page was open for too long, so nothing was changed. Please try again.",
    "device-gone": "That device is no longer signed in. The list below is up to date.",
    "browser-gone": BROWSERS_TEXTS.en.gone,
    "name-too-long": "That name is too long. Please choose a shorter one.",
    "name-differs": "Nothing was deleted: that is not your username. Please type it exactly.",
    ...PASSKEY_TEXTS.en.errors,
    "not-fresh": "Nothing was changed. Please sign in again first.",
  },
  devices: {
    title: "Signed-in devices",
    device: "Device",
    none: "No device is signed in.",
    noneHint: "Open the app on a device, enter the address of this server and sign in.",
    unnamed: (id: string) => `Device ${id}`,
    signedIn: "Signed in",
    expires: "Expires",
    rename: "Rename",
    name: "Name of the device",
    nameHint: (id: Html) =>
      html`Only you see this name. Leave it empty to remove it. The app calls this device ${id}.`,
    question:
      "The device can then no longer sync until you sign in on it again. It keeps its data.",
    confirm: "Yes, sign it out",
  },
  browsers: {
    lead: "These browsers have access to this page. Each is signed out after an hour without use.",
    question: "The browser then has to sign in to this page again. Your devices stay signed in.",
  },
  storage: {
    title: "Storage and backups",
    used: "Storage used",
    usedOf: (used: string, allowed: string) => `${used} of ${allowed}`,
    data: "Data",
    sealed: "End-to-end encrypted: this server cannot read your data",
    usedUp:
      "Your storage is full. Your devices keep new changes, and send them as soon as the operator of this server allows more.",
    unknown: "not known",
    backup: "Last backup",
    noBackup: "No backup is known",
    /** Where an operator has several instances, who makes the backups. */
    noBackupYet: "The operator of this server has made none yet",
    firstSoon: "none yet: the server will make the first one soon",
    schedule: "The server makes one",
    every: { hour: "every hour", day: "every day", week: "every week" },
    makeBackup: html`Make one on the server with <code>trellis sync backup FILE</code>, and keep it
      on another machine.`,
    failing: (since: Html) =>
      html`Backups are failing. First failure: ${since}. The log of the server says why.`,
  },
  activity: {
    title: "Activity",
    none: (days: number) => `No changes arrived in the last ${days} days.`,
    summary: (total: string, days: number, most: string) =>
      `${total} changes in the last ${days} days, ${most} on the busiest day`,
    table: "As a table",
    day: "Day (UTC)",
    utc: "The days are those of UTC.",
    operations: "Changes",
  },
  export: {
    title: "Export",
    lead: "Everything that is not deleted, as a JSON file. Keep the file safe: it can be read without a password.",
    /** Instead of `lead` where the data is sealed. */
    sealed: html`Everything that is not deleted, encrypted, as a JSON file. On your own machine,
      <code>trellis sync open FILE</code> decrypts it with your recovery key.`,
    download: "Download everything",
  },
  password: {
    ...PASSWORD_TEXTS.en,
    lead: "When you change it, all other browsers are signed out of this page.",
    revokeAccess: "Also sign out all devices and remove my passkeys",
    revokeHint: "If someone else may have known the password, or a device was lost.",
  },
  everywhere: {
    title: "Sign out everywhere",
    lead: "Signs out all devices and all browsers, this one too.",
    label: "Sign out everywhere …",
    question: "You then have to sign in again on each device. Data on the devices stays there.",
    confirm: "Yes, sign out everywhere",
  },
  deletion: {
    title: "Delete everything here",
    lead: "Deletes your data on this server, signs out all devices and browsers, and removes your passkeys and the account itself. This cannot be undone.",
    open: "Delete everything …",
    exportFirst: "Download your data first if you want to keep it.",
    devices:
      "Your devices keep their copies. If you sign in here again on a device, it uploads its copy again, so delete the data there, too.",
    backups: "Earlier backups of this server still contain your data.",
    backupsSince: (time: Html) =>
      html`Earlier backups still contain your data. Last known backup: ${time}.`,
    replaced: "The server deletes old backups automatically.",
    name: (username: string) => `Type your username, ${username}, to confirm`,
    confirm: "Delete everything permanently",
  },
};

export type OwnerTexts = typeof en;

const de: OwnerTexts = {
  tabs: {
    devices: {
      title: "Geräte",
      lead: "Deine Geräte und Browser mit Zugriff auf diesen Server.",
    },
    "sign-in": { title: "Anmeldung", lead: "So meldest du dich bei deinem Konto an." },
    data: { title: "Daten", lead: "Das speichert dieser Server für dich." },
    history: {
      title: "Verlauf",
      lead: "Falls eine dieser Anmeldungen nicht von dir ist: Melde ihr Gerät und ihren Browser ab, entferne Passkeys, die du nicht kennst, und ändere dein Passwort. Die Liste reicht höchstens 90 Tage zurück.",
    },
  },
  notices: {
    "device-named": "Der Name des Geräts wurde gespeichert.",
    "device-signed-out":
      "Das Gerät ist abgemeldet. Es behält seine Daten, kann aber nicht mehr synchronisieren.",
    "browser-signed-out": BROWSERS_TEXTS.de.signedOut,
    "password-changed":
      "Dein Passwort wurde geändert. Alle anderen Browser sind von dieser Seite abgemeldet.",
    "password-set": PASSWORD_TEXTS.de.first.done,
    ...PASSKEY_TEXTS.de.notices,
  },
  passkeysStay: "Deine Passkeys gelten weiter. Bitte entferne alle, die du nicht kennst.",
  errors: {
    outdated:
      "Diese Seite war zu lange geöffnet, deshalb wurde nichts geändert. Bitte versuche es noch einmal.",
    "device-gone": "Dieses Gerät ist nicht mehr angemeldet. Die Liste unten ist aktuell.",
    "browser-gone": BROWSERS_TEXTS.de.gone,
    "name-too-long": "Dieser Name ist zu lang. Bitte wähle einen kürzeren.",
    "name-differs":
      "Es wurde nichts gelöscht: Das ist nicht dein Benutzername. Bitte gib ihn genau so ein.",
    ...PASSKEY_TEXTS.de.errors,
    "not-fresh": "Es wurde nichts geändert. Bitte melde dich zuerst noch einmal an.",
  },
  devices: {
    title: "Angemeldete Geräte",
    device: "Gerät",
    none: "Es ist kein Gerät angemeldet.",
    noneHint:
      "Öffne die App auf einem Gerät, gib die Adresse dieses Servers ein und melde dich an.",
    unnamed: (id) => `Gerät ${id}`,
    signedIn: "Angemeldet",
    expires: "Läuft ab",
    rename: "Umbenennen",
    name: "Name des Geräts",
    nameHint: (id) =>
      html`Nur du siehst diesen Namen. Lass ihn leer, um ihn zu entfernen. Die App nennt dieses
      Gerät ${id}.`,
    question:
      "Das Gerät kann dann nicht mehr synchronisieren, bis du dich darauf wieder anmeldest. Seine Daten behält es.",
    confirm: "Ja, abmelden",
  },
  browsers: {
    lead: "Diese Browser haben Zugriff auf diese Seite. Jeder wird nach einer Stunde ohne Nutzung abgemeldet.",
    question:
      "Der Browser muss sich dann auf dieser Seite neu anmelden. Deine Geräte bleiben angemeldet.",
  },
  storage: {
    title: "Speicher und Sicherungen",
    used: "Belegter Speicher",
    usedOf: (used, allowed) => `${used} von ${allowed}`,
    data: "Daten",
    sealed: "Ende-zu-Ende-verschlüsselt: Dieser Server kann deine Daten nicht lesen",
    usedUp:
      "Dein Speicher ist voll. Deine Geräte behalten neue Änderungen und senden sie, sobald der Betreiber dieses Servers mehr erlaubt.",
    unknown: "nicht bekannt",
    backup: "Letzte Sicherung",
    noBackup: "Keine Sicherung bekannt",
    noBackupYet: "Der Betreiber dieses Servers hat noch keine erstellt",
    firstSoon: "noch keine: Der Server erstellt gleich die erste",
    schedule: "Der Server erstellt eine",
    every: { hour: "jede Stunde", day: "jeden Tag", week: "jede Woche" },
    makeBackup: html`Erstelle auf dem Server eine mit <code>trellis sync backup DATEI</code> und
      bewahre sie auf einem anderen Rechner auf.`,
    failing: (since) =>
      html`Sicherungen schlagen fehl, zum ersten Mal: ${since}. Der Grund steht im Protokoll des
      Servers.`,
  },
  activity: {
    title: "Aktivität",
    none: (days) => `In den letzten ${days} Tagen sind keine Änderungen eingegangen.`,
    summary: (total, days, most) =>
      `${total} Änderungen in den letzten ${days} Tagen, davon ${most} am stärksten Tag`,
    table: "Als Tabelle",
    day: "Tag (UTC)",
    utc: "Die Tage sind die der UTC.",
    operations: "Änderungen",
  },
  export: {
    title: "Export",
    lead: "Alles, was nicht gelöscht ist, als JSON-Datei. Bewahre die Datei gut auf: Sie lässt sich ohne Passwort lesen.",
    sealed: html`Alles, was nicht gelöscht ist, verschlüsselt als JSON-Datei. Auf deinem eigenen
      Rechner entschlüsselt <code>trellis sync open DATEI</code> sie mit deinem
      Wiederherstellungsschlüssel.`,
    download: "Alles herunterladen",
  },
  password: {
    ...PASSWORD_TEXTS.de,
    lead: "Beim Ändern werden alle anderen Browser von dieser Seite abgemeldet.",
    revokeAccess: "Auch alle Geräte abmelden und meine Passkeys entfernen",
    revokeHint:
      "Falls eine andere Person das Passwort gekannt haben könnte oder ein Gerät verloren ging.",
  },
  everywhere: {
    title: "Überall abmelden",
    lead: "Meldet alle Geräte und alle Browser ab, auch diesen.",
    label: "Überall abmelden …",
    question:
      "Du musst dich danach auf jedem Gerät neu anmelden. Die Daten auf den Geräten bleiben dort.",
    confirm: "Ja, überall abmelden",
  },
  deletion: {
    title: "Hier alles löschen",
    lead: "Löscht deine Daten auf diesem Server, meldet alle Geräte und Browser ab und entfernt deine Passkeys und das Konto selbst. Das lässt sich nicht rückgängig machen.",
    open: "Alles löschen …",
    exportFirst: "Lade deine Daten vorher herunter, falls du sie behalten willst.",
    devices:
      "Deine Geräte behalten ihre Kopien. Wenn du dich auf einem Gerät hier wieder anmeldest, lädt es seine Kopie wieder hoch. Lösche die Daten also auch dort.",
    backups: "Frühere Sicherungen dieses Servers enthalten deine Daten noch.",
    backupsSince: (time) =>
      html`Frühere Sicherungen enthalten deine Daten noch. Letzte bekannte Sicherung: ${time}.`,
    replaced: "Der Server löscht alte Sicherungen automatisch.",
    name: (username) => `Gib zur Bestätigung deinen Benutzernamen ein: ${username}`,
    confirm: "Alles endgültig löschen",
  },
};

export const OWNER_TEXTS = { en, de };
