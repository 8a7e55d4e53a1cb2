/** Content lines of iCalendar (RFC 5545 3.1). */

export interface ContentLine {
  /** The name is in upper case. */
  readonly name: string;
  /** Parameters by upper-case name, without quotes. */
  readonly parameters: ReadonlyMap<string, string>;
  readonly value: string;
}

export interface UnfoldedLine {
  /** The number of the line of the source at which this one begins, from 1. */
  readonly number: number;
  readonly text: string;
}

/** Enough for four thousand excluded dates; only attachments are longer. */
const MAX_LINE_CHARACTERS = 65_536;

/** Skips empty lines, and white space before the first; cuts long lines. A line ends in CR LF, LF or CR. */
export function* unfoldLines(source: string): Generator<UnfoldedLine> {
  const text = source.trimStart();
  let number = countLineEnds(source.slice(0, source.length - text.length));
  let first = 0;
  let parts: string[] = [];
  let length = 0;
  const take = (part: string) => {
    if (length >= MAX_LINE_CHARACTERS) return;
    parts.push(part.slice(0, MAX_LINE_CHARACTERS - length));
    length += part.length;
  };
  for (const { begin, end } of physicalLines(text)) {
    number++;
    if (isSpace(text, begin)) {
      take(text.slice(begin + 1, Math.min(end, begin + 1 + MAX_LINE_CHARACTERS)));
      continue;
    }
    if (length > 0) yield { number: first, text: parts.join("") };
    first = number;
    parts = [];
    length = 0;
    take(text.slice(begin, Math.min(end, begin + MAX_LINE_CHARACTERS)));
  }
  if (length > 0) yield { number: first, text: parts.join("") };
}

const LINE_END = /\r\n|\n|\r/g;

function countLineEnds(text: string): number {
  return text.match(LINE_END)?.length ?? 0;
}

function* physicalLines(text: string): Generator<{ readonly begin: number; readonly end: number }> {
  const lineEnd = new RegExp(LINE_END);
  let begin = 0;
  for (let match = lineEnd.exec(text); match !== null; match = lineEnd.exec(text)) {
    yield { begin, end: match.index };
    begin = lineEnd.lastIndex;
  }
  yield { begin, end: text.length };
}

function isSpace(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  return code === 0x20 || code === 0x09;
}

const NAME = /^[\w-]+/;
/** A quoted value may contain colons and semicolons. */
const PARAMETER = /;([\w-]+)=((?:"[^"]*"|[^":;])*)/y;

/** Null for an invalid line. */
export function parseContentLine(text: string): ContentLine | null {
  const name = NAME.exec(text)?.[0];
  if (name === undefined) return null;
  const parameters = new Map<string, string>();
  let end = name.length;
  PARAMETER.lastIndex = end;
  for (let match = PARAMETER.exec(text); match !== null; match = PARAMETER.exec(text)) {
    const [whole, parameter = "", value = ""] = match;
    parameters.set(parameter.toUpperCase(), value.replaceAll('"', ""));
    end += whole.length;
    PARAMETER.lastIndex = end;
  }
  if (text[end] !== ":") return null;
  return { name: name.toUpperCase(), parameters, value: text.slice(end + 1) };
}

/** RFC 5545 3.3.11. */
export function unescapeText(value: string): string {
  return value.replace(/\\([\\;,nN])/g, (_, character: string) =>
    character === "n" || character === "N" ? "\n" : character,
  );
}

/** Splits at commas that are not escaped. */
export function splitTextList(value: string): string[] {
  return (value.match(/(?:\\.|[^\\,])+/gs) ?? []).map(unescapeText);
}
