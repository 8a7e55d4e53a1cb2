/** Dates and sizes as people read them. Always UTC: a page must not depend on who builds it. */
import type { Language } from "./language.ts";

interface Formats {
  readonly date: Intl.DateTimeFormat;
  readonly kilobytes: Intl.NumberFormat;
  readonly megabytes: Intl.NumberFormat;
}

// Making a formatter costs more than using it a hundred times.
const FORMATS: Readonly<Record<Language, Formats>> = {
  // British order, because "08/09" and "August 9" puzzle most readers of English.
  en: createFormats("en-GB"),
  de: createFormats("de-DE"),
};

function createFormats(locale: string): Formats {
  const size = (unit: string) =>
    new Intl.NumberFormat(locale, { style: "unit", unit, maximumFractionDigits: 1 });
  return {
    date: new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone: "UTC" }),
    kilobytes: size("kilobyte"),
    megabytes: size("megabyte"),
  };
}

export function formatDate(instant: number, language: Language): string {
  return FORMATS[language].date.format(instant);
}

/** Megabytes of a million bytes, as download dialogs count them; smaller files in kilobytes. */
export function formatSize(bytes: number, language: Language): string {
  const { kilobytes, megabytes } = FORMATS[language];
  return bytes < 100_000 ? kilobytes.format(bytes / 1000) : megabytes.format(bytes / 1_000_000);
}
