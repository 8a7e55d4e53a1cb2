/** Reads the reports that `npm run bench:… -- --record` has written to `bench/recorded`. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { formatMarkdownTable } from "./page-blocks.ts";

export interface RecordedTable {
  /** The paragraph before the table. */
  readonly caption: string;
  /** Each row as its cells by the names of their columns. */
  readonly rows: readonly Readonly<Record<string, string>>[];
}

export interface RecordedRun {
  readonly name: string;
  readonly text: string;
  readonly tables: readonly RecordedTable[];
}

export async function readRecordedRun(name: string): Promise<RecordedRun> {
  const path = join(import.meta.dirname, "../bench/recorded", `${name}.md`);
  return parseRecordedRun(name, await readFile(path, "utf8"));
}

export function parseRecordedRun(name: string, text: string): RecordedRun {
  const paragraphs = text.trim().split("\n\n");
  const tables = paragraphs.flatMap((paragraph, index) =>
    paragraph.startsWith("|")
      ? [{ caption: paragraphs[index - 1] ?? "", rows: parseTable(paragraph) }]
      : [],
  );
  return { name, text, tables };
}

function parseTable(table: string): Record<string, string>[] {
  const [head = [], , ...body] = table.split("\n").map(readCells);
  return body.map((cells) =>
    Object.fromEntries(head.map((column, index) => [column, cells[index] ?? ""])),
  );
}

function readCells(line: string): string[] {
  return line
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim());
}

/** Throws when the run has no such table, so that no page is made without it. */
export function findTable({ name, tables }: RecordedRun, caption: string): RecordedTable {
  const found = tables.find((table) => table.caption.startsWith(caption));
  if (found === undefined) throw new Error(`The recorded run "${name}" has no table "${caption}"`);
  return found;
}

/** A table as the run has it. */
export function copyTable(run: RecordedRun, caption: string): string {
  const { rows } = findTable(run, caption);
  return formatMarkdownTable([Object.keys(rows[0] ?? {}), ...rows.map(Object.values)]);
}

/** Tables as the run has them, each under its caption. */
export function copyCaptioned(run: RecordedRun, captions: readonly string[]): string {
  return captions
    .map((caption) => `${findTable(run, caption).caption}:\n\n${copyTable(run, caption)}`)
    .join("\n\n");
}

/** The paragraph that contains the words. */
export function findParagraph({ name, text }: RecordedRun, words: string): string {
  const found = text.split("\n\n").find((paragraph) => paragraph.includes(words));
  if (found === undefined) throw new Error(`The recorded run "${name}" does not say "${words}"`);
  return found;
}

/** `row` is the first cell of its row. Throws when the figure is missing: the page would be wrong. */
export function findFigure(
  run: RecordedRun,
  caption: string,
  row: string,
  column = "per second",
): number {
  const { rows } = findTable(run, caption);
  const value = rows.find((cells) => Object.values(cells)[0] === row)?.[column];
  const figure = Number(value?.replaceAll(",", "") ?? Number.NaN);
  if (!Number.isFinite(figure)) {
    throw new Error(
      `The recorded run "${run.name}" has no "${column}" of "${row}" in "${caption}"`,
    );
  }
  return figure;
}

/** A figure in a sentence: the first group of the pattern. */
export function findInText({ name, text }: RecordedRun, pattern: RegExp): number {
  const [, value] = pattern.exec(text) ?? [];
  if (value === undefined) throw new Error(`The recorded run "${name}" has no ${pattern}`);
  return Number(value.replaceAll(",", ""));
}
