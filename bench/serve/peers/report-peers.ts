import { spread, type Table } from "../../tables.ts";
import type { PeerServerRow, PeersReport } from "./measure-peers.ts";

/** Captions and tables of what `--peers` has measured. */
export function renderPeers(table: Table, report: PeersReport): string[] {
  const { connections, pushes, pages, releases, missing } = report;
  const tableOfRows = (does: string, rows: readonly PeerServerRow[]) =>
    table(
      ["server", does, "per second", "CPU µs", "p99 ms", "resident MB", "ratio", "middle half"],
      rows.map(peerCells),
    );
  return [
    `Pushes of 100 operations from ${connections} clients; the ratio is that of Trellis to the server`,
    tableOfRows("what a push does", pushes),
    `Pages of 500 operations to ${connections} clients; the ratio is that of Trellis to the server`,
    tableOfRows("what a page is", pages),
    `The latest release to ${connections} clients; the ratio is that of Trellis to the server`,
    tableOfRows("what it serves", releases),
    ...missing,
  ];
}

function peerCells(row: PeerServerRow, index: number): string[] {
  const isOwn = index === 0;
  return [
    row.name,
    row.does,
    row.perSecond.toFixed(0),
    row.cpuMicroseconds.toFixed(0),
    row.p99.toFixed(1),
    row.residentMegabytes.toFixed(0),
    isOwn ? "" : row.ratio.median.toFixed(2),
    isOwn ? "" : spread(row.ratio),
  ];
}
