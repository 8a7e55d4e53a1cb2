import type { Ratio } from "../measure.ts";
import { count, describeRun, spread, tableOf, type ReportStyle } from "../tables.ts";

export interface AttackRow {
  readonly attack: string;
  /** Requests of the attackers per second; null for connections that are held. */
  readonly attacksPerSecond: number | null;
  readonly pullsPerSecond: number;
  readonly p99: number;
  readonly ratio: Ratio;
  /** Responses to the legitimate device that are not 2xx. */
  readonly refused: number;
  readonly serverErrors: number;
  readonly target: number | null;
}

export interface AttackedServer {
  readonly name: string;
  readonly rows: readonly AttackRow[];
}

export interface StalledReaders {
  readonly readers: number;
  readonly snapshotMegabytes: number;
  readonly residentMegabytes: { readonly before: number; readonly during: number };
}

export interface AttackReport {
  readonly connections: number;
  readonly rounds: number;
  readonly servers: readonly AttackedServer[];
  readonly stalled: StalledReaders;
}

export function renderAttackReport(report: AttackReport, style: ReportStyle): string {
  const { connections, rounds, servers, stalled } = report;
  const { before, during } = stalled.residentMegabytes;
  return [
    describeRun("Server, attackers and device share the cores."),
    `Pulls of one device while ${connections} connections attack, against the same under the control flood; medians of ${rounds} rounds`,
    ...servers.flatMap(({ name, rows }) => [`On ${name}`, attackTable(rows, style)]),
    `${stalled.readers} stalled readers of a snapshot of ${stalled.snapshotMegabytes.toFixed(1)} MB: ${before.toFixed(0)} MB resident before, ${during.toFixed(0)} MB with them`,
  ].join("\n\n");
}

function attackTable(rows: readonly AttackRow[], style: ReportStyle): string {
  const head = [
    "attack",
    "attacks/s",
    "pulls/s",
    "p99 ms",
    "ratio",
    "middle half",
    "not 2xx",
    "5xx",
  ];
  return tableOf(style)(
    [...head, "target", ""],
    rows.map((row) => [
      row.attack,
      row.attacksPerSecond?.toFixed(0) ?? "held",
      row.pullsPerSecond.toFixed(0),
      row.p99.toFixed(1),
      row.ratio.median.toFixed(2),
      spread(row.ratio),
      count(row.refused),
      count(row.serverErrors),
      row.target?.toFixed(2) ?? "",
      isMissed(row) ? "missed" : "",
    ]),
  );
}

/** A target includes that the device never meets an error of the server. */
function isMissed({ target, ratio, serverErrors }: AttackRow): boolean {
  return target !== null && (ratio.median < target || serverErrors > 0);
}
