/** What the landing pages say. They have a budget of words: `scripts/word-budgets.ts`. */
import type { Language } from "../src/contract/language.ts";

interface LandingTexts {
  readonly title: string;
  readonly headline: string;
  readonly lead: string;
  readonly tryIt: string;
  readonly begin: string;
  /** For whom it is, for whom not, and why it does three jobs. */
  readonly why: readonly (readonly [title: string, text: string])[];
  readonly filmTitle: string;
  /** What the film shows, for those who do not watch it, too. */
  readonly film: string;
  /** Below the code. */
  readonly sample: string;
  readonly ways: string;
  readonly more: string;
  readonly minutes: string;
  /** By the section of the navigation. */
  readonly about: Readonly<Record<string, string>>;
  /** About pages in another language; empty when there are none. */
  readonly english: string;
}

export const LANDING_TEXTS: Readonly<Record<Language, LandingTexts>> = {
  en: {
    title: "Trellis: the backend a local-first app grows on",
    headline: "The backend a local-first app grows on",
    lead: "Your app keeps its data on every device and works offline. Trellis adds sync, signed releases and event feeds, from one npm package on a server of your own.",
    tryIt: "Try it from the source code",
    begin: "Quick starts",
    why: [
      [
        "For you, if",
        "you make an app in TypeScript whose data belongs to one person with several devices: notes, habits, tasks, a journal. Its data can be end-to-end encrypted.",
      ],
      [
        "Not for you, if",
        "many people edit the same data (Dexie Cloud and Jazz do that), your app is online and wants SQL and files (PocketBase, Supabase), or a company should host it.",
      ],
      [
        "Three jobs in one, because",
        "alone such an app cannot reach its other devices, update itself or hear of a calendar’s events. All three need HTTPS, keys and backups: set them up once, and run those you need.",
      ],
    ],
    filmTitle: "Two devices edit the same habit offline",
    film: "A phone and a laptop go offline. The phone renames a habit, the laptop gives it another icon and colour. Online again, each device has both edits. Ten seconds at most, without sound.",
    sample: "A whole app has about fifty lines: begin with “Add sync to an app”.",
    ways: "Three ways in",
    more: "Look up and read on",
    minutes: "5 minutes",
    about: {
      build: "Sync between devices, encryption, updates inside the app, tasks from a calendar.",
      run: "A server for yourself, a family or many customers, with backups that restore.",
      publish: "Sign what you build, show it on a download page, and let installed copies update.",
    },
    english: "",
  },
  de: {
    title: "Trellis: das Backend für Local-first-Apps",
    headline: "Das Backend für Local-first-Apps",
    lead: "Die Daten deiner App liegen auf jedem Gerät, auch offline. Trellis ergänzt Sync, signierte Updates und Termine aus Kalendern: mit einem npm-Paket, auf deinem eigenen Server.",
    tryIt: "Aus dem Quelltext ausprobieren",
    begin: "Schnellstart",
    why: [
      [
        "Für dich, wenn",
        "du eine App in TypeScript entwickelst, deren Daten einer einzelnen Person mit mehreren Geräten gehören: Notizen, Gewohnheiten, Aufgaben, ein Tagebuch. Auf Wunsch sind sie Ende-zu-Ende-verschlüsselt.",
      ],
      [
        "Nicht für dich, wenn",
        "viele Menschen dieselben Daten bearbeiten (das können Dexie Cloud und Jazz), deine App online ist und SQL und Dateien braucht (PocketBase, Supabase) oder eine Firma den Betrieb übernehmen soll.",
      ],
      [
        "Drei Aufgaben in einem Paket, weil",
        "so eine App allein weder ihre anderen Geräte erreicht noch sich aktualisiert noch von Terminen aus Kalendern erfährt. Alle drei brauchen HTTPS, Schlüssel und Backups: Richte sie einmal ein und starte, was du brauchst.",
      ],
    ],
    filmTitle: "Zwei Geräte ändern offline dieselbe Gewohnheit",
    film: "Ein Handy und ein Laptop gehen offline. Das Handy benennt eine Gewohnheit um, der Laptop gibt ihr ein anderes Symbol und eine andere Farbe. Wieder online, haben beide Geräte beide Änderungen. Höchstens zehn Sekunden, ohne Ton.",
    sample: "Eine ganze App hat etwa fünfzig Zeilen: Beginne mit „Sync in eine App einbauen“.",
    ways: "Drei Einstiege",
    more: "Nachschlagen und weiterlesen",
    minutes: "5 Minuten",
    about: {
      build:
        "Sync zwischen Geräten, Verschlüsselung, Updates in der App, Aufgaben aus einem Kalender.",
      run: "Ein Server für dich, deine Familie oder viele Kunden, mit Backups, die sich wirklich wiederherstellen lassen.",
      publish:
        "Signiere deine Versionen, biete sie auf einer Download-Seite an und lass installierte Apps sich selbst aktualisieren.",
    },
    english:
      "Die Schnellstarts sind auf Deutsch. Alle weiteren Seiten sind auf Englisch und mit EN bezeichnet.",
  },
};
