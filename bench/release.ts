/**
 * How fast the release service is, as ratios of one run: against a bare `node:http` server, against
 * nginx on the export, and with 10,000 releases against 10. Absolute numbers belong to one machine;
 * ratios of interleaved slices travel better.
 */
import { spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { exportRelease } from "../src/release/export/export-release.ts";
import { NGINX, runNginx } from "../test/release/export/run-nginx.ts";
import { createCatalogFixture } from "../test/fixtures/catalog.ts";
import type { BareResponse } from "./bare-server.ts";
import type { LoadOrder, LoadResult } from "./load.ts";
import { measure, type Candidate, type Rounds } from "./measure.ts";
import { isPinned, pin, residentMegabytes, startWorker, type Worker } from "./processes.ts";
import {
  catalogFigures,
  describeMachine,
  renderReport,
  routeFigures,
  TARGETS,
  type CatalogFigures,
  type LoadFigures,
  type Report,
  type RouteFigures,
} from "./report.ts";
import { SCENARIOS, type Scenario } from "./scenarios.ts";
import { measureLoadSeconds, startTrellis, type TrellisServer } from "./trellis-server.ts";

const { values: options } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
    markdown: { type: "boolean", default: false },
  },
});

const FULL = { rounds: 12, warmupRounds: 2, sliceMs: 400 };
const QUICK = { rounds: 4, warmupRounds: 2, sliceMs: 250 };
const effort: Rounds & { readonly sliceMs: number } = options.quick ? QUICK : FULL;
const CONNECTIONS = 32;
const SMALL = 10;
const LARGE = 10_000;

/** Undone in reverse order, whatever happens. */
const cleanups: (() => Promise<unknown>)[] = [];

try {
  const report = await run();
  console.log(
    options.json
      ? JSON.stringify(report, null, 2)
      : renderReport(report, options.markdown ? "markdown" : "text"),
  );
} finally {
  for (const undo of cleanups.toReversed()) await undo();
}

async function run(): Promise<Report> {
  tell("Making a catalogue of 10 releases and starting the servers");
  const small = await createCatalogFixture({ releases: SMALL });
  cleanups.push(small.remove);
  const load = startWorker<LoadOrder, LoadResult>("load.ts", "load");
  cleanups.push(load.stop);
  const trellis = await startTrellis(small.folder);
  cleanups.push(trellis.stop);
  const routes = await measureRoutes(load, trellis, small.folder);

  tell("Making a catalogue of 10,000 releases");
  const large = await createCatalogFixture({ releases: LARGE });
  cleanups.push(large.remove);
  const grown = await startTrellis(large.folder);
  cleanups.push(grown.stop);
  const fresh = await startTrellis(small.folder);
  cleanups.push(fresh.stop);
  const catalog = await measureCatalogs(load, fresh, grown);
  return {
    date: new Date().toISOString().slice(0, 10),
    machine: describeMachine(),
    versions: [`Node ${process.versions.node}`, nginxVersion()].join(", "),
    isPinned,
    routes,
    catalog,
    loads: [
      loadFigures(SMALL, await measureLoadSeconds(small.folder), fresh),
      loadFigures(LARGE, await measureLoadSeconds(large.folder), grown),
    ],
  };
}

async function measureRoutes(
  load: Worker<LoadOrder, LoadResult>,
  trellis: TrellisServer,
  catalog: string,
): Promise<RouteFigures[]> {
  const recorded = await Promise.all(SCENARIOS.map((scenario) => record(trellis, scenario)));
  const bare = startWorker<readonly BareResponse[], number[]>("bare-server.ts", "server");
  cleanups.push(bare.stop);
  const kinds = ["string", "buffer"] as const;
  const ports = await bare.ask(
    recorded.flatMap(({ answer }) => kinds.map((as) => ({ ...answer, as }))),
  );
  const nginx = await startNginx(catalog);
  const candidate = candidatesOf(load);
  const figures: RouteFigures[] = [];
  for (const [index, scenario] of SCENARIOS.entries()) {
    tell(`Measuring ${scenario.name}`);
    const { request } = recorded[index] ?? { request: "" };
    const order = (port: number) => ({ port, request, status: scenario.status });
    const candidates: Candidate[] = [
      candidate("trellis", trellis.pid, order(trellis.port)),
      ...kinds.map((kind, offset) =>
        candidate(`bare ${kind}`, bare.pid, order(ports[index * kinds.length + offset] ?? 0)),
      ),
    ];
    if (nginx !== null && scenario.isLiveOnly !== true) {
      candidates.push(candidate("nginx", nginx.pid, order(nginx.apiPort)));
    }
    figures.push(routeFigures(scenario.name, await measure(candidates, effort)));
  }
  return figures;
}

