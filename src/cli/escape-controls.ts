/**
 * Text that a terminal shows as it is. Names and messages come from strangers: control characters would move the
 * cursor, set the clipboard or hide text, and those for the direction of writing would show it in another order.
 */
export function escapeControls(text: string): string {
  return text.replaceAll(CONTROLS, toEscape);
}

/** C0 without tabs and line feeds, which are our own; DEL and C1; marks of direction, and separators of lines. */
// eslint-disable-next-line no-control-regex
const CONTROLS = /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** The escape of JSON, so that JSON stays the same value. */
function toEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
