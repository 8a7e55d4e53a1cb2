/** A long history against a short one: each route, and what loading the catalogue needs. */
import { compare, measure, type Candidate, type Rounds } from "../measure.ts";
import { residentMegabytes, type Worker } from "../processes.ts";
import type { Benchmark } from "../run-benchmark.ts";
import type { ComparisonRow } from "../tables.ts";
import type { LoadOrder, LoadResult } from "./load.ts";
import { record } from "./record-response.ts";
import { measureLoadSeconds, startReleaseServer, type ReleaseServer } from "./release-server.ts";
import type { CatalogLoad } from "./report-release.ts";
import type { Scenario } from "./scenarios.ts";

export interface BenchCatalog {
  readonly name: string;
  readonly folder: string;
}

export interface Effort extends Rounds {
  readonly sliceMs: number;
  readonly connections: number;
}

/** `scenarios` have responses of the same length on both catalogues. */
export async function measureCatalogs(
  { defer, progress }: Pick<Benchmark, "defer" | "progress">,
  load: Worker<LoadOrder, LoadResult>,
  catalogs: { readonly small: BenchCatalog; readonly large: BenchCatalog },
  scenarios: readonly Scenario[],
  target: number,
  effort: Effort,
): Promise<{ rows: ComparisonRow[]; loads: CatalogLoad[] }> {
  const start = async ({ folder }: BenchCatalog) => {
    const server = await startReleaseServer(folder);
    defer(server.stop);
    return server;
  };
  const [large, small] = [await start(catalogs.large), await start(catalogs.small)];
  await warmUp(load, [small, large], scenarios, effort.connections);
  const rows: ComparisonRow[] = [];
  for (const scenario of scenarios) {
    const { name, status } = scenario;
    progress(`Measuring ${name} with ${catalogs.large.name} releases`);
    const candidate = async ({ pid, port }: ReleaseServer): Promise<Candidate> => {
      const { request } = await record({ port }, scenario);
      const order = { port, request, status, connections: effort.connections };
      return { name, pid, run: () => load.ask({ ...order, durationMs: effort.sliceMs }) };
    };
    const [grown, base] = await measure([await candidate(large), await candidate(small)], effort);
    rows.push({ scenario: name, target, comparison: compare(grown, base) });
  }
  const loads = [
    await describeLoad(catalogs.small, small),
    await describeLoad(catalogs.large, large),
  ];
  return { rows, loads };
}

/** Both servers have to be equally warm, so every route runs before the first one is measured. */
async function warmUp(
  load: Worker<LoadOrder, LoadResult>,
  servers: readonly ReleaseServer[],
  scenarios: readonly Scenario[],
  connections: number,
): Promise<void> {
  for (const { target, status, isConditional } of scenarios) {
    if (isConditional === true) continue;
    for (const { port } of servers) {
      const request = `GET ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`;
      await load.ask({ port, request, status, connections, durationMs: 1000 });
    }
  }
}

async function describeLoad(
  { name, folder }: BenchCatalog,
  { pid, startSeconds }: ReleaseServer,
): Promise<CatalogLoad> {
  const { now, peak } = residentMegabytes(pid);
  return {
    releases: name,
    loadSeconds: await measureLoadSeconds(folder),
    startSeconds,
    residentMegabytes: now,
    peakMegabytes: peak,
  };
}
