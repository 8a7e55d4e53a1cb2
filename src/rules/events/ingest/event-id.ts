/** Ids that stay the same from fetch to fetch, because apps import each id once. */

/** SHA-256 of the UTF-8 of a text, in Base64URL. */
export type HashText = (text: string) => string;

/** 192 bits: collisions are infeasible, also for an attacker. */
const ID_CHARACTERS = 32;

/** `recurrenceId` is the occurrence of a series, or null. Without a UID, title and start identify it. */
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

/** The id of a row or list element that has none. */
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
