/** Texts for the codes of fetching, reading and importing a calendar. */
import type { Language } from "../../contract/language.ts";
import type { FeedErrorCode, SkipReason } from "../../rules/events/ingest/entry.ts";
import { FIRST_YEAR, LAST_YEAR } from "../../rules/events/ingest/limits.ts";
import type { ReconcileWarning } from "../../rules/events/ingest/reconcile.ts";
import type { FetchErrorCode } from "../../rules/events/subscriptions/fetch-fault.ts";

/** `other` is for the codes of a newer version. */
export type CodeTexts<Code extends string> = Readonly<
  Record<Language, Readonly<Record<Code, string>> & { readonly other: string }>
>;

export function describeCode(texts: CodeTexts<string>, code: string, language: Language): string {
  const known = texts[language];
  return (Object.hasOwn(known, code) ? known[code] : undefined) ?? `${known.other} (${code})`;
}

export const FEED_ERROR_TEXTS: CodeTexts<FeedErrorCode | FetchErrorCode> = {
  en: {
    empty: "There is nothing at this address. Is it the right one?",
    html: "There is a web page and no calendar. Perhaps the address needs a sign-in, or it is that of a page about the calendar.",
    "not-a-calendar": "What is there is no calendar.",
    "unknown-format": "What is there is neither iCalendar nor CSV nor JSON.",
    "bad-encoding": "The text is not written in UTF-8.",
    malformed: "The calendar breaks off or cannot be read.",
    "bad-header": "The first row does not name the columns.",
    "too-large": "The calendar is too large.",
    "too-many-entries": "The calendar has too many entries. Perhaps there is one with fewer.",
    "too-slow": "Reading the calendar took too long and was stopped.",
    "out-of-memory": "Reading the calendar took too much memory and was stopped.",
    crashed: "Reading the calendar failed in an unexpected way.",
    "url-invalid": "The address must begin with https:// or webcal://.",
    "url-credentials":
      "The address has a user name or a password in it. Please use the secret address that the calendar offers for subscribing.",
    "url-port": "The address names a port that calendars do not have.",
    "host-not-found": "There is no server of that name. Please check the address.",
    "name-lookup-failed": "The name of the server could not be looked up just now.",
    "address-refused":
      "The server is in a private or local network. Only public ones are fetched from.",
    unreachable: "The server does not accept connections.",
    "tls-failed": "The server has no valid certificate, so the connection would not be safe.",
    "timed-out": "The server took too long to answer.",
    "broken-off": "The answer broke off before its end.",
    "bad-answer": "The server did not answer the way web servers do.",
    "bad-compression": "The answer is compressed in a way that cannot be read.",
    "too-many-redirects": "The address leads to others again and again.",
    "redirect-refused": "The address leads to one that is not safe or not valid.",
    "access-denied": "The server asks for a sign-in. Please use an address that needs none.",
    "not-found": "There is no calendar at this address. Perhaps it was moved or withdrawn.",
    "too-many-requests": "The server asks to be left alone for a while.",
    "server-failed": "The server of the calendar has a fault of its own.",
    "unexpected-status": "The server answered with something that is no calendar.",
    stopped: "The fetch was stopped because this service was restarted.",
    "address-lost": "The stored address can no longer be opened. Please subscribe again.",
    "import-failed": "The calendar was read, but its events could not be stored.",
    other: "Something went wrong that this page has no words for yet.",
  },
  de: {
    empty: "Unter dieser Adresse ist nichts. Ist es die richtige?",
    html: "Dort ist eine Webseite und kein Kalender. Vielleicht braucht die Adresse eine Anmeldung, oder sie gehört zu einer Seite über den Kalender.",
    "not-a-calendar": "Was dort ist, ist kein Kalender.",
    "unknown-format": "Was dort ist, ist weder iCalendar noch CSV noch JSON.",
    "bad-encoding": "Der Text ist nicht in UTF-8 geschrieben.",
    malformed: "Der Kalender bricht ab oder lässt sich nicht lesen.",
    "bad-header": "Die erste Zeile nennt die Spalten nicht.",
    "too-large": "Der Kalender ist zu groß.",
    "too-many-entries": "Der Kalender hat zu viele Einträge. Vielleicht gibt es einen mit weniger.",
    "too-slow": "Das Lesen des Kalenders dauerte zu lange und wurde abgebrochen.",
    "out-of-memory": "Das Lesen des Kalenders brauchte zu viel Speicher und wurde abgebrochen.",
    crashed: "Das Lesen des Kalenders ist unerwartet fehlgeschlagen.",
    "url-invalid": "Die Adresse muss mit https:// oder webcal:// beginnen.",
    "url-credentials":
      "In der Adresse steht ein Benutzername oder ein Passwort. Bitte nimm die geheime Adresse, die der Kalender zum Abonnieren anbietet.",
    "url-port": "Die Adresse nennt einen Port, den Kalender nicht haben.",
    "host-not-found": "Es gibt keinen Server mit diesem Namen. Bitte prüfe die Adresse.",
    "name-lookup-failed": "Der Name des Servers ließ sich gerade nicht auflösen.",
    "address-refused":
      "Der Server steht in einem privaten oder lokalen Netz. Abgerufen wird nur von öffentlichen.",
    unreachable: "Der Server nimmt keine Verbindungen an.",
    "tls-failed": "Der Server hat kein gültiges Zertifikat, die Verbindung wäre also nicht sicher.",
    "timed-out": "Der Server hat zu lange nicht geantwortet.",
    "broken-off": "Die Antwort brach vor ihrem Ende ab.",
    "bad-answer": "Der Server hat nicht so geantwortet, wie es Webserver tun.",
    "bad-compression": "Die Antwort ist auf eine Weise gepackt, die sich nicht lesen lässt.",
    "too-many-redirects": "Die Adresse führt immer wieder zu anderen.",
    "redirect-refused": "Die Adresse führt zu einer, die nicht sicher oder nicht gültig ist.",
    "access-denied":
      "Der Server verlangt eine Anmeldung. Bitte nimm eine Adresse, die keine braucht.",
    "not-found":
      "Unter dieser Adresse ist kein Kalender. Vielleicht wurde er verschoben oder zurückgezogen.",
    "too-many-requests": "Der Server bittet darum, eine Weile nicht gefragt zu werden.",
    "server-failed": "Der Server des Kalenders hat selbst eine Störung.",
    "unexpected-status": "Der Server hat mit etwas geantwortet, das kein Kalender ist.",
    stopped: "Der Abruf wurde abgebrochen, weil dieser Dienst neu gestartet wurde.",
    "address-lost": "Die gespeicherte Adresse lässt sich nicht mehr öffnen. Bitte abonniere neu.",
    "import-failed": "Der Kalender wurde gelesen, aber seine Termine ließen sich nicht speichern.",
    other: "Etwas ging schief, wofür diese Seite noch keine Worte hat.",
  },
};

