/** nginx's configuration language, as far as the rules need it. */

export const HEADING =
  "# Written by `trellis release export`. The next export replaces it: change nothing here.";

/** Replaced by the folder of the tree, whose name is a digest of everything in it. */
export const TREE_FOLDER = "@TREE_FOLDER@";

/** Text as a value. nginx cannot escape a dollar sign, which no value of ours has. */
export function quote(text: string): string {
  return `"${text.replaceAll(/[\\"]/g, "\\$&")}"`;
}

export function location(name: string, lines: readonly string[]): string[] {
  return ["", `location ${name} {`, ...lines.map((line) => `  ${line}`), "}"];
}

export function typeLine(type: string): string {
  return `types { } default_type ${quote(type)};`;
}

export function headerLine(name: string, value: string): string {
  return `add_header ${name} ${quote(value)} always;`;
}
