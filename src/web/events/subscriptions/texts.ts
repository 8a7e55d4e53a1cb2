import type {
  SubscriptionProblem,
  SubscriptionsView,
} from "../../../contract/events/page-views.ts";

const number = (locale: string, value: number) => value.toLocaleString(locale);

const en = {
  title: "Calendars",
  lead: "Calendars that are fetched for you again and again. What is new, moved or cancelled there changes here too.",
  empty: "No calendars yet.",
  emptyHint:
    "Look for “subscribe” or “iCal” in the calendar of your school or club, copy the address, and paste it above. You see what will be imported before anything is.",
  list: "Your calendars",
  add: "Subscribe to a calendar",
  edit: (name: string) => `Edit “${name}”`,
  fields: {
    url: "Address of the calendar",
    urlHint: "It begins with https:// or webcal:// and often ends in .ics. It is kept encrypted.",
    name: "Name",
    nameHint: "As you want to see it here. Optional.",
    defaultType: "Type of entries that no word fits",
    defaultTypeHint: "Apps do not import entries of the type Info.",
    rules: "Word rules",
    rulesHint:
      "One rule a line: the type, a colon, and the words that make an entry be of it. The first rule that fits counts. Empty means the built-in words, English and German.",
    rulesTypes: "The types that apps know:",
    rulesExample: "For example",
    rulesOpener: "How entries get their type",
  },
  preview: "Show preview",
  previewAgain: "Update preview",
  subscribe: "Subscribe",
  save: "Save",
  lastFetched: "Last fetched",
  never: "not yet",
  nextFetch: "Next fetch",
  soon: "in a moment",
  entries: "Entries",
  lastSuccess: "Last successful fetch",
  fetchError: "The last fetch failed",
  fetchErrorNote: "Your events stay as they are, and it is tried again by itself.",
  warning: "Something needs your eye",
  accept: "Delete what is missing",
  acceptQuestion:
    "The calendar is fetched again, and every coming event that is no longer in it is deleted.",
  acceptConfirm: "Yes, delete",
  refresh: "Fetch now",
  editLink: "Edit",
  unsubscribe: "Unsubscribe",
  unsubscribeQuestion: "Its events disappear here, and your apps can no longer read them.",
  unsubscribeConfirm: "Yes, unsubscribe",
  report: {
    title: "What the last fetch brought",
    added: "new",
    changed: "changed",
    deleted: "deleted",
    unchanged: "unchanged",
    held: "kept although missing",
    skipped: (count: number) =>
      count === 1 ? "1 entry was skipped" : `${number("en-GB", count)} entries were skipped`,
    more: (count: number) => `and ${number("en-GB", count)} more`,
  },
  found: {
    title: "Preview",
    total: (count: number) =>
      count === 1
        ? "1 entry would be imported."
        : `${number("en-GB", count)} entries would be imported.`,
    nothing: "The calendar can be read, but it has no entry that could be imported now.",
    caption: (shown: number, total: number) =>
      shown < total
        ? `The first ${number("en-GB", shown)} of ${number("en-GB", total)} entries`
        : "All entries",
    date: "Date",
    entry: "Entry",
    type: "Type",
    because: (word: string) => `because of “${word}”`,
    byDefault: "no word fits",
    untitled: "Untitled",
    undated: "No date",
    notYet: "Nothing has been imported yet. Is everything as you want it?",
  },
  notices: {
    subscribed: "Subscribed. The entries are among your events now.",
    saved: "Saved.",
    refreshed: "The calendar was fetched just now.",
    unsubscribed: "Unsubscribed. Its events are gone.",
  } satisfies Record<NonNullable<SubscriptionsView["notice"]>, string>,
  errors: {
    "url-invalid": "Please enter an address that begins with https:// or webcal://.",
    "name-too-long": "The name is too long. Please shorten it.",
    "type-invalid": "Please choose a type.",
    "already-subscribed": "You have already subscribed to this calendar.",
    "too-many":
      "You have as many calendars as are possible here. Please unsubscribe from one first.",
    "not-found": "This subscription no longer exists. Perhaps it was ended in another tab.",
    "too-soon":
      "This calendar was fetched only a moment ago. Please wait a little before you fetch it again.",
  } satisfies Record<
    Exclude<SubscriptionProblem["kind"], "rules-invalid" | "fetch-failed">,
    string
  >,
  rulesInvalid: (line: number) =>
    `Line ${line} of the word rules cannot be read. A rule looks like this: exam: Klausur, midterm`,
  fetchFailed: "The calendar could not be read.",
};

export type SubscriptionsTexts = typeof en;

