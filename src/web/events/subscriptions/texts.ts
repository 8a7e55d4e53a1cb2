import type { SubscriptionError, SubscriptionsView } from "../../../contract/events/page-views.ts";

const number = (locale: string, value: number) => value.toLocaleString(locale);

const en = {
  title: "Calendars",
  lead: "Subscribed calendars are fetched regularly. New, changed and cancelled entries are updated here.",
  empty: "No calendars yet.",
  emptyHint:
    "Look for “subscribe” or “iCal” in the calendar of your school or club, copy the address, and paste it above. A preview shows the entries before they are imported.",
  list: "Your calendars",
  add: "Subscribe to a calendar",
  edit: (name: string) => `Edit “${name}”`,
  fields: {
    url: "Address of the calendar",
    urlHint: "It begins with https:// or webcal:// and often ends in .ics. It is stored encrypted.",
    name: "Name",
    nameHint: "Optional. The name shown here.",
    defaultType: "Type of entries without a matching word",
    defaultTypeHint: "Apps do not import entries of the type Info.",
    rules: "Word rules",
    rulesHint:
      "One rule per line: the type, a colon, and the words that assign it. The first matching rule applies. Leave empty for the built-in English and German words.",
    rulesTypes: "Types known to apps:",
    rulesExample: "For example",
    rulesOpener: "Types of entries",
  },
  preview: "Show preview",
  previewAgain: "Update preview",
  subscribe: "Subscribe",
  lastFetched: "Last fetched",
  nextFetch: "Next fetch",
  soon: "in a moment",
  entries: "Entries",
  lastSuccess: "Last successful fetch",
  fetchError: "The last fetch failed",
  fetchErrorNote: "Your events are unchanged, and the fetch is retried automatically.",
  warning: "Needs attention",
  accept: "Delete missing events",
  acceptQuestion:
    "The calendar is fetched again, and all upcoming events that are no longer in it are deleted.",
  acceptConfirm: "Yes, delete",
  refresh: "Fetch now",
  unsubscribe: "Unsubscribe",
  unsubscribeQuestion: "Its events are deleted here, and your apps can no longer read them.",
  unsubscribeConfirm: "Yes, unsubscribe",
  report: {
    title: "Result of the last fetch",
    added: "new",
    changed: "changed",
    deleted: "deleted",
    unchanged: "unchanged",
    held: "missing, but kept",
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
    nothing: "The calendar was read, but has no entries to import.",
    caption: (shown: number, total: number) =>
      shown < total
        ? `The first ${number("en-GB", shown)} of ${number("en-GB", total)} entries`
        : "All entries",
    date: "Date",
    entry: "Entry",
    type: "Type",
    because: (word: string) => `because of “${word}”`,
    byDefault: "no matching word",
    undated: "No date",
    notYet: "Nothing has been imported yet.",
  },
  notices: {
    subscribed: "Subscribed. The entries are now in your events.",
    saved: "Saved.",
    refreshed: "The calendar was fetched.",
    unsubscribed: "Unsubscribed. The events of the calendar were deleted.",
  } satisfies Record<NonNullable<SubscriptionsView["notice"]>, string>,
  errors: {
    "url-invalid": "Please enter an address that begins with https:// or webcal://.",
    "name-too-long": "The name is too long. Please shorten it.",
    "type-invalid": "Please choose a type.",
    "already-subscribed": "You have already subscribed to this calendar.",
    "too-many":
      "You have reached the maximum number of calendars. Please unsubscribe from one first.",
    "not-found": "This subscription no longer exists. It may have been cancelled in another tab.",
    "too-soon": "This calendar was fetched a moment ago. Please wait before you fetch it again.",
  } satisfies Record<Exclude<SubscriptionError["kind"], "rules-invalid" | "fetch-failed">, string>,
  rulesInvalid: (line: number) =>
    `Line ${line} of the word rules is invalid. A rule looks like this: exam: Klausur, midterm`,
  fetchFailed: "The calendar could not be read.",
};

