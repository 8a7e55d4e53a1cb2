/** Dates and sizes as people read them. Always UTC: a page must not depend on who builds it. */
import type { Language } from "./language.ts";

// British order, because "08/09" and "August 9" puzzle most readers of English.
const LOCALES: Readonly<Record<Language, string>> = { en: "en-GB", de: "de-DE" };

export function formatDate(instant: number, language: Language): string {
  return new Intl.DateTimeFormat(LOCALES[language], { dateStyle: "long", timeZone: "UTC" }).format(
    instant,
  );
}

const BYTES_PER_MEGABYTE = 1_000_000;

/** Megabytes of a million bytes, as download dialogs and file managers count them. */
export function formatSize(bytes: number, language: Language): string {
  const small = bytes < BYTES_PER_MEGABYTE / 10;
  return new Intl.NumberFormat(LOCALES[language], {
    style: "unit",
    unit: small ? "kilobyte" : "megabyte",
    maximumFractionDigits: 1,
  }).format(bytes / (small ? 1000 : BYTES_PER_MEGABYTE));
}
