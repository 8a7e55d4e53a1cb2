/**
 * Walks JSON text that is already known to be valid; whatever else is a bug, and throws. Parsing and
 * printing again would round large numbers and respell the rest, so what devices wrote is found, and
 * kept, as text.
 */

export interface JsonReader {
  readonly text: string;
  at: number;
  /** Of all objects that were passed. */
  members: number;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** A reader at the text's one value. */
export function readJson(text: string): JsonReader {
  return { text, at: skipSpace(text, 0), members: 0 };
}

/** Steps into the object that starts here; false, and nothing happens, when none does. */
export function enterObject(reader: JsonReader): boolean {
  return enter(reader, OPEN_OBJECT);
}

/** Steps into the list that starts here; false, and nothing happens, when none does. */
export function enterList(reader: JsonReader): boolean {
  return enter(reader, OPEN_LIST);
}

/** The next member's name, with the reader at its value; null behind the object's end. */
export function nextMember(reader: JsonReader): string | null {
  const source = nextName(reader);
  if (source === null) return null;
  return source.includes("\\") ? (JSON.parse(source) as string) : source.slice(1, -1);
}

/** The same, but the name as it is spelled in the text, with its quotes. */
export function nextName(reader: JsonReader): string | null {
  const { text } = reader;
  const start = skipToItem(text, reader.at);
  if (text.charCodeAt(start) === CLOSE_OBJECT) {
    reader.at = start + 1;
    return null;
  }
  const end = skipString(text, start);
  reader.members++;
  // Behind the colon.
  reader.at = skipSpace(text, skipSpace(text, end) + 1);
  return text.slice(start, end);
}

/** Whether there is another element, with the reader at it; false behind the list's end. */
export function nextElement(reader: JsonReader): boolean {
  const start = skipToItem(reader.text, reader.at);
  const isEnd = reader.text.charCodeAt(start) === CLOSE_LIST;
  reader.at = isEnd ? start + 1 : start;
  return !isEnd;
}

/** Passes the value that starts here, and returns its text. */
export function takeValue(reader: JsonReader): string {
  const start = reader.at;
  passValue(reader);
  return reader.text.slice(start, reader.at);
}

/** Passes the value that starts here; depth costs no stack. */
export function passValue(reader: JsonReader): void {
  const { text } = reader;
  let index = reader.at;
  let members = 0;
  let depth = 0;
  do {
    const code = text.charCodeAt(index);
    if (code === QUOTE) {
      index = skipString(text, index);
    } else if (code === OPEN_OBJECT || code === OPEN_LIST) {
      depth++;
      index++;
    } else if (code === CLOSE_OBJECT || code === CLOSE_LIST) {
      depth--;
      index++;
    } else if (depth === 0) {
      index = skipScalar(text, index);
    } else {
      if (index >= text.length) throw noJson();
      if (code === COLON) members++;
      index++;
    }
  } while (depth > 0);
  reader.at = index;
  reader.members += members;
}

function enter(reader: JsonReader, opening: number): boolean {
  if (reader.text.charCodeAt(reader.at) !== opening) return false;
  reader.at++;
  return true;
}

/** Over white space and the comma after the item before. */
function skipToItem(text: string, start: number): number {
  const index = skipSpace(text, start);
  return text.charCodeAt(index) === COMMA ? skipSpace(text, index + 1) : index;
}

function skipSpace(text: string, start: number): number {
  let index = start;
  // RFC 8259 section 2: space, line feed, carriage return and tab; valid JSON has no other here.
  while (text.charCodeAt(index) <= 0x20) index++;
  return index;
}

/** From the opening quote to behind the closing one: the first that no backslash escapes. */
function skipString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end > start && text.charCodeAt(end - 1) === BACKSLASH && isEscaped(text, end)) {
    end = text.indexOf('"', end + 1);
  }
  if (end <= start) throw noJson();
  return end + 1;
}

/** Backslashes escape each other, so an odd number of them is left with one for this character. */
function isEscaped(text: string, index: number): boolean {
  let before = index;
  while (text.charCodeAt(before - 1) === BACKSLASH) before--;
  return (index - before) % 2 === 1;
}

/** Numbers, `true`, `false` and `null` end where the list, the object or the text goes on. */
function skipScalar(text: string, start: number): number {
  let index = start;
  while (index < text.length) {
    const code = text.charCodeAt(index);
    if (code === COMMA || code === CLOSE_OBJECT || code === CLOSE_LIST || code <= 0x20) break;
    index++;
  }
  if (index === start) throw noJson();
  return index;
}

function noJson(): Error {
  return new Error("Cannot walk a text that is not JSON");
}
