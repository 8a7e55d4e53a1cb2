/** Texts for the codes of fetching, reading and importing a calendar. */
import type { Language } from "../../contract/language.ts";
import type { FeedErrorCode, FeedNoticeCode, SkipReason } from "../../rules/events/ingest/entry.ts";
import { FIRST_YEAR, LAST_YEAR } from "../../rules/events/ingest/limits.ts";
import type { ReconcileWarning } from "../../rules/events/ingest/reconcile.ts";
import type { AccountFetchErrorCode } from "../../rules/events/subscriptions/fetch-error.ts";

/** `other` is for the codes of a newer version. */
export type CodeTexts<Code extends string> = Readonly<
  Record<Language, Readonly<Record<Code, string>> & { readonly other: string }>
>;

export function describeCode(texts: CodeTexts<string>, code: string, language: Language): string {
  const known = texts[language];
  return (Object.hasOwn(known, code) ? known[code] : undefined) ?? `${known.other} (${code})`;
}

export const FEED_ERROR_TEXTS: CodeTexts<FeedErrorCode | AccountFetchErrorCode> = {
  en: {
    empty: "The response is empty. Please check the address.",
    html: "The address leads to a web page, not to a calendar. It may require a sign-in, or belong to a page about the calendar.",
    "not-a-calendar": "The address does not lead to a calendar.",
    "unknown-format": "The format is neither iCalendar nor CSV nor JSON.",
    "bad-encoding": "The text is not encoded in UTF-8.",
    malformed: "The calendar is incomplete or malformed.",
    "bad-header": "The first row does not name the columns.",
    "too-large": "The calendar is too large.",
    "too-many-entries": "The calendar has too many entries. Please use a smaller one.",
    "too-slow": "Reading the calendar took too long and was cancelled.",
    "out-of-memory": "Reading the calendar needed too much memory and was cancelled.",
    crashed: "Reading the calendar failed unexpectedly.",
    "url-invalid": "The address must begin with https:// or webcal://.",
    "url-credentials":
      "The address contains a username or a password. Please use the secret address that the calendar offers for subscribing.",
    "url-port": "The address has a port that is not allowed for calendars.",
    "host-not-found":
      "There is no public server with this name. Please check the address: servers in private or local networks are not allowed.",
    "name-lookup-failed": "The name of the server could not be resolved.",
    unreachable: "The server does not accept connections.",
    "tls-failed": "The server has no valid certificate, so the connection would not be secure.",
    "timed-out": "The server took too long to respond.",
    "broken-off": "The response was incomplete.",
    "bad-answer": "The server sent an invalid HTTP response.",
    "bad-compression": "The response is compressed incorrectly or with an unsupported method.",
    "too-many-redirects": "The address has too many redirects.",
    "redirect-refused": "The address redirects to an insecure or invalid one.",
    "access-denied": "The server requires a sign-in. Please use an address that works without one.",
    "not-found": "There is no calendar at this address. It may have been moved or removed.",
    "too-many-requests": "The server has received too many requests. Please try again later.",
    "server-failed": "The server of the calendar has an internal error.",
    "unexpected-status": "The server responded with an unexpected status.",
    stopped: "The fetch was cancelled because this service was restarted.",
    "address-lost": "The stored address can no longer be decrypted. Please subscribe again.",
    "import-failed": "The calendar was read, but its events could not be stored.",
    other: "The calendar could not be fetched or read.",
  },
  de: {
    empty: "Die Antwort ist leer. Bitte prüfe die Adresse.",
    html: "Die Adresse führt zu einer Webseite, nicht zu einem Kalender. Möglicherweise erfordert sie eine Anmeldung oder gehört zu einer Seite über den Kalender.",
    "not-a-calendar": "Die Adresse führt nicht zu einem Kalender.",
    "unknown-format": "Das Format ist weder iCalendar noch CSV noch JSON.",
    "bad-encoding": "Der Text ist nicht in UTF-8 kodiert.",
    malformed: "Der Kalender ist unvollständig oder fehlerhaft.",
    "bad-header": "Die erste Zeile nennt die Spalten nicht.",
    "too-large": "Der Kalender ist zu groß.",
    "too-many-entries": "Der Kalender hat zu viele Einträge. Bitte verwende einen kleineren.",
    "too-slow": "Das Lesen des Kalenders hat zu lange gedauert und wurde abgebrochen.",
    "out-of-memory": "Das Lesen des Kalenders hat zu viel Speicher benötigt und wurde abgebrochen.",
    crashed: "Das Lesen des Kalenders ist unerwartet fehlgeschlagen.",
    "url-invalid": "Die Adresse muss mit https:// oder webcal:// beginnen.",
    "url-credentials":
      "Die Adresse enthält einen Benutzernamen oder ein Passwort. Bitte verwende die geheime Adresse, die der Kalender zum Abonnieren anbietet.",
    "url-port": "Die Adresse hat einen Port, der für Kalender nicht erlaubt ist.",
    "host-not-found":
      "Es gibt keinen öffentlichen Server mit diesem Namen. Bitte prüfe die Adresse: Server in privaten oder lokalen Netzen sind nicht erlaubt.",
    "name-lookup-failed": "Der Name des Servers konnte nicht aufgelöst werden.",
    unreachable: "Der Server nimmt keine Verbindungen an.",
    "tls-failed": "Der Server hat kein gültiges Zertifikat, die Verbindung wäre also nicht sicher.",
    "timed-out": "Der Server hat nicht rechtzeitig geantwortet.",
    "broken-off": "Die Antwort war unvollständig.",
    "bad-answer": "Der Server hat eine ungültige HTTP-Antwort gesendet.",
    "bad-compression":
      "Die Antwort ist fehlerhaft oder mit einem nicht unterstützten Verfahren komprimiert.",
    "too-many-redirects": "Die Adresse hat zu viele Weiterleitungen.",
    "redirect-refused": "Die Adresse leitet zu einer unsicheren oder ungültigen Adresse weiter.",
    "access-denied":
      "Der Server verlangt eine Anmeldung. Bitte verwende eine Adresse, die ohne Anmeldung funktioniert.",
    "not-found":
      "Unter dieser Adresse gibt es keinen Kalender. Möglicherweise wurde er verschoben oder entfernt.",
    "too-many-requests":
      "Der Server hat zu viele Anfragen erhalten. Bitte versuche es später noch einmal.",
    "server-failed": "Der Server des Kalenders hat einen internen Fehler.",
    "unexpected-status": "Der Server hat mit einem unerwarteten Status geantwortet.",
    stopped: "Der Abruf wurde abgebrochen, weil dieser Dienst neu gestartet wurde.",
    "address-lost":
      "Die gespeicherte Adresse lässt sich nicht mehr entschlüsseln. Bitte abonniere den Kalender neu.",
    "import-failed":
      "Der Kalender wurde gelesen, aber seine Termine konnten nicht gespeichert werden.",
    other: "Der Kalender konnte nicht abgerufen oder gelesen werden.",
  },
};

