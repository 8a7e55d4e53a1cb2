/** Outside text as it is kept: one line, without characters that nobody sees or no store takes. */

/** Among them U+0000, which PostgreSQL refuses, and the line ends of descriptions put into titles. */
// oxlint-disable-next-line no-control-regex
const CONTROL_OR_SPACE = /[\s\u0000-\u001f\u007f-\u009f]+/g;

export interface CleanText {
  /** Null when nothing is left. */
  readonly text: string | null;
  readonly isCut: boolean;
}

/** Formulas of spreadsheets (`=…`, `+…`, `@…`) stay what they are here: text. */
export function cleanText(source: string, maxCharacters: number): CleanText {
  const text = source.replace(CONTROL_OR_SPACE, " ").trim().toWellFormed();
  if (text === "") return { text: null, isCut: false };
  if (text.length <= maxCharacters) return { text, isCut: false };
  // Two code units for each character are enough, however long the text is.
  const characters = Array.from(text.slice(0, 2 * maxCharacters + 2));
  if (characters.length <= maxCharacters) return { text, isCut: false };
  return { text: `${characters.slice(0, maxCharacters - 1).join("")}…`, isCut: true };
}

/** Outside text inside of a message. */
export function quoteText(source: string, maxCharacters: number): string {
  return cleanText(source, maxCharacters).text ?? "";
}
