/** What the landing pages say. They have a budget of words: `scripts/word-budgets.ts`. */
import type { Language } from "../src/contract/language.ts";

interface LandingTexts {
  readonly title: string;
  readonly headline: string;
  readonly lead: string;
  readonly tryIt: string;
  readonly begin: string;
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
    tryIt: "Try everything, in a checkout",
    begin: "Quick starts",
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
    lead: "Deine App hat ihre Daten auf jedem Gerät und funktioniert offline. Trellis ergänzt Sync, signierte Versionen und Termine: mit einem npm-Paket, auf deinem eigenen Server.",
    tryIt: "Alles ausprobieren, in einer Kopie des Quelltexts",
    begin: "Schnellstart",
    ways: "Drei Einstiege",
    more: "Nachschlagen und weiterlesen",
    minutes: "5 Minuten",
    about: {
      build:
        "Sync zwischen Geräten, Verschlüsselung, Updates in der App, Aufgaben aus einem Kalender.",
      run: "Ein Server für dich, deine Familie oder viele Kunden, mit Sicherungen, die sich einspielen lassen.",
      publish:
        "Signiere deine Versionen, biete sie auf einer Download-Seite an und lass installierte Apps sich selbst aktualisieren.",
    },
    english:
      "Die Schnellstarts sind auf Deutsch. Alle weiteren Seiten sind auf Englisch und mit EN bezeichnet.",
  },
};
