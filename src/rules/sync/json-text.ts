/**
 * Walks JSON text that is already known to be valid. Parsing and printing again would round large
 * numbers and respell the rest, so what devices wrote is found, and kept, as text.
 */

/** How many members the objects that were passed have. */
export interface MemberTally {
  members: number;
}

/** Gets a member's name and where its value starts; returns where the value ends. */
export type MemberVisitor = (name: string, valueStart: number) => number;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

export function isObjectAt(text: string, index: number): boolean {
  return text.charCodeAt(index) === OPEN_OBJECT;
}

export function isListAt(text: string, index: number): boolean {
  return text.charCodeAt(index) === OPEN_LIST;
}

export function isStringAt(text: string, index: number): boolean {
  return text.charCodeAt(index) === QUOTE;
}

export function skipSpace(text: string, start: number): number {
  let index = start;
  for (;;) {
    const code = text.charCodeAt(index);
    // RFC 8259 section 2: space, line feed, carriage return, tab.
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return index;
    index++;
  }
}

/** From the opening quote to behind the closing one. */
export function skipString(text: string, start: number): number {
  let index = start + 1;
  for (;;) {
    const code = text.charCodeAt(index++);
    if (code === QUOTE) return index;
    if (code === BACKSLASH) index++;
  }
}

/** From the first character of any value to behind its last; depth costs no stack. */
export function skipValue(text: string, start: number, tally: MemberTally): number {
  let index = start;
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
      return skipScalar(text, index);
    } else {
      if (code === COLON) tally.members++;
      index++;
    }
  } while (depth > 0);
  return index;
}

/** Numbers, `true`, `false` and `null` end where the list, the object or the text goes on. */
function skipScalar(text: string, start: number): number {
  let index = start;
  while (index < text.length) {
    const code = text.charCodeAt(index);
    if (code === COMMA || code === CLOSE_OBJECT || code === CLOSE_LIST || code <= 0x20) break;
    index++;
  }
  return index;
}

/** Visits the members of the object that starts here; returns where it ends. */
export function visitMembers(
  text: string,
  start: number,
  tally: MemberTally,
  visit: MemberVisitor,
): number {
  let index = skipSpace(text, start + 1);
  while (text.charCodeAt(index) !== CLOSE_OBJECT) {
    const nameEnd = skipString(text, index);
    const name = readString(text, index, nameEnd);
    tally.members++;
    const colon = skipSpace(text, nameEnd);
    index = skipSpace(text, visit(name, skipSpace(text, colon + 1)));
    if (text.charCodeAt(index) === COMMA) index = skipSpace(text, index + 1);
  }
  return index + 1;
}

/** Visits the elements of the list that starts here; `visit` returns where an element ends. */
export function visitElements(
  text: string,
  start: number,
  visit: (elementStart: number) => number,
): number {
  let index = skipSpace(text, start + 1);
  while (text.charCodeAt(index) !== CLOSE_LIST) {
    index = skipSpace(text, visit(index));
    if (text.charCodeAt(index) === COMMA) index = skipSpace(text, index + 1);
  }
  return index + 1;
}

/** The string between two quotes; names are rarely escaped, so most need no parser. */
function readString(text: string, start: number, end: number): string {
  const inner = text.slice(start + 1, end - 1);
  return inner.includes("\\") ? (JSON.parse(text.slice(start, end)) as string) : inner;
}
