/** The words of the page of events. */
import type { Language } from "../../language.ts";

/** What can be wrong in the form, as the service names it. */
export type EventFormError =
  | "title-missing"
  | "title-too-long"
  | "subject-too-long"
  | "type-missing"
  | "type-too-long"
  | "date-invalid"
  | "time-invalid"
  | "not-found";

export interface EventsTexts {
  readonly title: string;
  /** Before and after the zone. */
  readonly lead: readonly [string, string];
  readonly count: (total: number) => string;
  readonly empty: string;
  readonly emptyHint: string;
  readonly add: string;
  readonly edit: string;
  readonly upcoming: string;
  readonly past: string;
  readonly undated: string;
  readonly untitled: string;
  readonly allDay: string;
  readonly byHand: string;
  readonly fromSource: (name: string) => string;
  readonly fields: {
    readonly title: string;
    readonly subject: string;
    readonly subjectHint: string;
    readonly type: string;
    readonly typeHint: string;
    readonly date: string;
    readonly time: string;
    readonly timeHint: string;
  };
  readonly addButton: string;
  readonly saveButton: string;
  readonly editLink: string;
  readonly delete: string;
  readonly deleteQuestion: string;
  readonly deleteConfirm: string;
  readonly pages: string;
  readonly pageOf: (page: number, pages: number) => string;
  readonly previous: string;
  readonly following: string;
  readonly notices: Readonly<Record<"added" | "saved" | "deleted", string>>;
  readonly problems: Readonly<Record<EventFormError, string>>;
}

export const EVENTS_TEXTS: Readonly<Record<Language, EventsTexts>> = {
  en: {
    title: "Events",
    lead: ["Everything your apps can read. Times are those of ", "."],
    count: (total) => (total === 1 ? "1 event" : `${total.toLocaleString("en-GB")} events`),
    empty: "No events yet.",
    emptyHint:
      "Add your first one above, or subscribe to a calendar: its entries then appear here by themselves.",
    add: "Add an event",
    edit: "Edit event",
    upcoming: "Upcoming",
    past: "Past",
    undated: "Without a date",
    untitled: "Untitled",
    allDay: "All day",
    byHand: "Entered by hand",
    fromSource: (name) => `From ${name}`,
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
    deleteQuestion: "Delete this event? That cannot be undone.",
    deleteConfirm: "Yes, delete",
    pages: "Pages",
    pageOf: (page, pages) => `Page ${page} of ${pages}`,
    previous: "Previous",
    following: "Next",
    notices: {
      added: "The event was added.",
      saved: "The event was saved.",
      deleted: "The event was deleted.",
    },
    problems: {
      "title-missing": "Please enter a title.",
      "title-too-long": "The title is too long. Please shorten it.",
      "subject-too-long": "The subject is too long. Please shorten it.",
      "type-missing": "Please choose a type.",
      "type-too-long": "The type is too long. Please choose another one.",
      "date-invalid": "Please enter a date that exists.",
      "time-invalid": "Please enter a time such as 14:30, or leave it empty for the whole day.",
      "not-found": "This event no longer exists. Perhaps it was deleted in another tab.",
    },
  },
  de: {
    title: "Termine",
    lead: ["Alles, was deine Apps lesen können. Die Zeiten gelten für ", "."],
    count: (total) => (total === 1 ? "1 Termin" : `${total.toLocaleString("de-DE")} Termine`),
    empty: "Noch keine Termine.",
    emptyHint:
      "Trage oben den ersten ein oder abonniere einen Kalender: Dann erscheinen seine Einträge hier von selbst.",
    add: "Termin eintragen",
    edit: "Termin bearbeiten",
    upcoming: "Demnächst",
    past: "Vorbei",
    undated: "Ohne Datum",
    untitled: "Ohne Titel",
    allDay: "Ganztägig",
    byHand: "Von Hand eingetragen",
    fromSource: (name) => `Aus ${name}`,
    fields: {
      title: "Titel",
      subject: "Fach",
      subjectHint: "Freiwillig: ein Schulfach oder eine andere Kategorie.",
      type: "Art",
      typeHint: "Termine der Art Info übernehmen die Apps nicht.",
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
    following: "Weiter",
    notices: {
      added: "Der Termin wurde eingetragen.",
      saved: "Der Termin wurde gespeichert.",
      deleted: "Der Termin wurde gelöscht.",
    },
    problems: {
      "title-missing": "Bitte gib einen Titel ein.",
      "title-too-long": "Der Titel ist zu lang. Bitte kürze ihn.",
      "subject-too-long": "Das Fach ist zu lang. Bitte kürze es.",
      "type-missing": "Bitte wähle eine Art.",
      "type-too-long": "Die Art ist zu lang. Bitte wähle eine andere.",
      "date-invalid": "Bitte gib ein Datum ein, das es gibt.",
      "time-invalid":
        "Bitte gib eine Uhrzeit wie 14:30 ein, oder lass sie leer für den ganzen Tag.",
      "not-found":
        "Diesen Termin gibt es nicht mehr. Vielleicht wurde er in einem anderen Tab gelöscht.",
    },
  },
};
