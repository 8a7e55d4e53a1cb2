import { count, describeRun, tableOf, type ReportStyle, type Table } from "../tables.ts";

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

export interface FileHostReport {
  readonly instances: number;
  readonly active: number;
  readonly startSeconds: number;
  readonly pushes: readonly PushRow[];
  readonly states: readonly StateRow[];
}

export interface DatabaseStateRow {
  readonly after: string;
  /** Tables, indexes and sequences. */
  readonly relations: number;
  readonly connections: number;
  readonly databaseMegabytes: number;
  /** Of the process that has most. */
  readonly residentMegabytes: number;
}

/** How long the instances of a process that ended wait for the others. */
export interface TakeoverRow {
  readonly how: string;
  readonly instances: number;
  readonly medianMs: number;
  readonly lastMs: number;
}

export interface PostgresHostReport {
  readonly version: string;
  readonly instances: number;
  readonly active: number;
  readonly processes: number;
  readonly addSeconds: number;
  /** From the last command until all processes serve what it added. */
  readonly servedMs: number;
  readonly pushes: readonly PushRow[];
  readonly states: readonly DatabaseStateRow[];
  readonly dump: { readonly seconds: number; readonly megabytes: number } | null;
  readonly takeovers: readonly TakeoverRow[];
}

export type HostReport =
  | ({ readonly kind: "files" } & FileHostReport)
  | ({ readonly kind: "postgres" } & PostgresHostReport);

export function renderFileHost(report: FileHostReport, style: ReportStyle): string {
  const table = tableOf(style);
  return [
    describeRun("Server and load generator not pinned."),
    `${count(report.instances)} instances on SQLite, ${count(report.active)} of them active and open at once; ready after ${report.startSeconds.toFixed(2)} s.`,
    ...pushesTable(table, report.pushes),
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

export function renderPostgresHost(report: PostgresHostReport, style: ReportStyle): string {
  const table = tableOf(style);
  const { dump } = report;
  return [
    describeRun("Servers, PostgreSQL and load generator share the cores."),
    `${count(report.instances)} instances in one database (PostgreSQL ${report.version}, \`fsync=on\`), ${count(report.active)} of them active, ${report.processes} processes. The instances were added in ${report.addSeconds.toFixed(1)} s, and all processes served the last of them ${report.servedMs.toFixed(0)} ms later.`,
    ...pushesTable(table, report.pushes),
    "The database, and the process with the most memory",
    table(
      ["after", "relations", "connections", "database MB", "resident MB"],
      report.states.map((state) => [
        state.after,
        count(state.relations),
        count(state.connections),
        state.databaseMegabytes.toFixed(0),
        state.residentMegabytes.toFixed(0),
      ]),
    ),
    dump === null
      ? "No dump: `pg_dump` is not installed."
      : `\`pg_dump\` with its default settings: ${dump.seconds.toFixed(1)} s, ${dump.megabytes.toFixed(0)} MB.`,
    "Pushes to the instances of a process that ends, at the other processes",
    table(
      ["the process is", "instances", "half of them acknowledged after ms", "all after ms"],
      report.takeovers.map(({ how, instances, medianMs, lastMs }) => [
        how,
        count(instances),
        medianMs.toFixed(0),
        lastMs.toFixed(0),
      ]),
    ),
  ].join("\n\n");
}

function pushesTable(table: Table, rows: readonly PushRow[]): string[] {
  return [
    "Pushes of 100 operations",
    table(
      ["scenario", "pushes/s", "p50 ms", "p99 ms"],
      rows.map(({ scenario, perSecond, p50, p99 }) => [
        scenario,
        perSecond.toFixed(0),
        p50.toFixed(1),
        p99.toFixed(1),
      ]),
    ),
  ];
}
