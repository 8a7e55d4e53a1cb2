/** The tables of `docs/benchmarks.md`, from the runs in `bench/recorded`. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { measureClientBundle } from "../bench/client/bundle-size.ts";
import type { GeneratedFile } from "./bundle-web.ts";
import { formatMarkdownTable, replaceBlock } from "./page-blocks.ts";
import {
  copyCaptioned,
  copyTable,
  findInText,
  findTable,
  readRecordedRun,
  type RecordedRun,
  type RecordedTable,
} from "./recorded-run.ts";

const PAGE = "docs/benchmarks.md";

/** What is compared with what, and where the figures are: a run, and how the caption of its table begins. */
const RATIOS: readonly (readonly [what: string, run: string, caption: string])[] = [
  ["releases, against bare `node:http`", "release", "Trellis against a bare"],
  ["releases, against nginx on the exported files", "release", "Trellis against nginx"],
  ["10,000 releases, against 10", "release", "10,000 releases"],
  ["sync on SQLite, against bare SQLite", "sync", "The service over HTTP"],
  ["sync on SQLite, a log of 1,000,000 against 10,000", "sync", "A log of"],
  ["sync on PostgreSQL, against bare PostgreSQL", "sync-postgres", "The service over HTTP"],
  ["sync on PostgreSQL, a log of 1,000,000 against 10,000", "sync-postgres", "A log of"],
  ["sync on PostgreSQL, more clients against fewer", "sync-postgres", "More clients"],
  ["sync on PostgreSQL, three processes against one", "sync-postgres", "Several processes"],
  ["events on SQLite, against bare SQLite", "events", "`GET /api/events"],
  ["events on SQLite, 1,000,000 events against 1,000", "events", "1,000,000 stored"],
  ["events on PostgreSQL, against bare PostgreSQL", "events-postgres", "`GET /api/events"],
  ["events on PostgreSQL, 1,000,000 events against 10,000", "events-postgres", "1,000,000 stored"],
  ["events on PostgreSQL, three processes against one", "events-postgres", "Several processes"],
  ["several processes against one, on SQLite", "serve", "`--workers"],
  ["the sync client, against its bare storage", "client", "The client against"],
  ["pulls under attack, one instance, against a flood of 404", "attack", "On one instance"],
  ["pulls under attack, 1,000 instances, against a flood of 404", "attack", "On a host"],
];

const SERVERS = ["Start-up", "Response times", "Open streams"];
/** The ratio is Trellis's to each. */
const OTHER_SERVERS = ["Pushes of", "Pages of", "The latest release"];

const MEMORY: readonly (readonly [what: string, run: string, caption: string])[] = [
  ["releases, up to 10,000", "release", "Loading the catalogue"],
  ["sync on SQLite, a log of 1,000,000", "sync", "Resident memory"],
  ["sync on PostgreSQL, the same", "sync-postgres", "Resident memory"],
  ["events on SQLite, 1,000,000 events", "events", "Resident memory"],
  ["events on PostgreSQL, the same", "events-postgres", "Resident memory"],
];

export async function generateBenchmarksPage(): Promise<GeneratedFile[]> {
  const page = await readFile(join(import.meta.dirname, "..", PAGE), "utf8");
  const client = await readRecordedRun("client");
  const encryption = await readRecordedRun("encryption");
  const host = await readRecordedRun("host");
  const serve = await readRecordedRun("serve");
  const blocks = {
    ratios: await ratiosTable(),
    memory: await memoryTable(),
    ...historyTables(await readRecordedRun("release")),
    servers: copyCaptioned(serve, SERVERS),
    "other servers": copyCaptioned(serve, OTHER_SERVERS),
    "other libraries": await librariesTable(client),
    encryption: encryptionTable(encryption),
    "many instances": copyTable(host, "Pushes of 100"),
    "open instances": copyTable(host, "The server process"),
  };
  const content = Object.entries(blocks).reduce(
    (text, block) => replaceBlock(text, ...block),
    page,
  );
  return [{ path: PAGE, content }];
}

