/** The words of the page, besides those that its script writes. */
import type { Language } from "../../../src/contract/language.ts";

const en = {
  title: "Trellis: two devices, one server",
  heading: "Two devices, one server",
  lead: "The same app on a phone and a laptop. Take the four steps, or use the apps yourself.",
  needsScript: "This page needs JavaScript. Please allow it for this page and reload it.",
  lookAround: "Look around",
  steps: {
    label: "Four steps",
    start: "Start",
    again: "Again",
    done: "Done",
    sync: {
      title: "Tick on the phone, watch the laptop",
      detail: "The phone encrypts the tick and sends it; the laptop shows it at once.",
    },
    offline: {
      title: "Edit the same habit on both, offline",
      detail: "Both go offline, each edits the walk, then they connect again.",
    },
    restore: {
      title: "Restore yesterday’s backup",
      detail: "Today’s ticks vanish from the server. The devices bring them back.",
    },
    release: {
      title: "Publish an update, then forge one",
      detail: "The devices offer the signed one and refuse the forged one.",
    },
  },
  devices: { phone: "Phone", laptop: "Laptop" },
  frames: { phone: "Habits on the phone", laptop: "Habits on the laptop" },
  network: "Network",
  starting: "Starting …",
  server: "Server",
  week: "What the server stores, decrypted here for you",
  entities: "Entries",
  operations: "Changes",
  generation: "Version of the log",
  log: "What just happened",
};

export type DemoTexts = typeof en;

const de: DemoTexts = {
  title: "Trellis: zwei Geräte, ein Server",
  heading: "Zwei Geräte, ein Server",
  lead: "Dieselbe App auf Telefon und Laptop. Geh die vier Schritte durch oder probiere die Apps selbst aus.",
  needsScript: "Diese Seite braucht JavaScript. Bitte erlaube es für diese Seite und lade sie neu.",
  lookAround: "Mehr ansehen",
  steps: {
    label: "Vier Schritte",
    start: "Los",
    again: "Nochmal",
    done: "Erledigt",
    sync: {
      title: "Auf dem Telefon abhaken",
      detail: "Das Telefon sendet den Haken verschlüsselt; der Laptop zeigt ihn sofort.",
    },
    offline: {
      title: "Offline auf beiden etwas ändern",
      detail: "Beide gehen offline, ändern den Spaziergang und verbinden sich wieder.",
    },
    restore: {
      title: "Sicherung von gestern einspielen",
      detail: "Die Haken von heute verschwinden vom Server. Die Geräte bringen sie zurück.",
    },
    release: {
      title: "Update veröffentlichen, dann fälschen",
      detail: "Die Geräte bieten das signierte an und lehnen das gefälschte ab.",
    },
  },
  devices: { phone: "Telefon", laptop: "Laptop" },
  frames: { phone: "Gewohnheiten auf dem Telefon", laptop: "Gewohnheiten auf dem Laptop" },
  network: "Netz",
  starting: "Startet …",
  server: "Server",
  week: "Was der Server speichert, hier für dich entschlüsselt",
  entities: "Einträge",
  operations: "Änderungen",
  generation: "Stand des Protokolls",
  log: "Gerade passiert",
};

export const DEMO_TEXTS: Readonly<Record<Language, DemoTexts>> = { en, de };
