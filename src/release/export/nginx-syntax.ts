/** The few pieces of nginx's configuration language that the rules are written in. */

/** nginx cannot escape a dollar sign in a value; a `geo` block can hold one. */
export const DOLLAR = "trellis_dollar";

/** Text as a value: nothing in it is a variable. */
export function quote(text: string): string {
  return quoteTemplate(text.replaceAll("$", `\${${DOLLAR}}`));
}

/** Text as a value in which `$name` and `${name}` are variables. */
export function quoteTemplate(text: string): string {
  return `"${escapeQuoted(text)}"`;
}

/** A case-sensitive regular expression as the key of a `map`. */
export function quotePattern(pattern: string): string {
  return `"~${escapeQuoted(pattern)}"`;
}

function escapeQuoted(text: string): string {
  return text.replaceAll(/[\\"]/g, "\\$&");
}

/** Keys and values as they stand in the file: quoted already, or plain words. */
export type MapRows = readonly (readonly [key: string, value: string])[];

export function mapBlock(source: string, target: string, rows: MapRows): string {
  const lines = rows.map(([key, value]) => `  ${key} ${value};`);
  return [`map ${source} $${target} {`, ...lines, "}"].join("\n");
}

export function indent(lines: readonly string[]): string[] {
  return lines.map((line) => (line === "" ? line : `  ${line}`));
}

export const HEADING =
  "# Written by `trellis release export`. The next export replaces it: change nothing here.";
