/** Ids that stay the same from fetch to fetch, because apps import each id once. */

/** SHA-256 of the UTF-8 of a text, in Base64URL. */
export type HashText = (text: string) => string;

/** 192 bits: no two of any source ever meet, also when somebody tries. */
const ID_CHARACTERS = 32;

/**
 * Of a calendar's entry. `recurrenceId` is which occurrence of a series it is, null for what takes
 * place once; without a UID the title and the start must do.
 */
export function calendarEventId(
  hash: HashText,
  source: string,
  uid: string | null,
  recurrenceId: string | null,
  title: string | null,
  start: string,
): string {
  const parts =
    uid === null ? ["no-uid", source, title, start] : ["uid", source, uid, recurrenceId];
  return shorten(hash, parts);
}

/** Of an element of a table or list that names no id. */
export function fileEventId(
  hash: HashText,
  type: string,
  title: string | null,
  date: string | null,
): string {
  return shorten(hash, ["file", type, title, date]);
}

function shorten(hash: HashText, parts: readonly (string | null)[]): string {
  return hash(JSON.stringify(parts)).slice(0, ID_CHARACTERS);
}
