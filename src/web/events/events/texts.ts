import type { EventError, EventsView } from "../../../contract/events/page-views.ts";
import { html, type Html } from "../../html.ts";

const en = {
  title: "Events",
  lead: (zone: Html) => html`Everything your apps can read. Times are in ${zone}.`,
  count: (total: number) => (total === 1 ? "1 event" : `${total.toLocaleString("en-GB")} events`),
  empty: "No events yet.",
  emptyHint:
    "Add your first event above, or subscribe to a calendar: its entries then appear here automatically.",
  add: "Add an event",
  edit: "Edit event",
  upcoming: "Upcoming",
  past: "Past",
  undated: "Without a date",
  untitled: "Untitled",
  allDay: "All day",
  byHand: "Added manually",
  fromSource: (name: string) => `From ${name}`,
  fields: {
    title: "Title",
    subject: "Subject",
    subjectHint: "Optional: a school subject or another category.",
    type: "Type",
    typeHint: "Apps do not import events of the type Info.",
    date: "Date",
    time: "Time",
    timeHint: "Empty for the whole day.",
  },
  addButton: "Add event",
  saveButton: "Save",
  editLink: "Edit",
  delete: "Delete",
  deleteQuestion: "Delete this event? This cannot be undone.",
  deleteConfirm: "Yes, delete",
  pages: "Pages",
  pageOf: (page: number, pages: number) => `Page ${page} of ${pages}`,
  previous: "Previous",
  next: "Next",
  notices: {
    added: "The event was added.",
    saved: "The event was saved.",
    deleted: "The event was deleted.",
  } satisfies Record<NonNullable<EventsView["notice"]>, string>,
  errors: {
    "title-missing": "Please enter a title.",
    "title-too-long": "The title is too long. Please shorten it.",
    "subject-too-long": "The subject is too long. Please shorten it.",
    "type-missing": "Please choose a type.",
    "type-too-long": "The type is too long. Please choose another one.",
    "date-invalid": "Please enter a valid date.",
    "time-invalid": "Please enter a time such as 14:30, or leave it empty for the whole day.",
    "not-found": "This event no longer exists. It may have been deleted in another tab.",
  } satisfies Record<EventError, string>,
};

export type EventsTexts = typeof en;

const de: EventsTexts = {
  title: "Termine",
  lead: (zone) => html`Alles, was deine Apps lesen können. Die Zeiten gelten für ${zone}.`,
  count: (total) => (total === 1 ? "1 Termin" : `${total.toLocaleString("de-DE")} Termine`),
  empty: "Noch keine Termine.",
  emptyHint:
    "Trage oben den ersten Termin ein oder abonniere einen Kalender: Dann erscheinen seine Einträge hier automatisch.",
  add: "Termin eintragen",
  edit: "Termin bearbeiten",
  upcoming: "Demnächst",
  past: "Vergangen",
  undated: "Ohne Datum",
  untitled: "Ohne Titel",
  allDay: "Ganztägig",
  byHand: "Manuell eingetragen",
  fromSource: (name) => `Aus ${name}`,
  fields: {
    title: "Titel",
    subject: "Fach",
    subjectHint: "Optional: ein Schulfach oder eine andere Kategorie.",
    type: "Art",
    typeHint: "Termine der Art Info werden von Apps nicht importiert.",
    date: "Datum",
    time: "Uhrzeit",
    timeHint: "Leer für den ganzen Tag.",
  },
  addButton: "Eintragen",
  saveButton: "Speichern",
  editLink: "Bearbeiten",
  delete: "Löschen",
  deleteQuestion: "Diesen Termin löschen? Das lässt sich nicht rückgängig machen.",
  deleteConfirm: "Ja, löschen",
  pages: "Seiten",
  pageOf: (page, pages) => `Seite ${page} von ${pages}`,
  previous: "Zurück",
  next: "Weiter",
  notices: {
    added: "Der Termin wurde eingetragen.",
    saved: "Der Termin wurde gespeichert.",
    deleted: "Der Termin wurde gelöscht.",
  },
  errors: {
    "title-missing": "Bitte gib einen Titel ein.",
    "title-too-long": "Der Titel ist zu lang. Bitte kürze ihn.",
    "subject-too-long": "Das Fach ist zu lang. Bitte kürze es.",
    "type-missing": "Bitte wähle eine Art.",
    "type-too-long": "Die Art ist zu lang. Bitte wähle eine andere.",
    "date-invalid": "Bitte gib ein gültiges Datum ein.",
    "time-invalid":
      "Bitte gib eine Uhrzeit wie 14:30 ein, oder lass das Feld für den ganzen Tag leer.",
    "not-found":
      "Diesen Termin gibt es nicht mehr. Möglicherweise wurde er in einem anderen Tab gelöscht.",
  },
};

export const EVENTS_TEXTS = { en, de };
