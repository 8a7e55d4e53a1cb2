/**
 * Text that a terminal shows as it is. Names and messages come from strangers: control characters would move the
 * cursor, set the clipboard or hide text, and those for the direction of writing would show it in another order.
 */
export function escapeControls(text: string): string {
  return text.replaceAll(CONTROLS, toEscape);
}

/** The same as one line: a line feed of a stranger would begin a line that looks like one of ours. */
export function escapeLine(line: string): string {
  return escapeControls(line).replaceAll(/[\t\n]/g, toEscape);
}

/** C0 without tabs and line feeds; DEL and C1; marks of direction, separators of lines, and tags, which are invisible. */
const CONTROLS =
  // eslint-disable-next-line no-control-regex
  /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/gu;

/** The escapes of JSON, so that JSON stays the same value. */
function toEscape(character: string): string {
  return character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}
