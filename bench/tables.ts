/** The tables of the reports, as plain text and as Markdown. */
import { arch, availableParallelism, cpus, release as kernel, type as system } from "node:os";
import { formatMarkdownTable } from "../scripts/page-blocks.ts";
import { formatTable } from "../src/cli/format.ts";
import type { Comparison, Ratio } from "./measure.ts";
import { MEASURED_COMMIT, UNCOMMITTED } from "./measured-commit.ts";
import { isPinned, residentMegabytes } from "./processes.ts";

export type ReportStyle = "text" | "markdown";

export type Table = (head: readonly string[], rows: readonly (readonly string[])[]) => string;

export function tableOf(style: ReportStyle): Table {
  return style === "markdown" ? (head, rows) => formatMarkdownTable([head, ...rows]) : textTable;
}

export interface ComparisonRow {
  readonly scenario: string;
  readonly target: number | null;
  readonly comparison: Comparison;
}

/** `base` is what the others are compared with. */
export function comparisonTable(
  table: Table,
  base: string,
  rows: readonly ComparisonRow[],
): string {
  const head = [
    "scenario",
    "per second",
    "CPU µs",
    `${base}/s`,
    `${base} CPU µs`,
    "ratio",
    "middle half",
    "CPU ratio",
    "target",
    "",
  ];
  return table(head, rows.map(comparisonCells));
}

function comparisonCells({ scenario, target, comparison }: ComparisonRow): string[] {
  const { ratio } = comparison;
  return [
    scenario,
    comparison.perSecond.toFixed(0),
    comparison.cpuMicroseconds.toFixed(0),
    comparison.basePerSecond.toFixed(0),
    comparison.baseCpuMicroseconds.toFixed(0),
    ratio.median.toFixed(2),
    spread(ratio),
    (comparison.baseCpuMicroseconds / comparison.cpuMicroseconds).toFixed(2),
    target === null ? "" : target.toFixed(2),
    target !== null && ratio.median < target ? "below target" : "",
  ];
}

export interface MemoryRow {
  readonly after: string;
  readonly residentMegabytes: number;
  readonly peakMegabytes: number;
}

export function readMemory(after: string, pid: number): MemoryRow {
  const { now, peak } = residentMegabytes(pid);
  return { after, residentMegabytes: now, peakMegabytes: peak };
}

export function memoryTable(table: Table, rows: readonly MemoryRow[], target: number): string {
  return table(
    ["after", "resident MB", "peak MB", ""],
    rows.map(({ after, residentMegabytes: now, peakMegabytes: peak }) => [
      after,
      now.toFixed(0),
      peak.toFixed(0),
      peak > target ? "above target" : "",
    ]),
  );
}

export function describeRun(placement: string): string {
  const commit = `Commit ${MEASURED_COMMIT}${UNCOMMITTED === "" ? "" : " and uncommitted changes"}`;
  const minutes = (process.uptime() / 60).toFixed(1);
  return `${commit} · ${today()} · ${describeMachine()} · Node ${process.versions.node} · ${minutes} minutes. ${placement}`;
}

/** Describes a run whose server and load generator are pinned where that is possible. */
export function describePinnedRun(): string {
  return describeRun(
    isPinned
      ? "Server and load generator on a core each."
      : "Server and load generator not pinned: fewer than two cores, or no taskset.",
  );
}

export function today(): string {
  return new Date().toISOString().slice(0, 10);
}

export function count(number: number): string {
  return number.toLocaleString("en");
}

function describeMachine(): string {
  const model = cpus()[0]?.model.trim() ?? "unknown processor";
  return `${model}, ${availableParallelism()} cores, ${system()} ${kernel()} ${arch()}`;
}

export function spread({ low, high }: Ratio): string {
  return `${low.toFixed(2)} to ${high.toFixed(2)}`;
}

function textTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return formatTable([head, ...rows]).join("\n");
}
