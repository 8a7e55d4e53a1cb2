/** The figures of a run of the sync benchmark, as text and for the documentation. */
import { describeMachine, markdownTable, spread, textTable } from "../report.ts";
import type { SyncComparison } from "./measure-sync.ts";

export const SYNC_TARGETS = {
  pushOne: 0.4,
  pushMany: 0.6,
  pull: 0.5,
  flat: 0.8,
  residentMegabytes: 150,
};

export interface SyncRow {
  readonly scenario: string;
  readonly target: number | null;
  readonly comparison: SyncComparison;
}

export interface MemoryRow {
  readonly after: string;
  readonly residentMegabytes: number;
  readonly peakMegabytes: number;
}

export interface SyncReport {
  readonly date: string;
  readonly isPinned: boolean;
  readonly smallLog: number;
  readonly largeLog: number;
  readonly entities: number;
  readonly againstBare: readonly SyncRow[];
  readonly againstSmall: readonly SyncRow[];
  readonly device: { readonly perSecond: number; readonly cpuMicroseconds: number };
  readonly snapshot: { readonly megabytes: number; readonly seconds: number };
  readonly memory: readonly MemoryRow[];
}

export function renderSyncReport(report: SyncReport, style: "text" | "markdown"): string {
  const table = style === "markdown" ? markdownTable : textTable;
  const head = (unit: string, base: string) => [
    unit,
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
  const { device, snapshot } = report;
  return [
    `${report.date} · ${describeMachine()} · Node ${process.versions.node}. ${report.isPinned ? "Server and load on a core each." : "Server and load not pinned: fewer than two cores, or no taskset."}`,
    "The service over HTTP against bare `node:sqlite` in a process of its own with the same rows and settings (WAL, `synchronous=FULL`); 1.00 would be as fast",
    table(head("scenario", "bare"), report.againstBare.map(cells)),
    `A log of ${count(report.largeLog)} operations against one of ${count(report.smallLog)}`,
    table(head("scenario", "short log"), report.againstSmall.map(cells)),
    `\`GET /v1/device\`: ${device.perSecond.toFixed(0)} per second, ${device.cpuMicroseconds.toFixed(0)} µs of processor time each. Snapshot of ${count(report.entities)} entities: ${snapshot.megabytes.toFixed(0)} MB in ${snapshot.seconds.toFixed(1)} s`,
    `Resident memory of the server with the long log (target ${SYNC_TARGETS.residentMegabytes} MB)`,
    table(
      ["after", "resident MB", "peak MB", ""],
      report.memory.map(({ after, residentMegabytes, peakMegabytes }) => [
        after,
        residentMegabytes.toFixed(0),
        peakMegabytes.toFixed(0),
        peakMegabytes > SYNC_TARGETS.residentMegabytes ? "above target" : "",
      ]),
    ),
  ].join("\n\n");
}

function cells({ scenario, target, comparison }: SyncRow): string[] {
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

function count(number: number): string {
  return number.toLocaleString("en");
}
