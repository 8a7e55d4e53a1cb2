/**
 * How fast the release service is, as ratios of one run: against a bare `node:http` server, against
 * nginx on the export, and with 10,000 releases against 10.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ALL_FEEDS } from "../src/contract/release/feed-values.ts";
import { exportRelease } from "../src/release/export/export-release.ts";
import { NGINX, runNginx } from "../test/release/export/run-nginx.ts";
import { createCatalogFixture } from "../test/fixtures/catalog.ts";
import type { BareResponse } from "./bare-server.ts";
import { compare, measure, median, type Candidate } from "./measure.ts";
import { pin, residentMegabytes, startWorker, type Worker } from "./processes.ts";
import type { LoadOrder, LoadResult } from "./release/load.ts";
import {
  measureLoadSeconds,
  startReleaseServer,
  type ReleaseServer,
} from "./release/release-server.ts";
import {
  RELEASE_TARGETS,
  renderReleaseReport,
  type CatalogLoad,
  type ReleaseReport,
} from "./release/report-release.ts";
import { SCENARIOS, type Scenario } from "./release/scenarios.ts";
import { runBenchmark, type Benchmark } from "./run-benchmark.ts";
import type { ComparisonRow } from "./tables.ts";

// Many short slices: what disturbs the machine for a second falls on every candidate.
const FULL = { rounds: 48, warmupRounds: 10, sliceMs: 100 };
const QUICK = { rounds: 12, warmupRounds: 6, sliceMs: 100 };
const CONNECTIONS = 32;
const SMALL = 10;
const LARGE = 10_000;

await runBenchmark(measureRelease, renderReleaseReport);

async function measureRelease(benchmark: Benchmark): Promise<ReleaseReport> {
  const { defer, progress } = benchmark;
  const createCatalog = async (releases: number) => {
    progress(`Making a catalogue of ${releases} releases`);
    const { folder, remove } = await createCatalogFixture({ releases });
    defer(remove);
    return folder;
  };
  const start = async (catalog: string) => {
    const server = await startReleaseServer(catalog);
    defer(server.stop);
    return server;
  };
  const small = await createCatalog(SMALL);
  const load = startWorker<LoadOrder, LoadResult>("release/load.ts", "load");
  defer(load.stop);
  const routes = await measureRoutes(benchmark, load, await start(small), small);

  const large = await createCatalog(LARGE);
  const largeServer = await start(large);
  const smallServer = await start(small);
  return {
    date: new Date().toISOString().slice(0, 10),
    ...routes,
    againstSmall: await measureCatalogs(benchmark, load, smallServer, largeServer),
    loads: [
      await describeLoad(SMALL, small, smallServer),
      await describeLoad(LARGE, large, largeServer),
    ],
  };
}

async function measureRoutes(
  { isQuick, defer, progress }: Benchmark,
  load: Worker<LoadOrder, LoadResult>,
  server: ReleaseServer,
  catalog: string,
): Promise<Pick<ReleaseReport, "againstBare" | "againstNginx">> {
  const recorded = await Promise.all(SCENARIOS.map((scenario) => record(server, scenario)));
  const bareServer = startWorker<readonly BareResponse[], number[]>("bare-server.ts", "server");
  defer(bareServer.stop);
  const kinds = ["string", "buffer"] as const;
  const ports = await bareServer.ask(
    recorded.flatMap(({ response }) => kinds.map((as) => ({ ...response, as }))),
  );
  const nginxServer = await startNginx(defer, catalog);
  const effort = isQuick ? QUICK : FULL;
  const againstBare: ComparisonRow[] = [];
  const againstNginx: ComparisonRow[] = [];
  for (const [index, { name, status, isLiveOnly }] of SCENARIOS.entries()) {
    progress(`Measuring ${name}`);
    const request = recorded[index]?.request ?? "";
    const candidate = (pid: number, port: number): Candidate => ({
      name,
      pid,
      run: () =>
        load.ask({ port, request, status, connections: CONNECTIONS, durationMs: effort.sliceMs }),
    });
    const [stringPort = 0, bufferPort = 0] = ports.slice(index * kinds.length);
    const hasNginx = nginxServer !== null && isLiveOnly !== true;
    const [own, string, buffer, nginx] = await measure(
      [
        candidate(server.pid, server.port),
        candidate(bareServer.pid, stringPort),
        candidate(bareServer.pid, bufferPort),
        ...(hasNginx ? [candidate(nginxServer.pid, nginxServer.apiPort)] : []),
      ],
      effort,
    );
    // The faster way to hold a body is the one to compare with.
    const bare = median(string.rates) > median(buffer.rates) ? string : buffer;
    const row = { scenario: name, target: RELEASE_TARGETS.bare, comparison: compare(own, bare) };
    againstBare.push(row);
    if (nginx !== undefined) {
      againstNginx.push({ scenario: name, target: null, comparison: compare(own, nginx) });
    }
  }
  return { againstBare, againstNginx };
}

async function measureCatalogs(
  { isQuick, progress }: Benchmark,
  load: Worker<LoadOrder, LoadResult>,
  small: ReleaseServer,
  large: ReleaseServer,
): Promise<ComparisonRow[]> {
  const effort = isQuick ? QUICK : FULL;
  const scenarios = SCENARIOS.filter(({ growsWithCatalog }) => growsWithCatalog !== true);
  // Both servers have to be equally warm, so every route runs before the first one is measured.
  for (const { target, status, isConditional } of scenarios) {
    if (isConditional === true) continue;
    for (const { port } of [small, large]) {
      const request = `GET ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`;
      await load.ask({ port, request, status, connections: CONNECTIONS, durationMs: 1000 });
    }
  }
  const rows: ComparisonRow[] = [];
  for (const scenario of scenarios) {
    const { name, status } = scenario;
    progress(`Measuring ${name} with 10,000 releases`);
    const candidate = async ({ pid, port }: ReleaseServer): Promise<Candidate> => {
      const { request } = await record({ port }, scenario);
      const order = { port, request, status, connections: CONNECTIONS };
      return { name, pid, run: () => load.ask({ ...order, durationMs: effort.sliceMs }) };
    };
    const [grown, base] = await measure([await candidate(large), await candidate(small)], effort);
    rows.push({
      scenario: name,
      target: RELEASE_TARGETS.catalog,
      comparison: compare(grown, base),
    });
  }
  return rows;
}

/** The response of the service, for the bare server to repeat, and the request for it. */
async function record({ port }: Pick<ReleaseServer, "port">, scenario: Scenario) {
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
    throw new Error(`${scenario.target} responded ${response.status}, not ${scenario.status}`);
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
    response: { status: response.status, headers, body: await response.text() },
    request: `GET ${scenario.target} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`,
  };
}

async function startNginx(defer: Benchmark["defer"], catalog: string) {
  if (NGINX === null) return null;
  const directory = await mkdtemp(join(tmpdir(), "trellis-bench-"));
  defer(() => rm(directory, { recursive: true, force: true }));
  await exportRelease({
    catalog,
    directory,
    baseUrl: "http://localhost:4801",
    smartDownloadUrl: "http://localhost:4802",
    websiteDownloadUrl: "http://localhost:4803/#download",
    environment: "development",
    deployedAt: null,
    upstream: null,
    feeds: ALL_FEEDS,
    buildSite: null,
    now: Date.now(),
  });
  const nginx = await runNginx(join(directory, "current"));
  defer(nginx.stop);
  pin(nginx.pid, "server");
  return nginx;
}

async function describeLoad(
  releases: number,
  catalog: string,
  { pid, startSeconds }: ReleaseServer,
): Promise<CatalogLoad> {
  const { now, peak } = residentMegabytes(pid);
  return {
    releases,
    loadSeconds: await measureLoadSeconds(catalog),
    startSeconds,
    residentMegabytes: now,
    peakMegabytes: peak,
  };
}
