/** A long history against a short one: each route, and what loading the catalogue needs. */
import { compare, measure, warmUp, type Candidate, type Rounds } from "../measure.ts";
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
  const candidate = async (
    scenario: Scenario,
    { pid, port }: ReleaseServer,
  ): Promise<Candidate> => {
    const { request } = await record({ port }, scenario);
    const { name, status } = scenario;
    const order = { port, request, status, connections: effort.connections };
    return { name, pid, run: () => load.ask({ ...order, durationMs: effort.sliceMs }) };
  };
  const routes = await Promise.all(
    scenarios.map(
      async (scenario) =>
        [await candidate(scenario, large), await candidate(scenario, small)] as const,
    ),
  );
  await warmUp(routes.flat(), effort);
  const rows: ComparisonRow[] = [];
  for (const candidates of routes) {
    const scenario = candidates[0].name;
    progress(`Measuring ${scenario} with ${catalogs.large.name} releases`);
    const [grown, base] = await measure(candidates, effort);
    rows.push({ scenario, target, comparison: compare(grown, base) });
  }
  const loads = [
    await describeLoad(catalogs.small, small),
    await describeLoad(catalogs.large, large),
  ];
  return { rows, loads };
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
