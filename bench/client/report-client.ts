import type { Comparison } from "../measure.ts";
import { describeRun, spread, tableOf, type ReportStyle, type Table } from "../tables.ts";
import type { BundleSize } from "./bundle-size.ts";

const TARGET_LIVE_MS = 100;
/** With collections. */
const TARGET_COMPRESSED_KILOBYTES = 30;
/** Times of Dexie. */
const TARGET_ALL = 2;
const TARGET_FIRST = 3;

export interface StorageRow {
  readonly scenario: string;
  readonly storage: "SQLite" | "IndexedDB";
  readonly comparison: Comparison;
}

export interface GrowthRow {
  readonly scenario: string;
  readonly ratio: number;
  /** The greatest ratio that is allowed. */
  readonly bound: number;
}

export interface PeerRow {
  readonly name: string;
  /** The times from an edit on one device until the other shows it, in milliseconds. */
  readonly live: readonly number[];
  readonly firstSyncSeconds: number;
  readonly bundle: BundleSize;
}

export interface PeerReport {
  readonly documents: number;
  readonly rows: readonly PeerRow[];
  readonly local: LocalReport;
  readonly opening: OpeningReport;
}

export interface LocalResult {
  readonly editsPerSecond: number;
  /** An edit and the list of all documents after it count as one. */
  readonly listsPerSecond: number;
}

export interface LocalReport {
  readonly documents: number;
  readonly rows: readonly (LocalResult & { readonly name: string })[];
}

/** What opening an app costs its page; times are those of the main thread. */
export interface OpeningResult {
  readonly name: string;
  readonly importSeconds: number;
  readonly allMs: number;
  readonly firstMs: number;
  readonly megabytes: number;
}

export interface OpeningReport {
  readonly documents: number;
  /** Trellis is the first. */
  readonly rows: readonly OpeningResult[];
}

export interface ClientReport {
  readonly storages: readonly StorageRow[];
  readonly growth: readonly GrowthRow[];
  readonly live: { readonly client: readonly number[]; readonly bare: readonly number[] };
  readonly bundle: BundleSize;
  readonly peers: PeerReport | null;
}

export function renderClientReport(report: ClientReport, style: ReportStyle): string {
  const table = tableOf(style);
  const { bundle, peers } = report;
  return [
    describeRun("Devices, server and browser share the cores."),
    "The client against the bare storage with the same writes in the same transactions; 1.00 would be as fast",
    storageTable(table, report.storages),
    "How many times as long the client takes on SQLite",
    growthTable(table, report.growth),
    `From an edit on one device until the other shows it, over loopback, against a bare relay (target ${TARGET_LIVE_MS} ms at the median)`,
    liveTable(table, report.live),
    `In a browser bundle the sync client has ${bundle.kilobytes.toFixed(1)} KB, compressed ${bundle.compressedKilobytes.toFixed(1)} KB (target ${TARGET_COMPRESSED_KILOBYTES} KB)${bundle.compressedKilobytes > TARGET_COMPRESSED_KILOBYTES ? ": above target" : ""}`,
    ...(peers === null
      ? []
      : [
          `Other libraries: an edit on one device visible on the other, a first sync of ${peers.documents.toLocaleString("en")} documents, and the size in a browser bundle`,
          peerTable(table, peers.rows),
          `Local edits in Chromium on IndexedDB, one after the other: ${peers.local.documents.toLocaleString("en")} new documents, then each followed by a list of all. TinyBase does not wait for the disk, and only Trellis asks for strict durability`,
          localTable(table, peers.local),
          `Opening ${peers.opening.documents.toLocaleString("en")} rows with three indexes in Chromium: processor time of the main thread until all are listed (target ${TARGET_ALL.toFixed(1)} times Dexie), and the latest 100 by date (target ${TARGET_FIRST.toFixed(1)} times); memory with all of them; and importing them`,
          openingTable(table, peers.opening),
        ]),
  ].join("\n\n");
}

function storageTable(table: Table, rows: readonly StorageRow[]): string {
  return table(
    ["scenario", "storage", "per second", "bare/s", "ratio", "middle half"],
    rows.map(({ scenario, storage, comparison: { perSecond, basePerSecond, ratio } }) => [
      scenario,
      storage,
      perSecond.toFixed(0),
      basePerSecond.toFixed(0),
      ratio.median.toFixed(2),
      spread(ratio),
    ]),
  );
}

function growthTable(table: Table, rows: readonly GrowthRow[]): string {
  return table(
    ["scenario", "ratio", "at most", ""],
    rows.map(({ scenario, ratio, bound }) => [
      scenario,
      ratio.toFixed(2),
      bound.toFixed(2),
      ratio > bound ? "above target" : "",
    ]),
  );
}

function liveTable(table: Table, { client, bare }: ClientReport["live"]): string {
  const isLate = percentile(client, 0.5) > TARGET_LIVE_MS;
  return table(
    ["what", "edits", "median ms", "95 % within ms", ""],
    [
      ["sync client with live changes", client, isLate ? "above target" : ""] as const,
      ["bare relay", bare, ""] as const,
    ].map(([what, times, note]) => [
      what,
      String(times.length),
      percentile(times, 0.5).toFixed(1),
      percentile(times, 0.95).toFixed(1),
      note,
    ]),
  );
}

function peerTable(table: Table, rows: readonly PeerRow[]): string {
  return table(
    [
      "library",
      "visible after, median ms",
      "95 % within ms",
      "first sync s",
      "KB",
      "compressed KB",
    ],
    rows.map(({ name, live, firstSyncSeconds, bundle }) => [
      name,
      percentile(live, 0.5).toFixed(1),
      percentile(live, 0.95).toFixed(1),
      firstSyncSeconds.toFixed(2),
      bundle.kilobytes.toFixed(0),
      bundle.compressedKilobytes.toFixed(1),
    ]),
  );
}

function localTable(table: Table, { rows }: LocalReport): string {
  return table(
    ["library", "edits per second", "edits with a list per second"],
    rows.map(({ name, editsPerSecond, listsPerSecond }) => [
      name,
      editsPerSecond.toFixed(0),
      listsPerSecond.toFixed(0),
    ]),
  );
}

function openingTable(table: Table, { rows }: OpeningReport): string {
  const base = rows.at(-1);
  const isLate = ({ allMs, firstMs }: OpeningResult) =>
    base !== undefined &&
    (allMs > TARGET_ALL * base.allMs || firstMs > TARGET_FIRST * base.firstMs);
  return table(
    ["library", "all, ms", "first 100, ms", "MB", "import s", ""],
    rows.map((row) => [
      row.name,
      row.allMs.toFixed(0),
      row.firstMs.toFixed(0),
      row.megabytes.toFixed(1),
      row.importSeconds.toFixed(1),
      isLate(row) ? "above target" : "",
    ]),
  );
}

function percentile(times: readonly number[], part: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}
