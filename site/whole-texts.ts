/** The words of the picture of the whole. */
import type { Language } from "../src/contract/language.ts";

/** For people who do not see it. */
export const WHOLE_ALTERNATIVE: Readonly<Record<Language, string>> = {
  en: "A phone and a laptop hold all data. The server between them has three services: sync exchanges changes with the devices and writes backups; releases brings them your signed builds, which each device verifies; events brings tasks from a planner or a school's calendar.",
  de: "Telefon und Laptop haben alle Daten. Der Server dazwischen hat drei Dienste: Sync tauscht Änderungen mit den Geräten aus und erstellt Sicherungen; Releases bringt ihnen deine signierten Versionen, die jedes Gerät prüft; Events bringt Aufgaben aus einem Planer oder Schulkalender.",
};

export const WHOLE_TEXTS = {
  en: {
    devices: "Devices",
    devicesNote: ["hold all data,", "work offline"],
    server: "Your server",
    services: ["Sync", "Releases", "Events"],
    notes: [
      ["one account,", "encrypted if you like"],
      ["catalogue and", "signed manifest"],
      ["tasks with dates,", "granted per app"],
    ],
    lanes: ["changes", "updates", "tasks"],
    sources: [
      ["Backups", "verified, restorable"],
      ["Your build", "signed by you"],
      ["Planner", "or school calendar"],
    ],
  },
  de: {
    devices: "Geräte",
    devicesNote: ["haben alle Daten,", "arbeiten offline"],
    server: "Dein Server",
    services: ["Sync", "Releases", "Events"],
    notes: [
      ["ein Konto, auf", "Wunsch verschlüsselt"],
      ["Katalog und", "signiertes Manifest"],
      ["Aufgaben mit Datum,", "je App erlaubt"],
    ],
    lanes: ["Änderungen", "Updates", "Aufgaben"],
    sources: [
      ["Sicherungen", "geprüft, einspielbar"],
      ["Dein Build", "von dir signiert"],
      ["Planer", "oder Schulkalender"],
    ],
  },
} as const;

export type WholeTexts = (typeof WHOLE_TEXTS)[Language];
