/**
 * How fast the release service is, as ratios of one run: against a bare `node:http` server, against
 * nginx on the export, and with 10,000 releases against 10, its feeds for other updaters included.
 */
import { join } from "node:path";
import { ALL_FEEDS } from "../src/contract/release/feed-values.ts";
import { exportRelease } from "../src/release/export/export-release.ts";
import { NGINX, runNginx } from "../test/release/export/run-nginx.ts";
import { createCatalogFixture } from "../test/fixtures/catalog.ts";
import type { BareResponse } from "./bare-server.ts";
import {
  compare,
  joinMeasured,
  measure,
  median,
  warmUp,
  type Measured,
  type RoundCounts,
  type Slice,
} from "./measure.ts";
import { pin, startWorker } from "./processes.ts";
import type { LoadOrder } from "./release/load.ts";
import { measureCatalogs } from "./release/measure-catalogs.ts";
import { measureHistory } from "./release/measure-history.ts";
import { record, type CreateCandidate } from "./release/record-response.ts";
import { startReleaseServer } from "./release/release-server.ts";
import {
  RELEASE_TARGETS,
  renderReleaseReport,
  type ReleaseReport,
} from "./release/report-release.ts";
import { FEED_SCENARIOS, SCENARIOS } from "./release/scenarios.ts";
import { runBenchmark, type Benchmark } from "./run-benchmark.ts";
import { count, type ComparisonRow } from "./tables.ts";

// Many short slices: what disturbs the machine for a second falls on every candidate.
const SLICE_MS = 30;
const FULL = { rounds: 120, warmupRounds: 20 };
const QUICK = { rounds: 42, warmupRounds: 20 };
/**
 * A process compiles its code by itself, so two of them with the same code differ by some percent for as
 * long as they run: routes are measured on several, started one after the other.
 */
const STARTS = 3;
const CONNECTIONS = 32;
const SMALL = 10;
const LARGE = 10_000;

await runBenchmark(measureRelease, renderReleaseReport);

async function measureRelease(benchmark: Benchmark): Promise<ReleaseReport> {
  const { defer, use, progress } = benchmark;
  const createCatalog = async (releases: number, forUpdaters = false) => {
    progress(`Making a catalogue of ${releases} releases`);
    // Without betas ten releases have as many items in their appcast as ten thousand.
    const kind = forUpdaters ? { forUpdaters, betaEvery: 0 } : {};
    const { folder, remove } = await createCatalogFixture({ releases, ...kind });
    defer(remove);
    const name = `${count(releases)}${forUpdaters ? ", with feeds" : ""}`;
    return { name, folder };
  };
  const load = use(startWorker<LoadOrder, Slice>("release/load.ts", "load"));
  const createCandidate: CreateCandidate = ({ name, status }, request, { pid, port }) => {
    const order = { port, request, status, connections: CONNECTIONS, durationMs: SLICE_MS };
    return { name, pid, run: () => load.ask(order) };
  };
  const effort = benchmark.isQuick ? QUICK : FULL;
  const small = await createCatalog(SMALL);
  const routes = await measureRoutes(benchmark, createCandidate, effort, small.folder);

  const measured = await measureCatalogs(benchmark, createCandidate, effort, {
    small,
    large: await createCatalog(LARGE),
    scenarios: SCENARIOS.filter(({ growsWithCatalog }) => growsWithCatalog !== true),
    target: RELEASE_TARGETS.catalog,
  });
  const feeds = await measureCatalogs(benchmark, createCandidate, effort, {
    small: await createCatalog(SMALL, true),
    large: await createCatalog(LARGE, true),
    scenarios: FEED_SCENARIOS,
    target: RELEASE_TARGETS.feeds,
  });
  return {
    ...routes,
    history: await measureHistory(benchmark),
    againstSmall: [...measured.rows, ...feeds.rows],
    loads: [...measured.loads, ...feeds.loads],
  };
}

