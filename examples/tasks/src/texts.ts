import type { PlatformErrorReason, StatusKind } from "trellis/client";

const en = {
  app: "Tasks",
  cannotStart: "The app cannot start",
  platform: {
    "webcrypto-missing":
      "Browsers switch encryption off without HTTPS. Open the app at an address that begins with https://.",
    "storage-missing": "This browser has no IndexedDB. Update it, or use another one.",
    "storage-denied":
      "The browser does not let this app store anything. Allow site data, or leave the private window.",
    "storage-failed":
      "The browser cannot open its storage. Free some space, then load the page again.",
  } satisfies Record<PlatformErrorReason, string>,
  status: {
    "signed-out": "On this device only",
    "up-to-date": "Everything is on your server",
    syncing: "Syncing…",
    offline: "Offline",
    waiting: "Waiting for the server",
    "sign-in-needed": "Please sign in again",
    "key-needed": "Enter the recovery key",
    "needs-attention": "The server refused changes",
    blocked: "Not syncing",
    "storage-lost": "The browser removed this app’s data: sign in to get it back",
  } satisfies Record<StatusKind, string>,
  toSend: (count: number) => `${count} to send`,
  signIn: "Sign in",
  tryAgain: "Try again",
  discard: "Discard",
  newTask: "New task",
  project: "Project",
  add: "Add",
  open: (count: number) => `${count} to do`,
  showMore: "Show more",
  opening: "Opening…",
  nothing: "Nothing to do yet. Add a task.",
  back: "Back",
  gone: "This task no longer exists.",
  title: "Title",
  save: "Save",
  done: "Done",
  spent: (minutes: number) => `Time spent: ${minutes} min`,
  more: (minutes: number) => `Add ${minutes} minutes`,
  less: (minutes: number) => `Remove ${minutes} minutes`,
  tags: "Tags",
  newTag: "New tag",
  addTag: "Add tag",
  removeTag: (tag: string) => `Remove the tag ${tag}`,
  moveUp: "Move up",
  moveDown: "Move down",
  remove: "Delete task",
};

const de: typeof en = {
  app: "Aufgaben",
  cannotStart: "Die App kann nicht starten",
  platform: {
    "webcrypto-missing":
      "Ohne HTTPS schalten Browser die Verschlüsselung ab. Öffne die App unter einer Adresse, die mit https:// beginnt.",
    "storage-missing":
      "Dieser Browser hat kein IndexedDB. Aktualisiere ihn oder nimm einen anderen.",
    "storage-denied":
      "Der Browser lässt diese App nichts speichern. Erlaube Websitedaten oder verlasse das private Fenster.",
    "storage-failed":
      "Der Browser kann seinen Speicher nicht öffnen. Schaffe Platz und lade die Seite neu.",
  },
  status: {
    "signed-out": "Nur auf diesem Gerät",
    "up-to-date": "Alles ist auf deinem Server",
    syncing: "Wird synchronisiert …",
    offline: "Offline",
    waiting: "Warten auf den Server",
    "sign-in-needed": "Bitte melde dich wieder an",
    "key-needed": "Bitte gib den Wiederherstellungsschlüssel ein",
    "needs-attention": "Der Server hat Änderungen abgelehnt",
    blocked: "Keine Synchronisierung",
    "storage-lost":
      "Der Browser hat die Daten dieser App gelöscht: Melde dich an, um sie zurückzuholen",
  },
  toSend: (count) => `${count} zu senden`,
  signIn: "Anmelden",
  tryAgain: "Erneut versuchen",
  discard: "Verwerfen",
  newTask: "Neue Aufgabe",
  project: "Projekt",
  add: "Hinzufügen",
  open: (count) => `${count} zu erledigen`,
  showMore: "Mehr anzeigen",
  opening: "Wird geöffnet …",
  nothing: "Noch nichts zu tun. Füge eine Aufgabe hinzu.",
  back: "Zurück",
  gone: "Diese Aufgabe gibt es nicht mehr.",
  title: "Titel",
  save: "Speichern",
  done: "Erledigt",
  spent: (minutes) => `Aufgewendete Zeit: ${minutes} min`,
  more: (minutes) => `${minutes} Minuten dazu`,
  less: (minutes) => `${minutes} Minuten abziehen`,
  tags: "Schlagwörter",
  newTag: "Neues Schlagwort",
  addTag: "Schlagwort hinzufügen",
  removeTag: (tag) => `Schlagwort ${tag} entfernen`,
  moveUp: "Nach oben",
  moveDown: "Nach unten",
  remove: "Aufgabe löschen",
};

const isGerman = navigator.language.startsWith("de");
document.documentElement.lang = isGerman ? "de" : "en";
export const texts = isGerman ? de : en;
