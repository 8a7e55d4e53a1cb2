/** Dates, sizes and lists. Dates are in UTC: a page must not depend on where it is built. */
import type { Language } from "../contract/language.ts";

// British order: "08/09" and "August 9" are ambiguous to most readers of English.
export const LOCALES: Readonly<Record<Language, string>> = { en: "en-GB", de: "de-DE" };

// Creating a formatter costs more than using it a hundred times, and most processes use none.
const created: Partial<Record<Language, ReturnType<typeof createFormats>>> = {};

function formatsOf(language: Language) {
  return (created[language] ??= createFormats(LOCALES[language]));
}

function createFormats(locale: string) {
  const size = (unit: string) =>
    new Intl.NumberFormat(locale, { style: "unit", unit, maximumFractionDigits: 1 });
  return {
    date: new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone: "UTC" }),
    kilobytes: size("kilobyte"),
    megabytes: size("megabyte"),
    list: new Intl.ListFormat(locale, { type: "conjunction" }),
  };
}

export function formatDate(instant: number, language: Language): string {
  return formatsOf(language).date.format(instant);
}

/** Formats a list such as "Windows, macOS and Linux". */
export function formatList(items: readonly string[], language: Language): string {
  return formatsOf(language).list.format(items);
}

/** Used at the start of a line. */
export function capitalise(text: string, language: Language): string {
  return `${text.slice(0, 1).toLocaleUpperCase(LOCALES[language])}${text.slice(1)}`;
}

/** Megabytes of a million bytes, as download dialogs count them; smaller files in kilobytes. */
export function formatSize(bytes: number, language: Language): string {
  const { kilobytes, megabytes } = formatsOf(language);
  return bytes < 100_000 ? kilobytes.format(bytes / 1000) : megabytes.format(bytes / 1_000_000);
}