async function ratiosTable(): Promise<string> {
  const rows: string[][] = [];
  for (const [what, run, caption] of RATIOS) {
    const table = findTable(await readRecordedRun(run), caption);
    const compared = table.rows.filter(({ attack = "" }) => !attack.startsWith("control"));
    const byBound = Map.groupBy(compared, ({ target = "" }) => target);
    for (const [bound, cells] of byBound) rows.push(ratiosRow(what, bound, cells));
  }
  return formatMarkdownTable([["Compared", "Ratios", "The lowest is", "Bound"], ...rows]);
}

function ratiosRow(what: string, bound: string, cells: RecordedTable["rows"]): string[] {
  const sorted = cells.toSorted((a, b) => Number(a["ratio"]) - Number(b["ratio"]));
  const [lowest = {}] = sorted;
  const low = lowest["ratio"] ?? "";
  const high = sorted.at(-1)?.["ratio"] ?? "";
  const isMissed = bound !== "" && Number(low) < Number(bound);
  return [
    what,
    low === high ? low : `${low} to ${high}`,
    lowest["scenario"] ?? lowest["attack"] ?? "",
    isMissed ? `${bound}, missed` : bound,
  ];
}

async function memoryTable(): Promise<string> {
  const rows: string[][] = [];
  for (const [what, run, caption] of MEMORY) {
    const table = findTable(await readRecordedRun(run), caption);
    const most = (column: string) =>
      String(Math.max(...table.rows.map((cells) => Number(cells[column]))));
    const [, bound = ""] = /target (\d+) MB/.exec(table.caption) ?? [];
    rows.push([what, most("resident MB"), most("peak MB"), bound]);
  }
  return formatMarkdownTable([
    ["Server of", "Resident after a step, MB", "Peak, MB", "Bound"],
    ...rows,
  ]);
}

/** Sizes are those of the present code: they are the same on every machine, so they need no run. */
async function librariesTable(run: RecordedRun): Promise<string> {
  const { kilobytes, compressedKilobytes } = await measureClientBundle();
  const [own = {}, ...others] = findTable(run, "Other libraries").rows;
  const sizes = {
    KB: kilobytes.toFixed(0),
    "compressed KB": String(Math.ceil(compressedKilobytes)),
  };
  const rows = [{ ...own, ...sizes }, ...others];
  return formatMarkdownTable([Object.keys(own), ...rows.map(Object.values)]);
}

function encryptionTable(run: RecordedRun): string {
  const added = findInText(run, /adds ([\d.]+) KB/);
  const bound = findInText(run, /target (\d+) KB/);
  const { rows } = findTable(run, "What a client with encryption takes");
  const cells = rows.map(({ what = "", ratio = "", "at most": most = "" }) => [
    what,
    ratio,
    Number(ratio) > Number(most) ? `${most}, missed` : most,
  ]);
  const bundle = [
    "compressed KB more in a bundle",
    String(added),
    added > bound ? `${bound}, missed` : String(bound),
  ];
  return formatMarkdownTable([["What", "With encryption", "Bound"], ...cells, bundle]);
}

/** What a maker and every installed copy pay for the releases that came before. */
function historyTables(run: RecordedRun): Record<string, string> {
  const manifests = findTable(run, "The manifest, and");
  const commands = findTable(run, "Processor time of commands");
  const kilobytes = (bytes = "") => (Number(bytes) / 1000).toFixed(1);
  return {
    manifests: formatMarkdownTable([
      ["Releases", "Manifest, KB", "With gzip, KB", "Check, ms"],
      ...manifests.rows.map((row) => [
        row["releases"] ?? "",
        kilobytes(row["bytes"]),
        kilobytes(row["gzip bytes"]),
        row["check ms"] ?? "",
      ]),
    ]),
    commands: formatMarkdownTable([
      ["Command", "Processor time, s", "Bound"],
      ...commands.rows.map((row) => [
        row["command"] ?? "",
        row["CPU s"] ?? "",
        `${row["target"]}${row[""] === "" ? "" : ", missed"}`,
      ]),
    ]),
  };
}
