/** Reads single figures from the runs that `docs/benchmarks.md` records. */

export type FindFigure = (section: string, table: string, row: string, column?: string) => number;

/**
 * `section` is a heading, `table` a text before the table (the first one after it counts), `row` the first
 * cell of its row. Throws when the page has no such figure, because the scaling page would then be wrong.
 */
export function readFigures(page: string): FindFigure {
  return (section, table, row, column = "per second") => {
    const place = `"${section}", "${table}", "${row}", "${column}"`;
    const [, after = ""] = page.split(new RegExp(`^#{1,3} ${section}$`, "m"));
    const [own = ""] = after.split(/^#{2,3} /m);
    const found = own.indexOf(table);
    if (found < 0) throw new Error(`docs/benchmarks.md has no table ${place}`);
    const lines = own.slice(found).split("\n");
    const begin = lines.findIndex((line) => line.startsWith("|"));
    const rows = lines.slice(begin).map(readCells);
    const index = rows[0]?.indexOf(column) ?? -1;
    const value = rows.find(([name]) => name === row)?.[index];
    const figure = Number(value?.replaceAll(",", "") ?? Number.NaN);
    if (!Number.isFinite(figure)) throw new Error(`docs/benchmarks.md has no figure ${place}`);
    return figure;
  };
}

function readCells(line: string): string[] {
  return line
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim());
}

/** A figure in a sentence: the first group of the pattern. */
export function readSentence(page: string, section: string, pattern: RegExp): number {
  const [, after = ""] = page.split(new RegExp(`^#{1,3} ${section}$`, "m"));
  const [, value] = pattern.exec(after) ?? [];
  if (value === undefined) throw new Error(`docs/benchmarks.md has no ${pattern} in "${section}"`);
  return Number(value.replaceAll(",", ""));
}
