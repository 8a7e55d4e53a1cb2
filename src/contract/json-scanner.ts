/** Scans valid JSON, else throws; parsing and printing would round large numbers, so texts stay as sent. */

export interface JsonScanner {
  readonly text: string;
  position: number;
  /** How many object members were passed so far, at any depth. */
  memberCount: number;
  /** Whether any string of the text has an escape: in most texts no name needs a search for one. */
  readonly hasEscapes: boolean;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** A scanner at the text's one value. */
export function createJsonScanner(text: string): JsonScanner {
  const hasEscapes = text.includes("\\");
  return { text, position: skipSpace(text, 0), memberCount: 0, hasEscapes };
}

/** Steps into the object at this position; false, without a step, when there is none. */
export function enterObject(scanner: JsonScanner): boolean {
  return enter(scanner, OPEN_OBJECT);
}

/** Steps into the list at this position; false, without a step, when there is none. */
export function enterList(scanner: JsonScanner): boolean {
  return enter(scanner, OPEN_LIST);
}

/** The next member's name, with the scanner at its value; null behind the object's end. */
export function nextMember(scanner: JsonScanner): string | null {
  const { text, hasEscapes } = scanner;
  const start = skipToItem(text, scanner.position);
  if (text.charCodeAt(start) === CLOSE_OBJECT) {
    scanner.position = start + 1;
    return null;
  }
  const end = skipString(text, start);
  scanner.memberCount++;
  const colon = skipSpace(text, end);
  scanner.position = skipSpace(text, colon + 1);
  const name = text.slice(start + 1, end - 1);
  return hasEscapes && name.includes("\\") ? (JSON.parse(`"${name}"`) as string) : name;
}

/** Whether there is another element, with the scanner at it; false behind the list's end. */
export function nextElement(scanner: JsonScanner): boolean {
  const start = skipToItem(scanner.text, scanner.position);
  const isEnd = scanner.text.charCodeAt(start) === CLOSE_LIST;
  scanner.position = isEnd ? start + 1 : start;
  return !isEnd;
}

/** Skips the value at this position, and returns its text. */
export function takeValue(scanner: JsonScanner): string {
  const start = scanner.position;
  skipValue(scanner);
  return scanner.text.slice(start, scanner.position);
}

/** Skips without recursion, so that no depth can exhaust the stack. */
export function skipValue(scanner: JsonScanner): void {
  const { text } = scanner;
  let index = scanner.position;
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
      if (code === COLON) scanner.memberCount++;
      index++;
    }
  } while (depth > 0);
  scanner.position = index;
}

function enter(scanner: JsonScanner, opening: number): boolean {
  if (scanner.text.charCodeAt(scanner.position) !== opening) return false;
  scanner.position++;
  return true;
}

/** Skips white space and the comma after the item before. */
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

/** Skips from the opening quote to behind the closing one: the first that no backslash escapes. */
function skipString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end > start && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  if (end <= start) throw noJson();
  return end + 1;
}

/** Backslashes escape each other, so an odd number of them escapes the character behind. */
function isEscaped(text: string, index: number): boolean {
  let before = index;
  while (text.charCodeAt(before - 1) === BACKSLASH) before--;
  return (index - before) % 2 === 1;
}

/** Skips a number, `true`, `false` or `null`. */
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
  return new Error("Cannot scan a text that is not JSON");
}