async function measureRoutes(
  benchmark: Benchmark,
  createCandidate: CreateCandidate,
  effort: RoundCounts,
  catalog: string,
): Promise<Pick<ReleaseReport, "againstBare" | "againstNginx">> {
  const nginx = await startNginx(benchmark, catalog);
  const roundsOfStart = { ...effort, rounds: effort.rounds / STARTS };
  const starts: RouteMeasurement[][] = [];
  while (starts.length < STARTS) {
    benchmark.progress(`Measuring the routes, start ${starts.length + 1} of ${STARTS}`);
    starts.push(await measureStart(createCandidate, roundsOfStart, catalog, nginx));
  }
  const againstBare: ComparisonRow[] = [];
  const againstNginx: ComparisonRow[] = [];
  for (const [index, { name: scenario }] of SCENARIOS.entries()) {
    const ofRoute = starts.flatMap((routes) => routes[index] ?? []);
    const own = joinMeasured(ofRoute.map((route) => route.own));
    const strings = joinMeasured(ofRoute.map((route) => route.strings));
    const buffers = joinMeasured(ofRoute.map((route) => route.buffers));
    // The faster way to hold a body is the one to compare with.
    const fastest = median(strings.rates) > median(buffers.rates) ? strings : buffers;
    againstBare.push({ scenario, target: RELEASE_TARGETS.bare, comparison: compare(own, fastest) });
    const ofNginx = ofRoute.flatMap((route) => route.nginx ?? []);
    if (ofNginx.length > 0) {
      const comparison = compare(own, joinMeasured(ofNginx));
      againstNginx.push({ scenario, target: null, comparison });
    }
  }
  return { againstBare, againstNginx };
}

interface RouteMeasurement {
  readonly own: Measured;
  readonly strings: Measured;
  readonly buffers: Measured;
  readonly nginx: Measured | undefined;
}

/** Starts the service and the bare servers, and measures every route. */
async function measureStart(
  createCandidate: CreateCandidate,
  effort: RoundCounts,
  catalog: string,
  nginx: Nginx | null,
): Promise<RouteMeasurement[]> {
  await using processes = new AsyncDisposableStack();
  const server = await startReleaseServer(catalog);
  processes.defer(server.stop);
  const recorded = await Promise.all(SCENARIOS.map((scenario) => record(server, scenario)));
  // A process for each kind: two candidates of one process in a row would share warm code.
  const startBare = async (as: BareResponse["as"]) => {
    const bare = startWorker<readonly BareResponse[], number[]>("bare-server.ts", "server");
    processes.defer(bare.stop);
    return {
      pid: bare.pid,
      ports: await bare.ask(recorded.map((one) => ({ ...one.response, as }))),
    };
  };
  const strings = await startBare("string");
  const buffers = await startBare("buffer");
  const ofNginx = await Promise.all(
    SCENARIOS.map(async (scenario) =>
      // The validators of nginx are those of its files.
      nginx === null || scenario.isLiveOnly === true
        ? null
        : record({ port: nginx.apiPort }, scenario),
    ),
  );
  const routes = SCENARIOS.map((scenario, index) => {
    const candidate = (pid: number, port: number) =>
      createCandidate(scenario, recorded[index]?.request ?? "", { pid, port });
    const fromNginx = ofNginx[index]?.request;
    return [
      candidate(server.pid, server.port),
      candidate(strings.pid, strings.ports[index] ?? 0),
      candidate(buffers.pid, buffers.ports[index] ?? 0),
      ...(nginx === null || fromNginx === undefined
        ? []
        : [createCandidate(scenario, fromNginx, { pid: nginx.pid, port: nginx.apiPort })]),
    ] as const;
  });
  await warmUp(routes.flat(), effort);
  const measured: RouteMeasurement[] = [];
  for (const candidates of routes) {
    const [own, ofStrings, ofBuffers, atNginx] = await measure(candidates, effort);
    measured.push({ own, strings: ofStrings, buffers: ofBuffers, nginx: atNginx });
  }
  return measured;
}

type Nginx = NonNullable<Awaited<ReturnType<typeof startNginx>>>;

async function startNginx({ createFolder, use }: Benchmark, catalog: string) {
  if (NGINX === null) return null;
  const directory = await createFolder();
  await exportRelease({
    catalog,
    directory,
    baseUrl: "http://localhost:4801",
    smartDownloadUrl: "http://localhost:4802",
    websiteDownloadUrl: "http://localhost:4803/#download",
    environment: "development",
    deployedAt: null,
    // Only files are asked for.
    upstream: "http://127.0.0.1:9",
    feeds: ALL_FEEDS,
    buildSite: null,
    now: Date.now(),
  });
  const nginx = use(await runNginx(join(directory, "current")));
  pin(nginx.pid, "server");
  return nginx;
}
