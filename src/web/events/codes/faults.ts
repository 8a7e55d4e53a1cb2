/** Why a calendar could not be fetched or read, in words. */
import type { FeedErrorCode } from "../../../rules/events/ingest/entry.ts";
import type { FetchErrorCode } from "../../../rules/events/subscriptions/fetch-error.ts";
import type { Language } from "../../language.ts";
import { wordsOf, type Words } from "./words.ts";

export const FAULTS: Words<FeedErrorCode | FetchErrorCode> = {
  en: {
    // The calendar itself
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
    // The way to it
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
  },
};

const OTHER = {
  en: "Something went wrong that this page has no words for yet.",
  de: "Etwas ging schief, wofür diese Seite noch keine Worte hat.",
};

export function describeFault(code: string, language: Language): string {
  return wordsOf(FAULTS, code, language, OTHER);
}
