/** The parts of a documentation page that `npm run generate` writes. */

/** Replaces what stands between the comments that begin and end the block. */
export function replaceBlock(page: string, name: string, block: string): string {
  const begin = `<!-- begin: npm run generate, ${name} -->`;
  const from = page.indexOf(begin);
  const to = page.indexOf("<!-- end -->", from);
  if (from < 0 || to < 0) throw new Error(`The page has no place for "${name}"`);
  return `${page.slice(0, from)}${begin}\n\n${block}\n\n${page.slice(to)}`;
}

/** A table, as the formatter of the project writes it. */
export function formatMarkdownTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(3, ...rows.map((cells) => cells[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  const [head = [], ...body] = rows;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...body.map(line)].join("\n");
}
