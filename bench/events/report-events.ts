import { median, type Measured } from "../measure.ts";
import {
  comparisonTable,
  count,
  describePinnedRun,
  describeRun,
  memoryTable,
  tableOf,
  type ComparisonRow,
  type MemoryRow,
  type ReportStyle,
} from "../tables.ts";
import type { ImportFigures } from "./measure-import.ts";

export const EVENTS_TARGETS = { bare: 0.5, flat: 0.8, residentMegabytes: 150 };

export interface EventsReport {
  readonly bareDescription: string;
  readonly commitDescription: string;
  /** Whether server and load were pinned where that is possible. */
  readonly hasOwnCores: boolean;
  /** Several server processes on one database against one. */
  readonly processes: readonly ComparisonRow[];
  readonly small: number;
  readonly large: number;
  /** The size of the store with the many events, and of the plain table with the same events. */
  readonly storeMegabytes: number;
  readonly plainMegabytes: number;
  readonly againstBare: readonly ComparisonRow[];
  readonly againstSmall: readonly ComparisonRow[];
  readonly tokens: readonly Measured[];
  readonly imports: readonly ImportFigures[];
  readonly memory: readonly MemoryRow[];
}

export function renderEventsReport(report: EventsReport, style: ReportStyle): string {
  const table = tableOf(style);
  return [
    report.hasOwnCores
      ? describePinnedRun()
      : describeRun("Server, load and database share the cores."),
    `\`GET /api/events?limit=500\` against ${report.bareDescription}, both with ${count(report.small)} events; 1.00 would be as fast`,
    comparisonTable(table, "bare", report.againstBare),
    `${count(report.large)} stored events of one account against ${count(report.small)}`,
    comparisonTable(table, "few", report.againstSmall),
    ...(report.processes.length === 0
      ? []
      : ["Several processes against one", comparisonTable(table, "one", report.processes)]),
    `The store of ${count(report.large)} events has ${report.storeMegabytes.toFixed(0)} MB, a plain table of the same with its two indexes ${report.plainMegabytes.toFixed(0)} MB`,
    `Token exchange, and what \`node:http\` and ${report.commitDescription} take alone`,
    table(
      ["what", "per second", "CPU µs"],
      report.tokens.map(({ name, rates, cpuMicroseconds }) => [
        name,
        median(rates).toFixed(0),
        cpuMicroseconds.toFixed(0),
      ]),
    ),
    "`trellis events import` of a calendar, the whole process",
    table(
      ["run", "entries", "file MB", "seconds", "CPU s", "peak MB"],
      report.imports.map((row) => [
        row.run,
        count(row.entries),
        row.fileMegabytes.toFixed(1),
        row.seconds.toFixed(1),
        row.cpuSeconds.toFixed(1),
        row.peakMegabytes.toFixed(0),
      ]),
    ),
    `Resident memory of the server with ${count(report.large)} events (target ${EVENTS_TARGETS.residentMegabytes} MB)`,
    memoryTable(table, report.memory, EVENTS_TARGETS.residentMegabytes),
  ].join("\n\n");
}
