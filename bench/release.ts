/**
 * How fast the release service is, as ratios of one run: against a bare `node:http` server, against
 * nginx on the export, and with 10,000 releases against 10, its feeds for other updaters included.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ALL_FEEDS } from "../src/contract/release/feed-values.ts";
import { exportRelease } from "../src/release/export/export-release.ts";
import { NGINX, runNginx } from "../test/release/export/run-nginx.ts";
import { createCatalogFixture } from "../test/fixtures/catalog.ts";
import type { BareResponse } from "./bare-server.ts";
import { compare, measure, median, warmUp, type Candidate } from "./measure.ts";
import { pin, startWorker, type Worker } from "./processes.ts";
import type { LoadOrder, LoadResult } from "./release/load.ts";
import { measureCatalogs } from "./release/measure-catalogs.ts";
import { record } from "./release/record-response.ts";
import { startReleaseServer, type ReleaseServer } from "./release/release-server.ts";
import {
  RELEASE_TARGETS,
  renderReleaseReport,
  type ReleaseReport,
} from "./release/report-release.ts";
import { FEED_SCENARIOS, SCENARIOS } from "./release/scenarios.ts";
import { runBenchmark, type Benchmark } from "./run-benchmark.ts";
import { count, type ComparisonRow } from "./tables.ts";

// Many short slices: what disturbs the machine for a second falls on every candidate.
const FULL = { rounds: 160, warmupRounds: 30, sliceMs: 30, connections: 32 };
const QUICK = { ...FULL, rounds: 40, warmupRounds: 20 };
const SMALL = 10;
const LARGE = 10_000;

await runBenchmark(measureRelease, renderReleaseReport);

async function measureRelease(benchmark: Benchmark): Promise<ReleaseReport> {
  const { defer, progress } = benchmark;
  const createCatalog = async (releases: number, forUpdaters = false) => {
    progress(`Making a catalogue of ${releases} releases`);
    // Without betas ten releases have as many items in their appcast as ten thousand.
    const kind = forUpdaters ? { forUpdaters, betaEvery: 0 } : {};
    const { folder, remove } = await createCatalogFixture({ releases, ...kind });
    defer(remove);
    const name = `${count(releases)}${forUpdaters ? ", with feeds" : ""}`;
    return { name, folder };
  };
  const load = startWorker<LoadOrder, LoadResult>("release/load.ts", "load");
  defer(load.stop);
  const effort = benchmark.isQuick ? QUICK : FULL;
  const small = await createCatalog(SMALL);
  const server = await startReleaseServer(small.folder);
  defer(server.stop);
  const routes = await measureRoutes(benchmark, load, server, small.folder);

  const scenarios = SCENARIOS.filter(({ growsWithCatalog }) => growsWithCatalog !== true);
  const { catalog: target, feeds: feedTarget } = RELEASE_TARGETS;
  const catalogs = { small, large: await createCatalog(LARGE) };
  const measured = await measureCatalogs(benchmark, load, catalogs, scenarios, target, effort);
  const feedCatalogs = {
    small: await createCatalog(SMALL, true),
    large: await createCatalog(LARGE, true),
  };
  const feeds = await measureCatalogs(
    benchmark,
    load,
    feedCatalogs,
    FEED_SCENARIOS,
    feedTarget,
    effort,
  );
  return {
    date: new Date().toISOString().slice(0, 10),
    ...routes,
    againstSmall: [...measured.rows, ...feeds.rows],
    loads: [...measured.loads, ...feeds.loads],
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
  const routes = SCENARIOS.map(({ name, status, isLiveOnly }, index) => {
    const request = recorded[index]?.request ?? "";
    const order = { request, status, connections: effort.connections, durationMs: effort.sliceMs };
    const candidate = (pid: number, port: number): Candidate => ({
      name,
      pid,
      run: () => load.ask({ ...order, port }),
    });
    const [stringPort = 0, bufferPort = 0] = ports.slice(index * kinds.length);
    const hasNginx = nginxServer !== null && isLiveOnly !== true;
    return [
      candidate(server.pid, server.port),
      candidate(bareServer.pid, stringPort),
      candidate(bareServer.pid, bufferPort),
      ...(hasNginx ? [candidate(nginxServer.pid, nginxServer.apiPort)] : []),
    ] as const;
  });
  progress("Warming up");
  await warmUp(routes.flat(), effort);
  const againstBare: ComparisonRow[] = [];
  const againstNginx: ComparisonRow[] = [];
  for (const candidates of routes) {
    const scenario = candidates[0].name;
    progress(`Measuring ${scenario}`);
    const [own, string, buffer, nginx] = await measure(candidates, effort);
    // The faster way to hold a body is the one to compare with.
    const bare = median(string.rates) > median(buffer.rates) ? string : buffer;
    againstBare.push({ scenario, target: RELEASE_TARGETS.bare, comparison: compare(own, bare) });
    if (nginx !== undefined) {
      againstNginx.push({ scenario, target: null, comparison: compare(own, nginx) });
    }
  }
  return { againstBare, againstNginx };
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
