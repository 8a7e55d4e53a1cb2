import { comparisonTable, count, describeRun, tableOf, type ReportStyle } from "../tables.ts";
import type { ServicesReport } from "./measure-services.ts";
import type { StreamsReport } from "./measure-streams.ts";
import type { PeersReport } from "./peers/measure-peers.ts";
import { renderPeers } from "./peers/report-peers.ts";

export interface ServeReport extends ServicesReport {
  readonly streams: StreamsReport;
  /** Null without `--peers`. */
  readonly peers: PeersReport | null;
}

export function renderServeReport(report: ServeReport, style: ReportStyle): string {
  const table = tableOf(style);
  const { streams, connections, workers, peers } = report;
  return [
    describeRun("Server and load share the cores."),
    "Start-up, and memory at rest, each service with a small store on SQLite",
    table(
      ["server of", "first response after s", "resident MB"],
      report.rest.map(({ service, startSeconds, restMegabytes }) => [
        service,
        startSeconds.toFixed(2),
        restMegabytes.toFixed(0),
      ]),
    ),
    `Response times with ${connections} clients, each of which asks again at once`,
    table(
      ["scenario", "per second", "p50 ms", "p99 ms"],
      report.latencies.map(({ scenario, perSecond, p50, p99 }) => [
        scenario,
        perSecond.toFixed(0),
        p50.toFixed(1),
        p99.toFixed(1),
      ]),
    ),
    `\`--workers ${workers}\` against one process, ${connections} clients`,
    comparisonTable(table, "one", report.againstOne),
    `Open streams of live changes, ${count(streams.streams)} of them after ${streams.openSeconds.toFixed(1)} s`,
    table(
      ["what", "without streams", "with all of them"],
      [
        ["resident MB", streams.megabytes.before.toFixed(0), streams.megabytes.open.toFixed(0)],
        [
          "processor time of a push of 100, ms",
          streams.cpu.without.toFixed(1),
          streams.cpu.open.toFixed(1),
        ],
        ["every stream has its event after, median ms", "", streams.seenMs.toFixed(0)],
      ],
    ),
    ...(peers === null ? [] : renderPeers(table, peers)),
  ].join("\n\n");
}
