/** What the generated pages of the reference share. */
import type { GeneratedFile } from "../bundle-web.ts";
import { createAnchors } from "../../site/heading-anchors.ts";
import { formatMarkdownTable } from "../page-blocks.ts";

export function createPage(name: string, source: string, parts: readonly string[]): GeneratedFile {
  const notice = `<!-- Written by \`npm run generate\` from ${source}; do not edit. -->`;
  return { path: `docs/reference/${name}.md`, content: `${[notice, ...parts].join("\n\n")}\n` };
}

export function createTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return formatMarkdownTable([head, ...rows.map((cells) => cells.map(escapeCell))]);
}

export function codeBlock(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}

/** A text of a table or a help as a sentence of its own. */
export function sentence(text: string): string {
  const first = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.:?!]$/.test(first) ? first : `${first}.`;
}

/** The anchor of a heading that its page has once. */
export function anchorOf(heading: string): string {
  return createAnchors()(heading);
}

export function code(text: string): string {
  return text === "" ? "" : `\`${text}\``;
}

/** A bar would end the cell, in code too. */
function escapeCell(text: string): string {
  return text.replaceAll("|", String.raw`\|`).replaceAll("\n", " ");
}
