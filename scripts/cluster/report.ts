import { count, describeRun, tableOf, type ReportStyle } from "../../bench/tables.ts";
import type { KillsReport } from "./kill-primaries.ts";
import type { LossReport } from "./fail-lossily.ts";

export interface ClusterReport {
  readonly versions: readonly string[];
  readonly ways: readonly string[];
  readonly instances: number;
  readonly devices: number;
  readonly kills: KillsReport;
  readonly loss: LossReport;
}

export function renderClusterReport(report: ClusterReport, style: ReportStyle): string {
  const { kills, loss } = report;
  const table = tableOf(style);
  const seconds = (value: number) => value.toFixed(1);
  return [
    describeRun("All programs and devices on this machine."),
    `Three nodes under Patroni, one etcd, HAProxy and PgBouncer: ${report.versions.join(", ")}. Four Trellis processes, which reach the primary through ${report.ways.join("; ")}. ${report.instances} instances, at most six of them open in a process.`,
    `Primaries killed, with synchronous commits: ${report.devices} devices pushed 20 operations at a time for ${kills.seconds.toFixed(0)} s. ${count(kills.acknowledged)} operations acknowledged, ${count(kills.lost)} lost, ${count(kills.doubled)} doubled.`,
    table(
      [
        "kill -9 of",
        "another primary after s",
        "it commits after s",
        "every device pushes after s",
      ],
      kills.kills.map(({ node, isMachine, promotedSeconds, committedSeconds, pushedSeconds }) => [
        isMachine ? `${node}, with its Patroni` : node,
        seconds(promotedSeconds),
        seconds(committedSeconds),
        seconds(pushedSeconds),
      ]),
    ),
    "Responses other than 200 in that time",
    table(
      ["response", "times"],
      [...kills.refusals].toSorted().map(([refusal, times]) => [refusal, count(times)]),
    ),
    `A lossy failover, with commits that wait for no replica: of ${count(loss.acknowledged)} acknowledged operations the promoted server lacked ${count(loss.lacking)}. It was the primary after ${seconds(loss.promotedSeconds)} s; after ${seconds(loss.healedSeconds)} s all devices were in sync.`,
    table(
      ["instance", "lacking", "processes that logged store_was_behind", "not seen by a new device"],
      loss.instances.map(({ instance, lacking, told, missing }) => [
        instance,
        count(lacking),
        count(told),
        count(missing),
      ]),
    ),
  ].join("\n\n");
}