export const SKIP_REASON_TEXTS: CodeTexts<SkipReason> = {
  en: {
    "no-date": "It has no date.",
    "bad-date": "Its date does not exist or cannot be read.",
    "date-out-of-range": `Its year is not between ${FIRST_YEAR} and ${LAST_YEAR}.`,
    "bad-rule": "Its rule for repeating cannot be followed.",
    "no-occurrence": "It repeats, but not in the time that is imported.",
    duplicate: "There is another entry with the same identity.",
    "bad-id": "Its identity is missing, too long or no text.",
    "bad-type": "Its type is too long or no text.",
    "bad-text": "Its title or subject is no text.",
    "bad-shape": "It does not look like an event.",
    "no-content": "It is empty.",
    other: "It cannot be imported.",
  },
  de: {
    "no-date": "Er hat kein Datum.",
    "bad-date": "Sein Datum gibt es nicht, oder es lässt sich nicht lesen.",
    "date-out-of-range": `Sein Jahr liegt nicht zwischen ${FIRST_YEAR} und ${LAST_YEAR}.`,
    "bad-rule": "Seine Regel für Wiederholungen lässt sich nicht befolgen.",
    "no-occurrence": "Er wiederholt sich, aber nicht in der Zeit, die übernommen wird.",
    duplicate: "Es gibt noch einen Eintrag mit derselben Kennung.",
    "bad-id": "Seine Kennung fehlt, ist zu lang oder kein Text.",
    "bad-type": "Seine Art ist zu lang oder kein Text.",
    "bad-text": "Sein Titel oder Fach ist kein Text.",
    "bad-shape": "Er sieht nicht wie ein Termin aus.",
    "no-content": "Er ist leer.",
    other: "Er lässt sich nicht übernehmen.",
  },
};

export const FEED_WARNING_TEXTS: CodeTexts<ReconcileWarning["code"]> = {
  en: {
    "feed-shrunk":
      "More than half of the entries are suddenly gone from the calendar. To be safe, their events were kept. If that is meant to be so, you can delete them here.",
    "outside-window":
      "Some entries are gone from the calendar, but they lie in a time it no longer tells about. Their events were kept.",
    other: "Events that are missing from the calendar were kept.",
  },
  de: {
    "feed-shrunk":
      "Mehr als die Hälfte der Einträge fehlt plötzlich im Kalender. Zur Sicherheit wurden ihre Termine behalten. Wenn das so gewollt ist, kannst du sie hier löschen.",
    "outside-window":
      "Einige Einträge fehlen im Kalender, liegen aber in einer Zeit, über die er nichts mehr sagt. Ihre Termine wurden behalten.",
    other: "Termine, die im Kalender fehlen, wurden behalten.",
  },
};
