import {
  comparisonTable,
  describePinnedRun,
  tableOf,
  type ComparisonRow,
  type ReportStyle,
} from "../tables.ts";
import type { HistoryReport } from "./measure-history.ts";

export const RELEASE_TARGETS = {
  bare: 0.8,
  catalog: 0.95,
  feeds: 0.8,
  loadSeconds: 2,
  residentMegabytes: 250,
  commandSeconds: 1,
  wholeSeconds: 2,
};

export interface CatalogLoad {
  /** The number of releases, and what they have. */
  readonly releases: string;
  /** The time of reading, checking and preparing the catalogue. */
  readonly loadSeconds: number;
  /** The time from the start of the process to its first response. */
  readonly startSeconds: number;
  readonly residentMegabytes: number;
  readonly peakMegabytes: number;
}

export interface ReleaseReport {
  readonly againstBare: readonly ComparisonRow[];
  /** Empty where nginx is not installed. */
  readonly againstNginx: readonly ComparisonRow[];
  readonly againstSmall: readonly ComparisonRow[];
  readonly loads: readonly CatalogLoad[];
  readonly history: HistoryReport;
}

export function renderReleaseReport(report: ReleaseReport, style: ReportStyle): string {
  const table = tableOf(style);
  const { loadSeconds, residentMegabytes } = RELEASE_TARGETS;
  return [
    describePinnedRun(),
    "Trellis against a bare `node:http` server with the same bytes",
    comparisonTable(table, "bare", report.againstBare),
    ...(report.againstNginx.length === 0
      ? []
      : [
          "Trellis against nginx on the exported tree",
          comparisonTable(table, "nginx", report.againstNginx),
        ]),
    "10,000 releases against 10",
    comparisonTable(table, "10 releases", report.againstSmall),
    `Loading the catalogue (median of three, target ${loadSeconds} s), the whole start of the process up to its first response, and resident memory after it (target ${residentMegabytes} MB)`,
    table(
      ["releases", "load s", "start s", "resident MB", "peak MB", ""],
      report.loads.map((row) => [
        row.releases,
        row.loadSeconds.toFixed(2),
        row.startSeconds.toFixed(2),
        row.residentMegabytes.toFixed(0),
        row.peakMegabytes.toFixed(0),
        row.loadSeconds < loadSeconds && row.residentMegabytes < residentMegabytes
          ? ""
          : "above target",
      ]),
    ),
    ...renderHistory(report.history, style),
  ].join("\n\n");
}

function renderHistory({ histories, commands }: HistoryReport, style: ReportStyle): string[] {
  const table = tableOf(style);
  const { commandSeconds, wholeSeconds } = RELEASE_TARGETS;
  return [
    "The manifest, and the processor time of a client's update check without the network (median)",
    table(
      ["releases", "bytes", "gzip bytes", "check ms"],
      histories.map((row) => [
        row.releases,
        String(row.manifestBytes),
        String(row.gzipBytes),
        row.checkMilliseconds.toFixed(1),
      ]),
    ),
    "Processor time of commands on the longest history; the target is higher for what reads all of it",
    table(
      ["command", "CPU s", "target", ""],
      commands.map(({ command, cpuSeconds, readsAll }) => {
        const target = readsAll ? wholeSeconds : commandSeconds;
        const mark = cpuSeconds < target ? "" : "above target";
        return [command, cpuSeconds.toFixed(2), String(target), mark];
      }),
    ),
  ];
}