async function measureCatalogs(
  load: Worker<LoadOrder, LoadResult>,
  small: TrellisServer,
  large: TrellisServer,
): Promise<CatalogFigures[]> {
  const candidate = candidatesOf(load);
  const figures: CatalogFigures[] = [];
  const scenarios = SCENARIOS.filter(({ growsWithCatalog }) => growsWithCatalog !== true);
  // Both have to be equally warm, and all code is shared: so everything is run before anything counts.
  for (const { target, status, isConditional } of scenarios) {
    if (isConditional === true) continue;
    for (const { port } of [small, large]) {
      const request = `GET ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`;
      await load.ask({ port, request, status, connections: CONNECTIONS, durationMs: 1000 });
    }
  }
  for (const scenario of scenarios) {
    tell(`Measuring ${scenario.name} with 10,000 releases`);
    const candidates: Candidate[] = [];
    for (const [name, server] of [
      ["small", small],
      ["large", large],
    ] as const) {
      const { request } = await record(server, scenario);
      const order = { port: server.port, request, status: scenario.status };
      candidates.push(candidate(name, server.pid, order));
    }
    figures.push(catalogFigures(scenario.name, await measure(candidates, effort)));
  }
  return figures;
}

function candidatesOf(load: Worker<LoadOrder, LoadResult>) {
  return (
    name: string,
    pid: number,
    order: Omit<LoadOrder, "durationMs" | "connections">,
  ): Candidate => ({
    name,
    pid,
    run: () => load.ask({ ...order, durationMs: effort.sliceMs, connections: CONNECTIONS }),
  });
}

/** The answer as the service gives it, for the bare server to repeat, and the request for it. */
async function record({ port }: TrellisServer, scenario: Scenario) {
  const url = `http://127.0.0.1:${port}${scenario.target}`;
  const first = await fetch(url, { redirect: "manual" });
  await first.arrayBuffer();
  const condition =
    scenario.isConditional === true ? { "If-None-Match": first.headers.get("ETag") ?? "" } : null;
  const response = await fetch(url, {
    redirect: "manual",
    // Without it fetch would add `Cache-Control: no-cache` to a conditional request.
    cache: "default",
    ...(condition !== null && { headers: condition }),
  });
  if (response.status !== scenario.status) {
    throw new Error(`${scenario.target} answered ${response.status}, not ${scenario.status}`);
  }
  const own = new Set(["connection", "keep-alive", "date", "x-request-id"]);
  const headers = Object.fromEntries([...response.headers].filter(([name]) => !own.has(name)));
  const lines = Object.entries({
    Host: "127.0.0.1",
    Accept: "*/*",
    "User-Agent": "bench",
    ...condition,
  });
  return {
    answer: { status: response.status, headers, body: await response.text() },
    request: `GET ${scenario.target} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`,
  };
}

async function startNginx(catalog: string) {
  if (NGINX === null) return null;
  const directory = await mkdtemp(join(tmpdir(), "trellis-bench-"));
  cleanups.push(() => rm(directory, { recursive: true, force: true }));
  await exportRelease({
    catalog,
    directory,
    baseUrl: "http://localhost:4801",
    smartDownloadUrl: "http://localhost:4802",
    websiteDownloadUrl: "http://localhost:4803/#download",
    environment: "development",
    deployedAt: null,
    upstream: null,
    buildSite: null,
    now: Date.now(),
  });
  const nginx = await runNginx(join(directory, "current"));
  cleanups.push(nginx.stop);
  pin(nginx.pid, "server");
  return nginx;
}

function loadFigures(
  releases: number,
  loadSeconds: number,
  { pid, startSeconds }: TrellisServer,
): LoadFigures {
  const { now, peak } = residentMegabytes(pid);
  return {
    releases,
    loadSeconds,
    startSeconds,
    residentMegabytes: now,
    peakMegabytes: peak,
    meetsTarget: loadSeconds < TARGETS.loadSeconds && now < TARGETS.residentMegabytes,
  };
}

function nginxVersion(): string {
  if (NGINX === null) return "no nginx";
  return spawnSync(NGINX, ["-v"]).stderr.toString().trim().replace("nginx version: ", "");
}

function tell(text: string): void {
  process.stderr.write(`${text}\n`);
}