const de: SubscriptionsTexts = {
  title: "Kalender",
  lead: "Kalender, die für dich immer wieder abgerufen werden. Was dort neu ist, verschoben wird oder ausfällt, ändert sich auch hier.",
  empty: "Noch keine Kalender.",
  emptyHint:
    "Suche im Kalender deiner Schule oder deines Vereins nach „Abonnieren“ oder „iCal“, kopiere die Adresse und füge sie oben ein. Bevor etwas übernommen wird, siehst du, was es wäre.",
  list: "Deine Kalender",
  add: "Kalender abonnieren",
  edit: (name) => `„${name}“ bearbeiten`,
  fields: {
    url: "Adresse des Kalenders",
    urlHint:
      "Sie beginnt mit https:// oder webcal:// und endet oft auf .ics. Sie wird verschlüsselt aufbewahrt.",
    name: "Name",
    nameHint: "So, wie du ihn hier sehen möchtest. Freiwillig.",
    defaultType: "Art der Einträge, auf die kein Wort passt",
    defaultTypeHint: "Einträge der Art Info übernehmen die Apps nicht.",
    rules: "Wortregeln",
    rulesHint:
      "Eine Regel je Zeile: die Art, ein Doppelpunkt und die Wörter, die einen Eintrag dazu machen. Es gilt die erste Regel, die passt. Leer gelten die eingebauten Wörter, deutsch und englisch.",
    rulesTypes: "Die Arten, die Apps kennen:",
    rulesExample: "Zum Beispiel",
    rulesOpener: "Wie Einträge ihre Art bekommen",
  },
  preview: "Vorschau zeigen",
  previewAgain: "Vorschau erneuern",
  subscribe: "Abonnieren",
  save: "Speichern",
  lastFetched: "Zuletzt abgerufen",
  never: "noch nie",
  nextFetch: "Nächster Abruf",
  soon: "gleich",
  entries: "Einträge",
  lastSuccess: "Letzter erfolgreicher Abruf",
  fetchError: "Der letzte Abruf ist fehlgeschlagen",
  fetchErrorNote: "Deine Termine bleiben, wie sie sind, und es wird von selbst wieder versucht.",
  warning: "Bitte sieh dir das an",
  accept: "Fehlende löschen",
  acceptQuestion:
    "Der Kalender wird neu abgerufen, und jeder kommende Termin, der nicht mehr darin steht, wird gelöscht.",
  acceptConfirm: "Ja, löschen",
  refresh: "Jetzt abrufen",
  editLink: "Bearbeiten",
  unsubscribe: "Abbestellen",
  unsubscribeQuestion:
    "Seine Termine verschwinden hier, und deine Apps können sie nicht mehr lesen.",
  unsubscribeConfirm: "Ja, abbestellen",
  report: {
    title: "Was der letzte Abruf brachte",
    added: "neu",
    changed: "geändert",
    deleted: "gelöscht",
    unchanged: "unverändert",
    held: "behalten, obwohl sie fehlen",
    skipped: (count) =>
      count === 1
        ? "1 Eintrag wurde ausgelassen"
        : `${number("de-DE", count)} Einträge wurden ausgelassen`,
    more: (count) => `und ${number("de-DE", count)} weitere`,
  },
  found: {
    title: "Vorschau",
    total: (count) =>
      count === 1
        ? "1 Eintrag würde übernommen."
        : `${number("de-DE", count)} Einträge würden übernommen.`,
    nothing:
      "Der Kalender lässt sich lesen, hat aber gerade keinen Eintrag, der übernommen werden könnte.",
    caption: (shown, total) =>
      shown < total
        ? `Die ersten ${number("de-DE", shown)} von ${number("de-DE", total)} Einträgen`
        : "Alle Einträge",
    date: "Datum",
    entry: "Eintrag",
    type: "Art",
    because: (word) => `wegen „${word}“`,
    byDefault: "kein Wort passt",
    untitled: "Ohne Titel",
    undated: "Ohne Datum",
    notYet: "Noch wurde nichts übernommen. Ist alles so, wie du es möchtest?",
  },
  notices: {
    subscribed: "Abonniert. Die Einträge stehen jetzt bei deinen Terminen.",
    saved: "Gespeichert.",
    refreshed: "Der Kalender wurde gerade abgerufen.",
    unsubscribed: "Abbestellt. Seine Termine sind weg.",
  },
  errors: {
    "url-invalid": "Bitte gib eine Adresse ein, die mit https:// oder webcal:// beginnt.",
    "name-too-long": "Der Name ist zu lang. Bitte kürze ihn.",
    "type-invalid": "Bitte wähle eine Art.",
    "already-subscribed": "Diesen Kalender hast du schon abonniert.",
    "too-many": "Mehr Kalender sind hier nicht möglich. Bitte bestelle zuerst einen ab.",
    "not-found":
      "Dieses Abonnement gibt es nicht mehr. Vielleicht wurde es in einem anderen Tab beendet.",
    "too-soon":
      "Dieser Kalender wurde gerade erst abgerufen. Bitte warte ein wenig, bevor du ihn wieder abrufst.",
  },
  rulesInvalid: (line) =>
    `Zeile ${line} der Wortregeln lässt sich nicht lesen. Eine Regel sieht so aus: exam: Klausur, Zwischenprüfung`,
  fetchFailed: "Der Kalender konnte nicht gelesen werden.",
};

export const SUBSCRIPTIONS_TEXTS = { en, de };