export const SKIP_REASON_TEXTS: CodeTexts<SkipReason> = {
  en: {
    "no-date": "It has no date.",
    "bad-date": "Its date does not exist or is invalid.",
    "date-out-of-range": `Its year is not between ${FIRST_YEAR} and ${LAST_YEAR}.`,
    "bad-rule": "Its recurrence rule is invalid, or yields too many dates.",
    "no-occurrence": "It does not recur in the imported period.",
    duplicate: "There is another entry with the same ID.",
    "bad-id": "Its ID is missing, too long or not text.",
    "bad-type": "Its type is too long or not text.",
    "bad-text": "Its title or subject is not text.",
    "bad-shape": "It does not have the structure of an event.",
    "no-content": "It is empty.",
    other: "It cannot be imported.",
  },
  de: {
    "no-date": "Er hat kein Datum.",
    "bad-date": "Sein Datum existiert nicht oder ist ungültig.",
    "date-out-of-range": `Sein Jahr liegt nicht zwischen ${FIRST_YEAR} und ${LAST_YEAR}.`,
    "bad-rule": "Seine Wiederholungsregel ist ungültig oder ergibt zu viele Termine.",
    "no-occurrence": "Er wiederholt sich nicht im importierten Zeitraum.",
    duplicate: "Es gibt einen anderen Eintrag mit derselben ID.",
    "bad-id": "Seine ID fehlt, ist zu lang oder kein Text.",
    "bad-type": "Seine Art ist zu lang oder kein Text.",
    "bad-text": "Sein Titel oder Fach ist kein Text.",
    "bad-shape": "Er hat nicht die Struktur eines Termins.",
    "no-content": "Er ist leer.",
    other: "Er kann nicht importiert werden.",
  },
};

export const FEED_WARNING_TEXTS: CodeTexts<ReconcileWarning["code"]> = {
  en: {
    "feed-shrunk":
      "More than half of the entries are suddenly missing from the calendar. To be safe, their events were kept. If the entries were removed on purpose, you can delete the events here.",
    "outside-window":
      "Some missing entries lie outside the period that the calendar covers. Their events were kept.",
    other: "Events that are missing from the calendar were kept.",
  },
  de: {
    "feed-shrunk":
      "Mehr als die Hälfte der Einträge fehlt plötzlich im Kalender. Zur Sicherheit bleiben ihre Termine erhalten. Wenn die Einträge absichtlich entfernt wurden, kannst du die Termine hier löschen.",
    "outside-window":
      "Einige fehlende Einträge liegen außerhalb des Zeitraums, den der Kalender abdeckt. Ihre Termine bleiben erhalten.",
    other: "Termine, die im Kalender fehlen, bleiben erhalten.",
  },
};

/** Names of zones or columns, or ids of entries, follow each text. */
export const FEED_NOTICE_TEXTS: CodeTexts<FeedNoticeCode> = {
  en: {
    "unknown-columns": "Columns with unknown names were ignored.",
    "unknown-zone": "The calendar uses unknown time zones. Your time zone was used instead.",
    "series-cut": "Series with very many dates were shortened.",
    "text-cut": "Very long texts were shortened.",
    "count-ignored":
      "Some series have an invalid number of repetitions. It was ignored: they repeat until their end date, or forever.",
    "range-ignored":
      "A change to several dates of a series could not be applied to all of them. Please check these dates in the calendar.",
    other: "Part of the calendar was interpreted differently.",
  },
  de: {
    "unknown-columns": "Spalten mit unbekannten Namen wurden ignoriert.",
    "unknown-zone":
      "Der Kalender verwendet unbekannte Zeitzonen. Stattdessen wurde deine Zeitzone verwendet.",
    "series-cut": "Serien mit sehr vielen Terminen wurden gekürzt.",
    "text-cut": "Sehr lange Texte wurden gekürzt.",
    "count-ignored":
      "Einige Serien nennen eine ungültige Anzahl von Wiederholungen. Die Angabe wurde ignoriert: Sie wiederholen sich bis zu ihrem Enddatum oder unbegrenzt.",
    "range-ignored":
      "Eine Änderung an mehreren Terminen einer Serie ließ sich nicht auf alle anwenden. Bitte prüfe diese Termine im Kalender.",
    other: "Ein Teil des Kalenders wurde anders interpretiert.",
  },
};
