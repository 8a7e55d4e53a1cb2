/**
 * A note of a release: text with links, and perhaps points below it. This much of Markdown stays in the
 * notes; the one parser is here, and everything that shows notes goes through it.
 */

/** A release note as paragraphs and points, so that an app renders it without a parser of Markdown. */
export interface Note {
  /** The line of the note. */
  readonly words: readonly NoteSpan[];
  /** The points below it: lines that begin with "- ". */
  readonly points: readonly (readonly NoteSpan[])[];
}

/** Text, and the address that it leads to. */
export interface NoteSpan {
  /** The words, without signs of Markdown. */
  readonly text: string;
  /** An address of https, http or mailto; null for text that is no link. */
  readonly href: string | null;
}

// An address has no character that could end an attribute, and no user name, which could pass for a host.
const SCHEME = "(?:https?:\\/\\/(?![^/?#\\s]*@)|mailto:)";
const ADDRESS = `${SCHEME}(?:[^\\s()<>"'\`\\\\]|\\([^\\s()<>"'\`\\\\]*\\))+`;
const WORDS = "\\[([^[\\]]+)\\]";
const BARE = "https?:\\/\\/(?![^/?#\\s]*@)[^\\s()<>\"'`\\\\[\\]]*[^\\s()<>\"'`\\\\[\\].,;:!?*_]";
const LINK = new RegExp(`${WORDS}\\((${ADDRESS})\\)|(${BARE})`, "gi");
const WHOLE_ADDRESS = new RegExp(`^${ADDRESS}$`, "i");

/** Whether a note may lead there. */
export function isNoteAddress(address: string): boolean {
  return WHOLE_ADDRESS.test(address);
}

/**
 * Splits a release note into words and points, whose links are spans: render these, and nothing of the note
 * is ever HTML.
 * @param note - the text of a note
 * @returns the words before the points, and the points
 * @example
 * ```ts
 * import { parseNote } from "trellis/client";
 *
 * const { words, points } = parseNote("Two things are new:\n- Sync is faster\n- A dark theme");
 * console.log(words, points.length);
 * ```
 */
export function parseNote(note: string): Note {
  const [first = "", ...lines] = note.split("\n");
  let words = first;
  const points: string[] = [];
  for (const line of lines) {
    const point = /^\s*- (.*)$/.exec(line)?.[1];
    if (point !== undefined) points.push(point);
    else if (points.length > 0) points.push(`${points.pop() ?? ""}\n${line}`);
    else words += `\n${line}`;
  }
  return { words: parseSpans(words), points: points.map(parseSpans) };
}

function parseSpans(text: string): NoteSpan[] {
  const spans: NoteSpan[] = [];
  let end = 0;
  for (const match of text.matchAll(LINK)) {
    const [whole, words, href, bare = ""] = match;
    if (match.index > end) spans.push({ text: text.slice(end, match.index), href: null });
    spans.push({ text: words ?? bare, href: href ?? bare });
    end = match.index + whole.length;
  }
  if (end < text.length) spans.push({ text: text.slice(end), href: null });
  return spans;
}

/**
 * Turns a release note into plain text, for a log or a terminal: an address stands in parentheses behind its
 * words.
 * @param note - the text of a note
 * @returns lines of text
 */
export function noteToText(note: string): string {
  const { words, points } = parseNote(note);
  return [spansToText(words), ...points.map((point) => `  - ${spansToText(point)}`)].join("\n");
}

function spansToText(spans: readonly NoteSpan[]): string {
  return spans
    .map(({ text, href }) => (href === null || href === text ? text : `${text} (${href})`))
    .join("");
}

/** The content of a list item. Elements are those below; `escape` makes texts and attributes safe. */
export function noteToHtml(note: string, escape: (text: string) => string): string {
  const toHtml = (spans: readonly NoteSpan[]) =>
    spans
      .map(({ text, href }) =>
        href === null
          ? escape(text)
          : `<a href="${escape(href)}" rel="noopener noreferrer">${escape(text)}</a>`,
      )
      .join("");
  const { words, points } = parseNote(note);
  const list = points.map((point) => `<li>${toHtml(point)}</li>`).join("");
  return `${toHtml(words)}${list === "" ? "" : `<ul>${list}</ul>`}`;
}
