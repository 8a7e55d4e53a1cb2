/** What the generated pages of the reference share. */
import type { GeneratedFile } from "../bundle-web.ts";
import { formatMarkdownTable } from "../page-blocks.ts";

export function createPage(name: string, source: string, parts: readonly string[]): GeneratedFile {
  const notice = `<!-- Written by \`npm run generate\` from ${source}; do not edit. -->`;
  return { path: `docs/reference/${name}.md`, content: `${[notice, ...parts].join("\n\n")}\n` };
}

export function createTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return formatMarkdownTable([head, ...rows.map((cells) => cells.map(escapeCell))]);
}

export function code(text: string): string {
  return text === "" ? "" : `\`${text}\``;
}

/** A bar would end the cell, in code too. */
function escapeCell(text: string): string {
  return text.replaceAll("|", String.raw`\|`).replaceAll("\n", " ");
}
