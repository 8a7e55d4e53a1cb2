/** Start and rest of each service, the times of its responses, and several processes against one. */
import { availableParallelism } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import {
  compare,
  measure,
  median,
  quantile,
  warmUp,
  type Candidate,
  type RoundCounts,
} from "../measure.ts";
import { residentMegabytes, type Worker } from "../processes.ts";
import type { Benchmark } from "../run-benchmark.ts";
import type { ComparisonRow } from "../tables.ts";
import { makeServices, type MeasuredServer, type MeasuredService } from "./measured-servers.ts";
import type { ServeOrder, ServeResult } from "./serve-load-worker.ts";

export interface RestRow {
  readonly service: string;
  /** From the start of the process to its first response. */
  readonly startSeconds: number;
  readonly restMegabytes: number;
}

export interface LatencyRow {
  readonly scenario: string;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
}

export interface ServicesReport {
  readonly connections: number;
  readonly workers: number;
  readonly rest: readonly RestRow[];
  readonly latencies: readonly LatencyRow[];
  readonly againstOne: readonly ComparisonRow[];
}

type Load = Worker<ServeOrder, ServeResult>;

const CONNECTIONS = 16;
/** Two also where there is one core, so that they are compared at all. */
const WORKERS = Math.max(2, Math.min(4, availableParallelism()));
const REST_MS = 3000;
const WARMUP_ROUNDS = 12;

export async function measureServices(benchmark: Benchmark, load: Load): Promise<ServicesReport> {
  const services = await makeServices(benchmark);
  const rest: RestRow[] = [];
  for (const service of services) rest.push(await measureRest(benchmark, service));
  const latencies: LatencyRow[] = [];
  const againstOne: ComparisonRow[] = [];
  for (const service of services) {
    await using started = new AsyncDisposableStack();
    const start = async (words?: readonly string[]) =>
      started.adopt(await service.start(words), ({ stop }) => stop());
    const one = await start();
    // Each is warmed up, so what the first has compiled does not count.
    const several = await start(["--workers", String(WORKERS)]);
    for (const [index, { name }] of one.scenarios.entries()) {
      const scenario = `${service.name}: ${name}`;
      benchmark.progress(`Measuring ${scenario}`);
      const row = await compareServers(benchmark, load, [several, one], index);
      latencies.push({ scenario, ...row.latency });
      againstOne.push({ scenario, target: null, comparison: row.comparison });
    }
  }
  return { connections: CONNECTIONS, workers: WORKERS, rest, latencies, againstOne };
}

async function measureRest(
  { isQuick, progress }: Benchmark,
  { name, start }: MeasuredService,
): Promise<RestRow> {
  progress(`Starting ${name}`);
  const seconds: number[] = [];
  const megabytes: number[] = [];
  // The first start compiles sources that are kept, so it does not count.
  for (let round = 0; round <= (isQuick ? 1 : 5); round++) {
    const { pid, startSeconds, stop } = await start();
    await sleep(REST_MS);
    const { now } = residentMegabytes(pid);
    await stop();
    if (round === 0) continue;
    seconds.push(startSeconds);
    megabytes.push(now);
  }
  return { service: name, startSeconds: median(seconds), restMegabytes: median(megabytes) };
}

async function compareServers(
  { isQuick }: Benchmark,
  load: Load,
  [several, one]: readonly [MeasuredServer, MeasuredServer],
  index: number,
) {
  const latencies: number[] = [];
  const candidate = ({ pid, port, scenarios }: MeasuredServer, times: number[]): Candidate => ({
    name: String(pid),
    pid,
    async run() {
      const scenario = scenarios[index];
      const requests = (await scenario?.requests(scenario.count)) ?? [];
      const order = { kind: "send", port, connections: CONNECTIONS, requests, times: 1 } as const;
      const result = await load.ask(order);
      times.push(...result.latencies);
      return result;
    },
  });
  const effort: RoundCounts = { rounds: isQuick ? 5 : 25, warmupRounds: 0 };
  await warmUp([candidate(several, []), candidate(one, [])], {
    ...effort,
    warmupRounds: WARMUP_ROUNDS,
  });
  const [own, base] = await measure([candidate(several, []), candidate(one, latencies)], effort);
  const sorted = latencies.toSorted((a, b) => a - b);
  return {
    comparison: compare(own, base),
    latency: {
      perSecond: median(base.rates),
      p50: quantile(sorted, 0.5),
      p99: quantile(sorted, 0.99),
    },
  };
}
