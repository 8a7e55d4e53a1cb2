import {
  comparisonTable,
  count,
  describeRun,
  memoryTable,
  tableOf,
  type ComparisonRow,
  type MemoryRow,
  type ReportStyle,
} from "../tables.ts";

export const SYNC_TARGETS = {
  sqlite: { pushOne: 0.45, pushMany: 0.6, pull: 0.6, flat: 0.8 },
  postgres: { pushOne: 0.55, pushMany: 0.75, pull: 0.6, flat: 0.8 },
};
/** A push may take three times as long. */
export const MANY_FIELDS_TARGET = 1 / 3;
const RESIDENT_MEGABYTES = 180;

export interface SyncReport {
  readonly bareDescription: string;
  /** Rates of more clients against fewer, and of several server processes on one database against one. */
  readonly clients: readonly ComparisonRow[];
  readonly processes: readonly ComparisonRow[];
  readonly smallLog: number;
  readonly largeLog: number;
  readonly entities: number;
  readonly againstBare: readonly ComparisonRow[];
  readonly againstSmall: readonly ComparisonRow[];
  /** An entity of many fields against one of few. */
  readonly manyFields: ComparisonRow;
  readonly device: { readonly perSecond: number; readonly cpuMicroseconds: number };
  readonly snapshot: { readonly megabytes: number; readonly seconds: number };
  readonly memory: readonly MemoryRow[];
}

export function renderSyncReport(report: SyncReport, style: ReportStyle): string {
  const table = tableOf(style);
  const { device, snapshot } = report;
  return [
    describeRun("Server and load share the cores."),
    `The service over HTTP against ${report.bareDescription}; 1.00 would be as fast`,
    comparisonTable(table, "bare", report.againstBare),
    `A log of ${count(report.largeLog)} operations against one of ${count(report.smallLog)}`,
    comparisonTable(table, "short log", report.againstSmall),
    "An entity of many fields against one of few",
    comparisonTable(table, "few fields", [report.manyFields]),
    `\`GET /v1/device\`: ${device.perSecond.toFixed(0)} per second, ${device.cpuMicroseconds.toFixed(0)} µs of processor time each. Snapshot of ${count(report.entities)} entities: ${snapshot.megabytes.toFixed(0)} MB in ${snapshot.seconds.toFixed(1)} s`,
    ...(report.clients.length === 0
      ? []
      : ["More clients against fewer", comparisonTable(table, "fewer", report.clients)]),
    ...(report.processes.length === 0
      ? []
      : ["Several processes against one", comparisonTable(table, "one", report.processes)]),
    `Resident memory of the server with the long log (target ${RESIDENT_MEGABYTES} MB)`,
    memoryTable(table, report.memory, RESIDENT_MEGABYTES),
  ].join("\n\n");
}
