/** The sentences that the script writes: into the timeline, and as the status of a device. */
import type { Language } from "../../../src/contract/language.ts";

const en = {
  sources: { phone: "Phone", server: "Server", laptop: "Laptop", step: "Demo" },
  /** Texts by the `event` of an app's message, for those that the page shows. */
  events: {
    pushed: (count: number) => `Sent ${changes(count)}`,
    merged: (count: number) =>
      `Received ${changes(count)} from ${count === 1 ? "another device" : "other devices"}`,
    recovered: () => "The server was restored. Reading everything again",
    offline: () => "Offline. Changes stay on this device",
    online: () => "Online again",
    "signed-in": () => "Signed in",
    imported: (count: number) =>
      count === 1 ? "Imported 1 task as a habit" : `Imported ${count} tasks as habits`,
    "may-have-more": () => "The planner sent as many tasks as it can at once; some may be missing",
    "update-offered": (_: number, version: string) =>
      `The maker signed ${version}: offers the update`,
    "update-refused": (_: number, reason: string) =>
      reason === "bad-signature"
        ? "The maker did not sign it: refuses the update"
        : `Refuses the update: ${reason}`,
  },
  status: {
    "signed-out": "Not signed in",
    "up-to-date": "Up to date",
    syncing: "Syncing …",
    offline: "Offline",
    waiting: "Waiting for the server",
    "sign-in-needed": "Please sign in again",
    "key-needed": "Needs the key",
    "needs-attention": "The server refuses changes",
    "storage-lost": "Data was removed; please sign in again",
    blocked: "Needs attention",
  },
  pending: (count: number) => `${count} to send`,
  authorizeFailed: "The demo could not sign in. Reload the page to try again",
  running: (backup: string) => `Running. The last backup is from ${backup}`,
  ticking: "Ticks a habit on the phone",
  synced: "The laptop shows it. The server only saw ciphertext",
  cutting: "Takes both devices offline",
  editing: "Renames the walk on the phone, and gives it another icon and colour on the laptop",
  connecting: "Brings both online again",
  merged: "Both devices have both edits: name, icon and colour merge one by one",
  holding: "Takes both devices offline for a moment, so that you see the server alone",
  restoring: "Stopping, to restore yesterday’s backup",
  restored: (backup: string, restored: number, replaced: number) =>
    `Back at ${backup}: ${restored} entries instead of ${replaced}. Newer ones are gone`,
  healed: (count: number) => `The devices sent what was missing: ${count} entries again`,
  publishing: "Signs and publishes a new version",
  published: (version: string, sequence: number, keyId: string) =>
    `Published ${version}. Manifest ${sequence} is signed with the key ${keyId}`,
  forged: (version: string) =>
    `An attacker takes over the download server and announces ${version} under the maker’s name`,
  mirrorBack: "The attacker is gone, and nothing was installed",
  settingHomework: "Importing the school calendar",
  homeworkSet: (title: string) => `The school calendar has “${title}”`,
  conformance: {
    running: "Running …",
    brokeOff: "Stopped early",
    result: (passed: number, failed: number, skipped: number) =>
      `${passed} passed, ${failed} failed, ${skipped} not applicable here`,
    results: { passed: "passed", failed: "failed", skipped: "not applicable" },
  },
  failed: (reason: string) => `That failed: ${reason}`,
  notSeen:
    "the devices did not respond in time. Try it again, or reload this page. If one of the first three habits is gone, start the demo again",
  secondTab: "This demo is open in another tab too. Close one of them, and reload the other",
  outdated: "this page is older than the demo that runs now. Reload it",
  unreachable: "the demo has stopped. Start it again, then reload this page",
};

export type LogTexts = typeof en;

function changes(count: number): string {
  return count === 1 ? "1 change" : `${count} changes`;
}

