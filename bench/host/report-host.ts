import { count, describeRun, tableOf, type ReportStyle } from "../tables.ts";

export interface PushRow {
  readonly scenario: string;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
}

export interface StateRow {
  readonly after: string;
  readonly residentMegabytes: number;
  readonly openFiles: number;
}

export interface HostReport {
  readonly instances: number;
  readonly active: number;
  readonly startSeconds: number;
  readonly pushes: readonly PushRow[];
  readonly states: readonly StateRow[];
}

export function renderHostReport(report: HostReport, style: ReportStyle): string {
  const table = tableOf(style);
  return [
    describeRun("Server and load generator not pinned."),
    `${count(report.instances)} instances on SQLite, ${count(report.active)} of them active and open at once; ready after ${report.startSeconds.toFixed(2)} s.`,
    "Pushes of 100 operations",
    table(
      ["scenario", "pushes/s", "p50 ms", "p99 ms"],
      report.pushes.map(({ scenario, perSecond, p50, p99 }) => [
        scenario,
        perSecond.toFixed(0),
        p50.toFixed(1),
        p99.toFixed(1),
      ]),
    ),
    "The server process",
    table(
      ["after", "resident MB", "open files"],
      report.states.map(({ after, residentMegabytes, openFiles }) => [
        after,
        residentMegabytes.toFixed(0),
        count(openFiles),
      ]),
    ),
  ].join("\n\n");
}
