/** The words of the part of the page that leads to everything else. */
import type { Language } from "../../../src/contract/language.ts";
import { html } from "../../../src/web/html.ts";

interface Account {
  readonly username: string;
  readonly password: string;
}

const en = {
  heading: "Look around",
  lead: ({ username, password }: Account) =>
    html`Everything runs on this machine and is removed when you stop the demo. To sign in, use the
      name <strong>${username}</strong> and the password <strong>${password}</strong>.`,
  open: "Open",
  show: "Show",
  setHomework: "Set homework",
  runKit: "Run the kit",
  cards: {
    planner: {
      title: "A school’s planner",
      detail:
        "A teacher sets homework. One device imports it as a habit, the other gets it by sync.",
    },
    download: {
      title: "The download page",
      detail: "Made from the same signed releases, in the app’s own colours.",
    },
    owner: {
      title: "The owner’s page",
      detail: "Devices, sign-ins, storage and the last backup of the sync server.",
    },
    conformance: {
      title: "Proof of compatibility",
      detail: "The conformance kit tests all three services over HTTP, case by case.",
    },
    stored: {
      title: "What the server sees",
      detail: "The newest rows of its database: it can read no name and no value.",
    },
    docs: {
      title: "The documentation",
      detail: "Five-minute quick starts, guides, references and the protocols.",
    },
  },
  storedDetail:
    "The newest operations, with every name and value as it is in the database. The devices encrypt what they send, and put it in the field “sealed”: the server knows which device changed how much and when, and merges field by field. Only the devices have the key.",
  fieldName: "Field",
  value: "Value",
  bytes: "Bytes",
  services: { release: "Releases", sync: "Sync", events: "Events" },
  waiting: "Waiting …",
  conformanceDetail:
    "Each service runs once more, with sample data of its own, because some cases sign everyone out. Sync takes up to a minute, because it limits sign-ins per minute. The command is trellis conformance.",
  allAddresses: "All addresses",
  addresses: {
    latest: "Latest release",
    manifest: "Signed manifest",
    smartDownload: "Download for this device",
    instance: "Sync: instance",
    capabilities: "Sync: capabilities",
    signIn: "Sync: sign-in page",
    authorize: "Events: an app asks for access",
    metadata: "Events: OAuth metadata",
  },
};

export type LookAroundTexts = typeof en;

const de: LookAroundTexts = {
  heading: "Mehr ansehen",
  lead: ({ username, password }) =>
    html`Alles läuft auf diesem Rechner und wird gelöscht, wenn du die Demo beendest. Zum Anmelden
      brauchst du den Benutzernamen <strong>${username}</strong> und das Passwort
      <strong>${password}</strong>.`,
  open: "Öffnen",
  show: "Zeigen",
  setHomework: "Hausaufgabe aufgeben",
  runKit: "Prüfung starten",
  cards: {
    planner: {
      title: "Ein Schulplaner",
      detail:
        "Eine Lehrerin gibt Hausaufgaben auf. Ein Gerät übernimmt sie als Gewohnheit, das andere bekommt sie per Sync.",
    },
    download: {
      title: "Die Download-Seite",
      detail: "Aus denselben signierten Versionen erzeugt, in den Farben der App.",
    },
    owner: {
      title: "Deine Kontoseite",
      detail: "Geräte, Anmeldungen, Speicher und die letzte Sicherung des Sync-Servers.",
    },
    conformance: {
      title: "Der Kompatibilitätstest",
      detail: "Er prüft alle drei Dienste über HTTP, Fall für Fall.",
    },
    stored: {
      title: "Was der Server sieht",
      detail: "Die neuesten Zeilen seiner Datenbank: Namen und Werte kann er nicht lesen.",
    },
    docs: {
      title: "Die Dokumentation",
      detail: "Schnellstarts in fünf Minuten, Anleitungen, Referenzen und die Protokolle.",
    },
  },
  storedDetail:
    "Die neuesten Operationen mit allen Namen und Werten, wie sie in der Datenbank stehen. Die Geräte verschlüsseln, was sie senden, und legen es im Feld „sealed“ ab: Der Server weiß, welches Gerät wann wie viel geändert hat, und führt Feld für Feld zusammen. Den Schlüssel haben nur die Geräte.",
  fieldName: "Feld",
  value: "Wert",
  bytes: "Bytes",
  services: { release: "Versionen", sync: "Sync", events: "Termine" },
  waiting: "Wartet …",
  conformanceDetail:
    "Jeder Dienst läuft dafür ein zweites Mal, mit eigenen Beispieldaten, weil manche Fälle alle Geräte abmelden. Sync braucht bis zu einer Minute, weil es die Anmeldungen je Minute begrenzt. Der Befehl heißt trellis conformance.",
  allAddresses: "Alle Adressen",
  addresses: {
    latest: "Neueste Version",
    manifest: "Signiertes Manifest",
    smartDownload: "Download für dieses Gerät",
    instance: "Sync: Instanz",
    capabilities: "Sync: unterstützte Funktionen",
    signIn: "Sync: Anmeldeseite",
    authorize: "Termine: Eine App bittet um Zugriff",
    metadata: "Termine: OAuth-Metadaten",
  },
};

export const LOOK_AROUND_TEXTS: Readonly<Record<Language, LookAroundTexts>> = { en, de };
