/** The texts of the page. Those of the logs are in `log-texts.ts`, because the script writes them. */
import type { Language } from "../../contract/language.ts";

const en = {
  title: "Trellis: two devices, one server",
  heading: "Two devices, one server",
  lead: "Both devices run the same habit tracker and sync through the server between them. Tick a habit on one and watch the other. Cut both networks, edit the same habit on both, connect them again: both edits survive.",
  signedIn:
    "The demo has signed both devices in for you. Everything runs on this machine; the server’s sample data is removed when you stop it.",
  needsScript: "This page needs JavaScript. Please allow it for this page and reload it.",
  devices: { phone: "Phone", laptop: "Laptop" },
  frames: { phone: "Habits on the phone", laptop: "Habits on the laptop" },
  network: "Network",
  log: "What just happened",
  starting: "Starting …",
  server: "Server",
  entities: "Entities",
  operations: "Operations in the log",
  generation: "Generation",
  restore: "Restore yesterday’s backup",
  restoreDetail:
    "The server stops, goes back to yesterday evening and starts again. The devices notice and send it what it lost.",
  publish: "Publish a release",
  publishDetail:
    "A new version is drafted, signed and published. Both devices verify the signature and offer it.",
  homework: "Set homework",
  homeworkDetail:
    "A teacher adds homework to the school calendar. One device imports it as a habit, the other gets it by sync.",
};

export type DemoTexts = typeof en;

const de: DemoTexts = {
  title: "Trellis: zwei Geräte, ein Server",
  heading: "Zwei Geräte, ein Server",
  lead: "Auf beiden Geräten läuft dieselbe App, abgeglichen über den Server dazwischen. Hake auf einem eine Gewohnheit ab und sieh auf das andere. Trenne beide Netze, ändere auf beiden dieselbe Gewohnheit, verbinde sie wieder: Beide Änderungen bleiben.",
  signedIn:
    "Die Demo hat beide Geräte für dich angemeldet. Alles läuft auf diesem Rechner; die Beispieldaten des Servers werden beim Beenden gelöscht.",
  needsScript: "Diese Seite braucht JavaScript. Bitte erlaube es für diese Seite und lade sie neu.",
  devices: { phone: "Telefon", laptop: "Laptop" },
  frames: { phone: "Gewohnheiten auf dem Telefon", laptop: "Gewohnheiten auf dem Laptop" },
  network: "Netz",
  log: "Was gerade geschah",
  starting: "Startet …",
  server: "Server",
  entities: "Einträge",
  operations: "Operationen im Log",
  generation: "Generation",
  restore: "Sicherung von gestern einspielen",
  restoreDetail:
    "Der Server hält an, geht auf gestern Abend zurück und startet wieder. Die Geräte merken es und schicken ihm, was er verloren hat.",
  publish: "Version veröffentlichen",
  publishDetail:
    "Eine neue Version wird entworfen, signiert und veröffentlicht. Beide Geräte prüfen die Signatur und bieten sie an.",
  homework: "Hausaufgabe aufgeben",
  homeworkDetail:
    "Eine Lehrerin trägt eine Hausaufgabe in den Schulkalender ein. Ein Gerät übernimmt sie als Gewohnheit, das andere bekommt sie durch den Abgleich.",
};

export const DEMO_TEXTS: Readonly<Record<Language, DemoTexts>> = { en, de };
