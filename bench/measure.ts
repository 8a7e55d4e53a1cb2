/** Interleaved slices: what disturbs the machine disturbs every candidate alike. */
import { cpuSeconds } from "./processes.ts";

export interface Slice {
  /** The number of requests, or of whatever else is counted. */
  readonly count: number;
  readonly seconds: number;
  /** Given where the process itself knows better what counts. */
  readonly cpuSeconds?: number;
}

export interface Candidate {
  readonly name: string;
  readonly pid: number;
  run(round: number): Promise<Slice>;
}

export interface Measured {
  readonly name: string;
  /** Requests per second of each round. */
  readonly rates: readonly number[];
  /** Processor time of the process for one request, in microseconds, over all rounds. */
  readonly cpuMicroseconds: number;
}

export interface RoundCounts {
  readonly rounds: number;
  /** A server that runs for months is measured, so its code has been compiled before. */
  readonly warmupRounds: number;
}

/**
 * Warms up servers that are measured route by route: each route runs before the first one is
 * measured, as on a server in use. Otherwise the compiler would have code for the first routes
 * only, and give it up later.
 */
export async function warmUp(
  candidates: readonly Candidate[],
  { warmupRounds }: RoundCounts,
): Promise<void> {
  for (let round = 0; round < warmupRounds; round++) {
    for (const candidate of candidates) await candidate.run(round);
  }
}

export async function measure<const Candidates extends readonly Candidate[]>(
  candidates: Candidates,
  { rounds, warmupRounds }: RoundCounts,
): Promise<{ -readonly [Index in keyof Candidates]: Measured }> {
  const rows = candidates.map((candidate) => ({
    ...candidate,
    rates: [] as number[],
    cpu: 0,
    count: 0,
  }));
  // Candidates also warm up in turns: after a pause of ten seconds V8 releases memory and code.
  for (let round = 0; round < warmupRounds + rounds; round++) {
    // Each round begins with the next candidate: none is always first, and none runs twice in a row,
    // when its code and data would still be in the caches of the processor.
    const first = round % rows.length;
    for (const row of [...rows.slice(first), ...rows.slice(0, first)]) {
      const before = cpuSeconds(row.pid);
      const { count, seconds, cpuSeconds: own } = await row.run(round);
      if (round < warmupRounds) continue;
      row.cpu += own ?? cpuSeconds(row.pid) - before;
      row.count += count;
      row.rates.push(count / seconds);
    }
  }
  return rows.map(({ name, rates, cpu, count }) => ({
    name,
    rates,
    cpuMicroseconds: (cpu / count) * 1e6,
  })) as { -readonly [Index in keyof Candidates]: Measured };
}

/** The rounds of several processes with the same code, one after the other. */
export function joinMeasured(parts: readonly Measured[]): Measured {
  const sum = parts.reduce((total, { cpuMicroseconds }) => total + cpuMicroseconds, 0);
  return {
    name: parts[0]?.name ?? "",
    rates: parts.flatMap(({ rates }) => rates),
    cpuMicroseconds: sum / parts.length,
  };
}

export interface Ratio {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

/** Compares the two rates of each round; the spread is that of the middle half. */
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

export interface Comparison {
  readonly perSecond: number;
  readonly cpuMicroseconds: number;
  readonly basePerSecond: number;
  readonly baseCpuMicroseconds: number;
  readonly ratio: Ratio;
}

export function compare(measured: Measured, base: Measured): Comparison {
  return {
    perSecond: median(measured.rates),
    cpuMicroseconds: measured.cpuMicroseconds,
    basePerSecond: median(base.rates),
    baseCpuMicroseconds: base.cpuMicroseconds,
    ratio: compareRates(measured.rates, base.rates),
  };
}

export function median(values: readonly number[]): number {
  return quantile(
    values.toSorted((a, b) => a - b),
    0.5,
  );
}

export function quantile(sorted: readonly number[], part: number): number {
  const position = (sorted.length - 1) * part;
  const below = sorted[Math.floor(position)] ?? Number.NaN;
  const above = sorted[Math.ceil(position)] ?? Number.NaN;
  return below + (above - below) * (position - Math.floor(position));
}