const de: LogTexts = {
  sources: { phone: "Telefon", server: "Server", laptop: "Laptop", step: "Demo" },
  events: {
    pushed: (count) => `${aenderungen(count)} gesendet`,
    merged: (count) =>
      `${aenderungen(count)} von ${count === 1 ? "einem anderen Gerät" : "anderen Geräten"} empfangen`,
    recovered: () => "Der Server wurde zurückgesetzt. Alles wird neu gelesen",
    offline: () => "Offline. Änderungen bleiben auf diesem Gerät",
    online: () => "Wieder online",
    "signed-in": () => "Angemeldet",
    imported: (count) =>
      `${count === 1 ? "1 Aufgabe" : `${count} Aufgaben`} als Gewohnheit übernommen`,
    "may-have-more": () =>
      "Der Planer hat so viele Aufgaben gesendet, wie er auf einmal kann; vielleicht fehlen welche",
    "update-offered": (_, version) =>
      `Der Hersteller hat ${version} signiert: Das Update wird angeboten`,
    "update-refused": (_, reason) =>
      reason === "bad-signature"
        ? "Der Hersteller hat es nicht signiert: Das Update wird abgelehnt"
        : `Das Update wird abgelehnt: ${reason}`,
  },
  status: {
    "signed-out": "Nicht angemeldet",
    "up-to-date": "Aktuell",
    syncing: "Gleicht ab …",
    offline: "Offline",
    waiting: "Wartet auf den Server",
    "sign-in-needed": "Neue Anmeldung nötig",
    "key-needed": "Braucht den Schlüssel",
    "needs-attention": "Der Server lehnt Änderungen ab",
    "storage-lost": "Daten wurden entfernt; neue Anmeldung nötig",
    blocked: "Bitte nachsehen",
  },
  pending: (count) => `${count} zu senden`,
  authorizeFailed: "Die Demo konnte sich nicht anmelden. Lade die Seite neu",
  running: (backup) => `Läuft. Die letzte Sicherung ist von ${backup}`,
  ticking: "Hakt auf dem Telefon eine Gewohnheit ab",
  synced: "Der Laptop zeigt es. Der Server hat nur Verschlüsseltes gesehen",
  cutting: "Nimmt beide Geräte vom Netz",
  editing:
    "Benennt den Spaziergang auf dem Telefon um und gibt ihm auf dem Laptop ein neues Symbol und eine neue Farbe",
  connecting: "Bringt beide wieder online",
  merged:
    "Beide Geräte haben beide Änderungen: Name, Symbol und Farbe werden einzeln zusammengeführt",
  holding: "Nimmt beide Geräte kurz vom Netz, damit du den Server allein siehst",
  restoring: "Hält an, um die Sicherung von gestern einzuspielen",
  restored: (backup, restored, replaced) =>
    `Wieder auf dem Stand von ${backup}: ${restored} Einträge statt ${replaced}. Was danach kam, ist weg`,
  healed: (count) => `Die Geräte haben gesendet, was fehlte: wieder ${count} Einträge`,
  publishing: "Signiert und veröffentlicht eine neue Version",
  published: (version, sequence, keyId) =>
    `Version ${version} veröffentlicht. Manifest ${sequence} ist mit dem Schlüssel ${keyId} signiert`,
  forged: (version) =>
    `Ein Angreifer übernimmt den Download-Server und kündigt ${version} im Namen des Herstellers an`,
  mirrorBack: "Der Angreifer ist weg, und nichts wurde installiert",
  settingHomework: "Liest den Schulkalender ein",
  homeworkSet: (title) => `Im Schulkalender steht „${title}“`,
  conformance: {
    running: "Läuft …",
    brokeOff: "Abgebrochen",
    result: (passed, failed, skipped) =>
      `${passed} bestanden, ${failed} nicht bestanden, ${skipped} hier nicht anwendbar`,
    results: { passed: "bestanden", failed: "nicht bestanden", skipped: "nicht anwendbar" },
  },
  failed: (reason) => `Das hat nicht geklappt: ${reason}`,
  notSeen:
    "Die Geräte haben nicht rechtzeitig geantwortet. Versuch es noch einmal oder lade die Seite neu. Fehlt eine der ersten drei Gewohnheiten, starte die Demo neu",
  secondTab:
    "Diese Demo ist auch in einem anderen Tab offen. Schließ einen und lade den anderen neu",
  outdated: "Diese Seite ist älter als die Demo, die jetzt läuft. Lade sie neu",
  unreachable: "Die Demo läuft nicht mehr. Starte sie wieder und lade diese Seite neu",
};

function aenderungen(count: number): string {
  return count === 1 ? "1 Änderung" : `${count} Änderungen`;
}

export const LOG_TEXTS: Readonly<Record<Language, LogTexts>> = { en, de };
