import { html, type Html } from "../html.ts";
import { PASSWORD_TEXTS } from "../login/password-texts.ts";

const en = {
  title: "Your sync",
  lead: "What this server keeps for you, and who may read it. Times are in UTC.",
  notices: {
    "device-named": "The name of the device was saved.",
    "device-signed-out":
      "The device is signed out. It keeps the data that it has, but can no longer sync.",
    "password-changed":
      "Your password was changed. All other browsers are signed out of this page.",
  },
  errors: {
    outdated: "This page was open for too long, so nothing was changed. Please try again.",
    "device-gone": "That device is not signed in any more. The list below is up to date.",
    "name-too-long": "That name is too long. Please choose a shorter one.",
  },
  devices: {
    title: "Devices",
    none: "No device is signed in.",
    noneHint: "Open the app on a device, enter the address of this server and sign in.",
    unnamed: (id: string) => `Device ${id}`,
    id: "Id",
    signedIn: "Signed in",
    expires: "Signed out if unused",
    rename: "Rename",
    name: "Name of the device",
    nameHint: "Only you see it. Leave it empty to remove it.",
    question:
      "The device can then no longer sync until you sign in on it again. It keeps the data that it has.",
    confirm: "Yes, sign it out",
  },
  storage: {
    title: "Storage and backups",
    used: "Storage used",
    usedOf: (used: string, allowed: string) => `${used} of ${allowed}`,
    data: "Data",
    sealed: "Sealed: this server cannot read the data",
    usedUp:
      "Your storage is used up. Your devices keep new changes, and send them as soon as the operator of this server allows more.",
    unknown: "not known",
    backup: "Last backup",
    noBackup: "No backup is known",
    /** `chosen` is the option that names the instance. */
    makeBackup: (chosen: string) =>
      html`Make one on the server with <code>trellis sync backup FILE${chosen}</code>, and keep it
        on another machine.`,
    failing: (since: Html) =>
      html`Backups have been failing since ${since}. The log of the server says why.`,
  },
  activity: {
    title: "Activity",
    none: (days: number) => `No changes arrived in the last ${days} days.`,
    summary: (total: string, days: number, most: string) =>
      `${total} changes in the last ${days} days, at most ${most} on one day`,
    table: "As a table",
    day: "Day",
    operations: "Changes",
  },
  export: {
    title: "Export",
    lead: "Everything that is not deleted, as a JSON file. Keep the file safe: it can be read without a password.",
    /** Instead of `lead` where the data is sealed. */
    sealed: html`Everything that is not deleted, sealed, as a JSON file. On a machine of your own,
      <code>trellis sync open FILE</code> opens it with your recovery key.`,
    download: "Download everything",
  },
  password: {
    ...PASSWORD_TEXTS.en,
    lead: "Changing it signs all other browsers out of this page.",
    revokeAccess: "Also sign out all devices",
    revokeHint: "If someone else may have known the password, or a device was lost.",
  },
  everywhere: {
    title: "Sign out everywhere",
    lead: "Ends every sign-in: of all devices, and of all browsers on this page, this one too.",
    label: "Sign out everywhere …",
    question: "You then have to sign in again on each device. Data on the devices stays there.",
    confirm: "Yes, sign out everywhere",
  },
};

export type OwnerTexts = typeof en;

const de: OwnerTexts = {
  title: "Deine Synchronisierung",
  lead: "Was dieser Server für dich aufbewahrt und wer es lesen darf. Uhrzeiten sind in UTC.",
  notices: {
    "device-named": "Der Name des Geräts wurde gespeichert.",
    "device-signed-out":
      "Das Gerät ist abgemeldet. Es behält seine Daten, kann aber nicht mehr synchronisieren.",
    "password-changed":
      "Dein Passwort wurde geändert. Alle anderen Browser sind von dieser Seite abgemeldet.",
  },
  errors: {
    outdated:
      "Diese Seite war zu lange geöffnet, deshalb wurde nichts geändert. Bitte versuche es noch einmal.",
    "device-gone": "Dieses Gerät ist nicht mehr angemeldet. Die Liste unten ist aktuell.",
    "name-too-long": "Dieser Name ist zu lang. Bitte wähle einen kürzeren.",
  },
  devices: {
    title: "Geräte",
    none: "Es ist kein Gerät angemeldet.",
    noneHint:
      "Öffne die App auf einem Gerät, gib die Adresse dieses Servers ein und melde dich an.",
    unnamed: (id) => `Gerät ${id}`,
    id: "Kennung",
    signedIn: "Angemeldet",
    expires: "Ungenutzt abgemeldet",
    rename: "Umbenennen",
    name: "Name des Geräts",
    nameHint: "Nur du siehst ihn. Lass ihn leer, um ihn zu entfernen.",
    question:
      "Das Gerät kann dann nicht mehr synchronisieren, bis du dich darauf wieder anmeldest. Seine Daten behält es.",
    confirm: "Ja, abmelden",
  },
  storage: {
    title: "Speicher und Sicherungen",
    used: "Belegter Speicher",
    usedOf: (used, allowed) => `${used} von ${allowed}`,
    data: "Daten",
    sealed: "Versiegelt: dieser Server kann die Daten nicht lesen",
    usedUp:
      "Dein Speicher ist voll. Deine Geräte behalten neue Änderungen und senden sie, sobald der Betreiber dieses Servers mehr erlaubt.",
    unknown: "nicht bekannt",
    backup: "Letzte Sicherungskopie",
    noBackup: "Keine Sicherungskopie bekannt",
    makeBackup: (chosen) =>
      html`Erstelle auf dem Server eine mit <code>trellis sync backup DATEI${chosen}</code> und
        bewahre sie auf einem anderen Rechner auf.`,
    failing: (since) =>
      html`Seit ${since} schlagen Sicherungen fehl. Das Protokoll des Servers nennt den Grund.`,
  },
  activity: {
    title: "Aktivität",
    none: (days) => `In den letzten ${days} Tagen sind keine Änderungen eingegangen.`,
    summary: (total, days, most) =>
      `${total} Änderungen in den letzten ${days} Tagen, höchstens ${most} an einem Tag`,
    table: "Als Tabelle",
    day: "Tag",
    operations: "Änderungen",
  },
  export: {
    title: "Export",
    lead: "Alles, was nicht gelöscht ist, als JSON-Datei. Bewahre die Datei gut auf: Sie lässt sich ohne Passwort lesen.",
    sealed: html`Alles, was nicht gelöscht ist, versiegelt als JSON-Datei. Auf einem eigenen Rechner
      öffnet <code>trellis sync open DATEI</code> sie mit deinem Wiederherstellungsschlüssel.`,
    download: "Alles herunterladen",
  },
  password: {
    ...PASSWORD_TEXTS.de,
    lead: "Beim Ändern werden alle anderen Browser von dieser Seite abgemeldet.",
    revokeAccess: "Auch alle Geräte abmelden",
    revokeHint:
      "Falls eine andere Person das Passwort gekannt haben könnte oder ein Gerät verloren ging.",
  },
  everywhere: {
    title: "Überall abmelden",
    lead: "Beendet jede Anmeldung: aller Geräte und aller Browser auf dieser Seite, auch die in diesem.",
    label: "Überall abmelden …",
    question:
      "Du musst dich danach auf jedem Gerät neu anmelden. Die Daten auf den Geräten bleiben dort.",
    confirm: "Ja, überall abmelden",
  },
};

export const OWNER_TEXTS = { en, de };
