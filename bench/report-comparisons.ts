/** Tables that several benchmarks have. */
import type { Comparison } from "./measure.ts";
import { residentMegabytes } from "./processes.ts";
import { describeMachine, spread } from "./report.ts";

export type Table = (head: readonly string[], rows: readonly (readonly string[])[]) => string;

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

export function describeRun(date: string, placement: string): string {
  return `${date} · ${describeMachine()} · Node ${process.versions.node}. ${placement}`;
}

export function count(number: number): string {
  return number.toLocaleString("en");
}
