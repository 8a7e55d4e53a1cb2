/** The figures, sums and pictures of `docs/operate/sizes.md`, from the runs in `bench/recorded`. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { GeneratedFile } from "../bundle-web.ts";
import { formatMarkdownTable, replaceBlock } from "../page-blocks.ts";
import { copyTable, findParagraph, readRecordedRun, type RecordedRun } from "../recorded-run.ts";
import { drawBars, formatRounded as count } from "./draw-bars.ts";
import { readMeasured, type MeasuredFigures } from "./measured.ts";

const ROOT = join(import.meta.dirname, "../..");
const PAGE = "docs/operate/sizes.md";
const SECONDS_PER_DAY = 86_400;
/** Machines are planned for half of what was measured: the rest is for peaks, and for one that fails. */
const PLANNED_SHARE = 0.5;
/** The busiest time of a day against its average. */
const PEAK = 4;

export async function generateScalingPage(): Promise<GeneratedFile[]> {
  const measured = await readMeasured();
  const page = await readFile(join(ROOT, PAGE), "utf8");
  const blocks = {
    measured: measuredTable(measured),
    instances: instancesTable(measured),
    accounts: accountsTable(measured),
    host: describeHost(await readRecordedRun("host-postgres")),
    failovers: describeFailovers(await readRecordedRun("cluster")),
  };
  const content = Object.entries(blocks).reduce(
    (text, block) => replaceBlock(text, ...block),
    page,
  );
  return [{ path: PAGE, content }, ...drawPictures(measured)];
}

function drawPictures({ push, lists }: MeasuredFigures): GeneratedFile[] {
  return [
    {
      path: "docs/operate/pictures/sync-pushes.svg",
      content: drawBars("Pushes of 100 operations to one instance", "per second, two cores", [
        { label: "SQLite, one client", value: push.sqliteOne },
        { label: "SQLite, 16 clients", value: push.sqliteMany },
        { label: "PostgreSQL, one client", value: push.postgresOne },
        { label: "PostgreSQL, 16 clients", value: push.postgresMany },
        { label: "PostgreSQL, 16 clients, three processes", value: push.threeProcesses },
      ]),
    },
    {
      path: "docs/operate/pictures/event-lists.svg",
      content: drawBars("Lists of 500 events, 16 clients", "per second, two cores", [
        { label: "SQLite, a million events", value: lists.sqlite },
        { label: "PostgreSQL, a million events", value: lists.postgres },
        { label: "PostgreSQL, one process", value: lists.oneProcess },
        { label: "PostgreSQL, three processes", value: lists.threeProcesses },
      ]),
    },
  ];
}

function measuredTable({ push, pull, lists, tokens, ...others }: MeasuredFigures): string {
  return formatMarkdownTable([
    ["What, on two cores", "SQLite", "PostgreSQL, one process", "PostgreSQL, three processes"],
    ["pushes of 100 a second, one client", count(push.sqliteOne), count(push.postgresOne), ""],
    [
      "pushes of 100 a second, 16 clients",
      count(push.sqliteMany),
      count(push.postgresMany),
      `${count(push.threeProcesses)} (one in the same run: ${count(push.oneProcess)})`,
    ],
    ["pulls of 500 a second, 16 clients", count(pull.sqlite), count(pull.postgres), ""],
    [
      "lists of 500 events a second, 16 clients",
      count(lists.sqlite),
      count(lists.postgres),
      `${count(lists.threeProcesses)} (one in the same run: ${count(lists.oneProcess)})`,
    ],
    ["token exchanges a second, 16 clients", count(tokens.sqlite), count(tokens.postgres), ""],
    [
      "a million events on disk, MB",
      count(others.eventsMegabytes.sqlite),
      count(others.eventsMegabytes.postgres),
      "",
    ],
    ["update decisions a second (no store)", count(others.updateDecisions), "", ""],
  ]);
}

function instancesTable({ host, snapshot, syncPeakMegabytes }: MeasuredFigures): string {
  const [instances, devices, pushes, entities] = [100_000, 3, 20, 2_000];
  const average = (instances * devices * pushes) / SECONDS_PER_DAY;
  const perMachine = host.openingPushes * PLANNED_SHARE;
  const bytesEach = (snapshot.megabytes * 1e6) / snapshot.entities;
  const gigabytes = (instances * entities * bytesEach) / 1e9;
  return formatMarkdownTable([
    ["Quantity", "Sum", "Result"],
    [
      "pushes a second, average",
      `${count(instances)} × ${devices} devices × ${pushes} a day / ${count(SECONDS_PER_DAY)} s`,
      count(average),
    ],
    ["pushes a second, busiest time", `${count(average)} × ${PEAK}`, count(average * PEAK)],
    [
      "a machine of two cores, at half load, every push opens its instance",
      `${count(host.openingPushes)} × ${PLANNED_SHARE}`,
      count(perMachine),
    ],
    [
      "machines for the pushes",
      `${count(average * PEAK)} / ${count(perMachine)}, rounded up`,
      String(Math.ceil((average * PEAK) / perMachine)),
    ],
    [
      "live data, GB",
      `${count(instances)} × ${count(entities)} entities × ${count(bytesEach)} bytes`,
      count(gigabytes),
    ],
    [
      `memory of a process with ${count(host.open)} open instances, GB`,
      "measured",
      String(Math.round(host.megabytes / 100) / 10),
    ],
    [
      "memory with a process for each, GB",
      `${count(instances)} × ${count(syncPeakMegabytes)} MB`,
      count((instances * syncPeakMegabytes) / 1000),
    ],
  ]);
}

function describeHost(run: RecordedRun): string {
  return [
    findParagraph(run, "instances in one database"),
    copyTable(run, "Pushes of 100"),
    copyTable(run, "The database, and"),
    findParagraph(run, "`pg_dump`"),
    copyTable(run, "Pushes to the instances of a process that ends"),
  ].join("\n\n");
}

function describeFailovers(run: RecordedRun): string {
  return [
    findParagraph(run, "Primaries killed"),
    copyTable(run, "Primaries killed"),
    findParagraph(run, "A lossy failover"),
  ].join("\n\n");
}

function accountsTable(measured: MeasuredFigures): string {
  const [accounts, apps, events, feeds] = [1_000_000, 2, 200, 20_000];
  const { lists, eventsMegabytes } = measured;
  const requests = (accounts * apps) / 3600;
  const perMachine = lists.threeProcesses * PLANNED_SHARE;
  const cpuPerFeed = (measured.import.cpuSeconds / measured.import.entries) * events;
  const cores = (feeds * cpuPerFeed) / 3600;
  return formatMarkdownTable([
    ["Quantity", "Sum", "Result"],
    [
      "lists a second, each app once an hour",
      `${count(accounts)} × ${apps} apps / 3,600 s`,
      count(requests),
    ],
    [
      "a machine of two cores with its database, at half load",
      `${count(lists.threeProcesses)} × ${PLANNED_SHARE}`,
      count(perMachine),
    ],
    [
      "machines for the lists",
      `${count(requests)} / ${count(perMachine)}, rounded up`,
      String(Math.ceil(requests / perMachine)),
    ],
    [
      "events on disk, GB",
      `${count(accounts)} × ${events} events × ${eventsMegabytes.postgres} bytes`,
      count((accounts * events * eventsMegabytes.postgres) / 1e9),
    ],
    [
      "cores for feeds, each read again every hour",
      `${count(feeds)} feeds × ${events} entries × ${count((measured.import.cpuSeconds / measured.import.entries) * 1e6)} µs / 3,600 s`,
      cores.toFixed(1),
    ],
  ]);
}
