/**
 * What a server with many instances costs: pushes of 100 to random ones of those that are active, against
 * the same to one, and with their opening. `--quick` takes a tenth of the instances.
 */
import { readdirSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { HostLoadOrder, HostLoadResult } from "./host/load.ts";
import { makeInstances } from "./host/make-instances.ts";
import {
  renderHostReport,
  type HostReport,
  type PushRow,
  type StateRow,
} from "./host/report-host.ts";
import { quantile } from "./measure.ts";
import { freePort, residentMegabytes, startService, startWorker } from "./processes.ts";
import { runBenchmark, type Benchmark } from "./run-benchmark.ts";

const CONNECTIONS = [1, 16];
const PUSHES_PER_ROUND = 200;

await runBenchmark(measureHost, renderHostReport);

async function measureHost(benchmark: Benchmark): Promise<HostReport> {
  const { isQuick, use, progress } = benchmark;
  const [instances, active, rounds] = isQuick ? [1000, 50, 2] : [10_000, 500, 10];
  const dataDir = await benchmark.createFolder();
  progress(`Making ${instances} instances`);
  await makeInstances(dataDir, instances);
  const port = await freePort();
  const config = join(dataDir, "trellis.config.json");
  const sync = { listen: { port }, maxOpen: active };
  const operator = { listen: { port: await freePort() } };
  await writeFile(config, JSON.stringify({ dataDir, sync, operator }));
  const ready = `http://127.0.0.1:${operator.listen.port}/readyz`;
  const { pid, startSeconds } = use(await startService("sync", config, ready, "free"));
  const load = use(startWorker<HostLoadOrder, HostLoadResult>("host/load.ts", "free"));

  const states: StateRow[] = [];
  const note = (after: string) =>
    states.push({
      after,
      residentMegabytes: residentMegabytes(pid).now,
      openFiles: readdirSync(`/proc/${pid}/fd`).length,
    });
  let pushes = 0;
  const push = async (connections: number, chosen: readonly number[]) => {
    const from = pushes;
    pushes += chosen.length;
    return load.ask({ port, connections, instances: chosen, from });
  };
  note("the start");
  progress(`Opening ${active} instances, the first push to each`);
  const first = await push(
    16,
    Array.from({ length: active }, (_, index) => index),
  );
  note(`a push to each of ${active}`);

  const scenarios = CONNECTIONS.flatMap((connections) => [
    { connections, scenario: "one instance", choose: () => 0 },
    { connections, scenario: `random of ${active} open`, choose: () => randomBelow(active) },
  ]).map((scenario) => ({ ...scenario, results: [] as HostLoadResult[] }));
  for (let round = 0; round < rounds; round++) {
    progress(`Round ${round + 1} of ${rounds}`);
    for (const { connections, choose, results } of scenarios) {
      results.push(await push(connections, Array.from({ length: PUSHES_PER_ROUND }, choose)));
    }
  }
  note("the pushes to open instances");
  progress("Pushes that open an instance and close another");
  const opening = await push(
    16,
    Array.from({ length: rounds * PUSHES_PER_ROUND }, () => randomBelow(instances)),
  );
  note(`${rounds * PUSHES_PER_ROUND} pushes to random ones of all`);
  const label = (scenario: string, connections: number) =>
    `${scenario}, ${connections === 1 ? "one device" : `${connections} devices`}`;
  return {
    instances,
    active,
    startSeconds,
    pushes: [
      ...scenarios.map(({ scenario, connections, results }) =>
        toRow(label(scenario, connections), results),
      ),
      toRow(label(`the first push to each of ${active}`, 16), [first]),
      toRow(label("random of all, which opens most of them", 16), [opening]),
    ],
    states,
  };
}

function randomBelow(limit: number): number {
  return Math.floor(Math.random() * limit);
}

function toRow(scenario: string, results: readonly HostLoadResult[]): PushRow {
  const latencies = results.flatMap((result) => result.latencies).sort((a, b) => a - b);
  const seconds = results.reduce((sum, result) => sum + result.seconds, 0);
  return {
    scenario,
    perSecond: latencies.length / seconds,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
  };
}
