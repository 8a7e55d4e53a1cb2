/** The sentences that the script writes: into the logs, and as the status of a device. */
import type { Language } from "../../../src/contract/language.ts";

const en = {
  /** Texts by the `event` of an app's message, for those that the page shows. */
  events: {
    pushed: (count: number) => `Pushed ${operations(count)}`,
    merged: (count: number) => `Merged ${operations(count)} of other devices`,
    recovered: () => "The server has another log: reading it from the start",
    offline: () => "Offline. Changes are kept on this device",
    online: () => "Online again",
    "signed-in": () => "Signed in",
    imported: (count: number) =>
      count === 1 ? "Imported 1 task as a habit" : `Imported ${count} tasks as habits`,
    "update-offered": (_: number, version: string) =>
      `Verified version ${version} and offers the update`,
  },
  cursor: (end: string) => `cursor …${end}`,
  status: {
    "signed-out": "Not signed in",
    "up-to-date": "Up to date",
    syncing: "Syncing …",
    offline: "Offline",
    waiting: "Waiting for the server",
    "sign-in-needed": "Must sign in again",
    "key-needed": "Needs the key",
    "needs-attention": "The server refuses changes",
    "storage-lost": "Its data was removed; must sign in again",
    blocked: "Needs attention",
  },
  pending: (count: number) => (count === 1 ? "1 change to send" : `${count} changes to send`),
  authorizeFailed: "The demo could not sign in. Reload the page to try again",
  running: (backup: string) => `Running. The last verified backup is that of ${backup}`,
  restoring: "Stopping, to restore yesterday’s backup …",
  restored: (backup: string, restored: number, replaced: number) =>
    `Restored the backup of ${backup}: ${restored} entities instead of ${replaced}. Started again`,
  healed: (count: number) => `The devices have sent what was lost: ${count} entities again`,
  publishing: "Drafting, signing and publishing …",
  published: (version: string, sequence: number, keyId: string) =>
    `Published version ${version}. Manifest ${sequence} is signed with key ${keyId}`,
  settingHomework: "Importing the school calendar …",
  homeworkSet: (title: string) => `The school calendar has “${title}”`,
  failed: (reason: string) => `That failed: ${reason}`,
  outdated: "this page is older than the demo that runs now. Reload it",
  unreachable: "the demo has stopped. Start it again with npm start, then reload this page",
};

export type LogTexts = typeof en;

function operations(count: number): string {
  return count === 1 ? "1 operation" : `${count} operations`;
}

const de: LogTexts = {
  events: {
    pushed: (count) => `${operationen(count)} gesendet`,
    merged: (count) => `${operationen(count)} anderer Geräte zusammengeführt`,
    recovered: () => "Der Server hat ein anderes Log: Es wird von vorn gelesen",
    offline: () => "Offline. Änderungen bleiben auf diesem Gerät",
    online: () => "Wieder online",
    "signed-in": () => "Angemeldet",
    imported: (count) =>
      `${count === 1 ? "1 Aufgabe" : `${count} Aufgaben`} als Gewohnheit übernommen`,
    "update-offered": (_, version) => `Version ${version} geprüft und angeboten`,
  },
  cursor: (end) => `Cursor …${end}`,
  status: {
    "signed-out": "Nicht angemeldet",
    "up-to-date": "Auf dem neuesten Stand",
    syncing: "Gleicht ab …",
    offline: "Offline",
    waiting: "Wartet auf den Server",
    "sign-in-needed": "Neue Anmeldung nötig",
    "key-needed": "Braucht den Schlüssel",
    "needs-attention": "Der Server lehnt Änderungen ab",
    "storage-lost": "Daten wurden entfernt; neue Anmeldung nötig",
    blocked: "Braucht Aufmerksamkeit",
  },
  pending: (count) => (count === 1 ? "1 Änderung zu senden" : `${count} Änderungen zu senden`),
  authorizeFailed: "Die Demo konnte sich nicht anmelden. Lade die Seite neu",
  running: (backup) => `Läuft. Die letzte geprüfte Sicherung ist die von ${backup}`,
  restoring: "Hält an, um die Sicherung von gestern einzuspielen …",
  restored: (backup, restored, replaced) =>
    `Sicherung von ${backup} eingespielt: ${restored} Einträge statt ${replaced}. Wieder gestartet`,
  healed: (count) => `Die Geräte haben geschickt, was fehlte: wieder ${count} Einträge`,
  publishing: "Entwirft, signiert und veröffentlicht …",
  published: (version, sequence, keyId) =>
    `Version ${version} veröffentlicht. Manifest ${sequence} ist mit dem Schlüssel ${keyId} signiert`,
  settingHomework: "Liest den Schulkalender ein …",
  homeworkSet: (title) => `Im Schulkalender steht „${title}“`,
  failed: (reason) => `Das ging schief: ${reason}`,
  outdated: "Diese Seite ist älter als die Demo, die jetzt läuft. Lade sie neu",
  unreachable: "Die Demo läuft nicht mehr. Starte sie mit npm start und lade diese Seite neu",
};

function operationen(count: number): string {
  return count === 1 ? "1 Operation" : `${count} Operationen`;
}

export const LOG_TEXTS: Readonly<Record<Language, LogTexts>> = { en, de };