const de: typeof en = {
  title: "Kalender",
  lead: "Abonnierte Kalender werden regelmäßig abgerufen. Neue, geänderte und abgesagte Einträge werden hier aktualisiert.",
  empty: "Noch keine Kalender.",
  emptyHint:
    "Suche im Kalender deiner Schule oder deines Vereins nach „Abonnieren“ oder „iCal“, kopiere die Adresse und füge sie oben ein. Eine Vorschau zeigt die Einträge, bevor sie importiert werden.",
  list: "Deine Kalender",
  add: "Kalender abonnieren",
  edit: (name) => `„${name}“ bearbeiten`,
  fields: {
    url: "Adresse des Kalenders",
    urlHint:
      "Sie beginnt mit https:// oder webcal:// und endet oft auf .ics. Sie wird verschlüsselt gespeichert.",
    name: "Name",
    nameHint: "Optional. Der hier angezeigte Name.",
    defaultType: "Art der Einträge ohne passendes Wort",
    defaultTypeHint: "Einträge der Art Info werden von Apps nicht importiert.",
    rules: "Wortregeln",
    rulesHint:
      "Eine Regel je Zeile: die Art, ein Doppelpunkt und die Wörter, die sie zuweisen. Es gilt die erste passende Regel. Ist das Feld leer, gelten die eingebauten deutschen und englischen Wörter.",
    rulesTypes: "Den Apps bekannte Arten:",
    rulesExample: "Zum Beispiel",
    rulesOpener: "Arten der Einträge",
  },
  preview: "Vorschau anzeigen",
  previewAgain: "Vorschau aktualisieren",
  subscribe: "Abonnieren",
  lastFetched: "Zuletzt abgerufen",
  nextFetch: "Nächster Abruf",
  soon: "gleich",
  entries: "Einträge",
  lastSuccess: "Letzter erfolgreicher Abruf",
  fetchError: "Der letzte Abruf ist fehlgeschlagen",
  fetchErrorNote: "Deine Termine bleiben unverändert, und der Abruf wird automatisch wiederholt.",
  warning: "Bitte prüfen",
  accept: "Fehlende Termine löschen",
  acceptQuestion:
    "Der Kalender wird neu abgerufen, und alle künftigen Termine, die nicht mehr darin stehen, werden gelöscht.",
  acceptConfirm: "Ja, löschen",
  refresh: "Jetzt abrufen",
  unsubscribe: "Abonnement beenden",
  unsubscribeQuestion:
    "Seine Termine werden hier gelöscht, und deine Apps können sie nicht mehr lesen.",
  unsubscribeConfirm: "Ja, Abonnement beenden",
  report: {
    title: "Ergebnis des letzten Abrufs",
    added: "neu",
    changed: "geändert",
    deleted: "gelöscht",
    unchanged: "unverändert",
    held: "fehlend, aber behalten",
    skipped: (count) =>
      count === 1
        ? "1 Eintrag wurde übersprungen"
        : `${number("de-DE", count)} Einträge wurden übersprungen`,
    more: (count) => `und ${number("de-DE", count)} weitere`,
  },
  found: {
    title: "Vorschau",
    total: (count) =>
      count === 1
        ? "1 Eintrag würde importiert."
        : `${number("de-DE", count)} Einträge würden importiert.`,
    nothing: "Der Kalender wurde gelesen, enthält aber keine Einträge zum Importieren.",
    caption: (shown, total) =>
      shown < total
        ? `Die ersten ${number("de-DE", shown)} von ${number("de-DE", total)} Einträgen`
        : "Alle Einträge",
    date: "Datum",
    entry: "Eintrag",
    type: "Art",
    because: (word) => `wegen „${word}“`,
    byDefault: "kein passendes Wort",
    undated: "Ohne Datum",
    notYet: "Es wurde noch nichts importiert.",
  },
  notices: {
    subscribed: "Abonniert. Die Einträge stehen jetzt in deinen Terminen.",
    saved: "Gespeichert.",
    refreshed: "Der Kalender wurde abgerufen.",
    unsubscribed: "Abonnement beendet. Die Termine des Kalenders wurden gelöscht.",
  },
  errors: {
    "url-invalid": "Bitte gib eine Adresse ein, die mit https:// oder webcal:// beginnt.",
    "name-too-long": "Der Name ist zu lang. Bitte kürze ihn.",
    "type-invalid": "Bitte wähle eine Art.",
    "already-subscribed": "Diesen Kalender hast du schon abonniert.",
    "too-many": "Du hast die Höchstzahl an Kalendern erreicht. Bitte beende zuerst ein Abonnement.",
    "not-found":
      "Dieses Abonnement gibt es nicht mehr. Möglicherweise wurde es in einem anderen Tab beendet.",
    "too-soon":
      "Dieser Kalender wurde gerade erst abgerufen. Bitte warte, bevor du ihn erneut abrufst.",
  },
  rulesInvalid: (line) =>
    `Zeile ${line} der Wortregeln ist ungültig. Eine Regel sieht so aus: exam: Klausur, Zwischenprüfung`,
  fetchFailed: "Der Kalender konnte nicht gelesen werden.",
};

export const SUBSCRIPTIONS_TEXTS = { en, de };
