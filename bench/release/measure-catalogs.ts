/** A long history against a short one: each route, and what loading the catalogue needs. */
import { compare, measure, median, warmUp, type RoundCounts } from "../measure.ts";
import { residentMegabytes } from "../processes.ts";
import type { Benchmark } from "../run-benchmark.ts";
import type { ComparisonRow } from "../tables.ts";
import { record, type CreateCandidate } from "./record-response.ts";
import { measureLoadSeconds, startReleaseServer, type ReleaseServer } from "./release-server.ts";
import type { CatalogLoad } from "./report-release.ts";
import type { Scenario } from "./scenarios.ts";

interface BenchCatalog {
  readonly name: string;
  readonly folder: string;
}

interface CatalogComparison {
  readonly small: BenchCatalog;
  readonly large: BenchCatalog;
  /** The scenarios have responses of the same length on both catalogues. */
  readonly scenarios: readonly Scenario[];
  readonly target: number;
}

export async function measureCatalogs(
  { use, progress }: Benchmark,
  createCandidate: CreateCandidate,
  effort: RoundCounts,
  { small, large, scenarios, target }: CatalogComparison,
): Promise<{ rows: ComparisonRow[]; loads: CatalogLoad[] }> {
  const largeServer = use(await startReleaseServer(large.folder));
  const smallServer = use(await startReleaseServer(small.folder));
  const candidate = async (scenario: Scenario, server: ReleaseServer) =>
    createCandidate(scenario, (await record(server, scenario)).request, server);
  const routes = await Promise.all(
    scenarios.map(
      async (scenario) =>
        [await candidate(scenario, largeServer), await candidate(scenario, smallServer)] as const,
    ),
  );
  await warmUp(routes.flat(), effort);
  const rows: ComparisonRow[] = [];
  for (const candidates of routes) {
    const scenario = candidates[0].name;
    progress(`Measuring ${scenario} with ${large.name} releases`);
    const [grown, base] = await measure(candidates, effort);
    rows.push({ scenario, target, comparison: compare(grown, base) });
  }
  const loads = [await describeLoad(small, smallServer), await describeLoad(large, largeServer)];
  return { rows, loads };
}

/** A load takes seconds: one that falls into a busy moment of the machine must not be the result. */
const LOADS = 3;

async function describeLoad(
  { name, folder }: BenchCatalog,
  { pid, startSeconds }: ReleaseServer,
): Promise<CatalogLoad> {
  const { now, peak } = residentMegabytes(pid);
  const loads: number[] = [];
  while (loads.length < LOADS) loads.push(await measureLoadSeconds(folder));
  return {
    releases: name,
    loadSeconds: median(loads),
    startSeconds,
    residentMegabytes: now,
    peakMegabytes: peak,
  };
}
