/** Interleaved slices: what disturbs the machine disturbs every candidate alike. */
import { cpuSeconds, type Worker } from "./processes.ts";
import type { LoadOrder, LoadResult } from "./load.ts";

export interface Candidate {
  readonly name: string;
  readonly pid: number;
  readonly order: Omit<LoadOrder, "durationMs" | "connections">;
}

export interface Measured {
  readonly name: string;
  /** Requests per second of each round. */
  readonly rates: readonly number[];
  /** Processor time of the server for one request, in microseconds, over all rounds. */
  readonly cpuMicroseconds: number;
}

export interface Effort {
  readonly rounds: number;
  readonly sliceMs: number;
  readonly warmupMs: number;
  readonly connections: number;
}

export async function measure(
  load: Worker<LoadOrder, LoadResult>,
  candidates: readonly Candidate[],
  effort: Effort,
): Promise<Measured[]> {
  const slice = (order: Candidate["order"], durationMs: number) =>
    load.ask({ ...order, durationMs, connections: effort.connections });
  for (const { order } of candidates) await slice(order, effort.warmupMs);
  const rows = candidates.map((candidate) => ({
    ...candidate,
    rates: [] as number[],
    cpu: 0,
    responses: 0,
  }));
  for (let round = 0; round < effort.rounds; round++) {
    // Every other round backwards: nobody is always the first after a pause.
    for (const row of round % 2 === 0 ? rows : rows.toReversed()) {
      const before = cpuSeconds(row.pid);
      const { responses, seconds } = await slice(row.order, effort.sliceMs);
      row.cpu += cpuSeconds(row.pid) - before;
      row.responses += responses;
      row.rates.push(responses / seconds);
    }
  }
  return rows.map(({ name, rates, cpu, responses }) => ({
    name,
    rates,
    cpuMicroseconds: (cpu / responses) * 1e6,
  }));
}

export interface Ratio {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

/** Of the two rates of each round; the spread is that of the middle half. */
export function compareRates(rates: readonly number[], base: readonly number[]): Ratio {
  const ratios = rates
    .map((rate, round) => rate / (base[round] ?? Number.NaN))
    .sort((a, b) => a - b);
  return {
    median: quantile(ratios, 0.5),
    low: quantile(ratios, 0.25),
    high: quantile(ratios, 0.75),
  };
}

export function median(values: readonly number[]): number {
  return quantile(
    values.toSorted((a, b) => a - b),
    0.5,
  );
}

function quantile(sorted: readonly number[], part: number): number {
  const position = (sorted.length - 1) * part;
  const below = sorted[Math.floor(position)] ?? Number.NaN;
  const above = sorted[Math.ceil(position)] ?? Number.NaN;
  return below + (above - below) * (position - Math.floor(position));
}
