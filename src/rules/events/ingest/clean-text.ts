/** Untrusted text as it is stored: one line, without control characters. */

/** Includes U+0000, which PostgreSQL refuses. */
// oxlint-disable-next-line no-control-regex
const CONTROL_OR_SPACE = /[\s\u0000-\u001f\u007f-\u009f]+/g;

export interface CleanText {
  /** Null when nothing is left. */
  readonly text: string | null;
  readonly isCut: boolean;
}

/** Spreadsheet formulas (`=…`, `+…`, `@…`) stay: nothing here evaluates or exports them. */
export function cleanText(source: string, maxCharacters: number): CleanText {
  const text = source.replace(CONTROL_OR_SPACE, " ").trim().toWellFormed();
  if (text === "") return { text: null, isCut: false };
  if (text.length <= maxCharacters) return { text, isCut: false };
  // Two code units for each character are enough, however long the text is.
  const characters = Array.from(text.slice(0, 2 * maxCharacters + 2));
  if (characters.length <= maxCharacters) return { text, isCut: false };
  return { text: `${characters.slice(0, maxCharacters - 1).join("")}…`, isCut: true };
}

export function quoteText(source: string, maxCharacters: number): string {
  return cleanText(source, maxCharacters).text ?? "";
}
