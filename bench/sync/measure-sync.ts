/**
 * Interleaved slices of a fixed number of requests, so that every candidate writes the same. All of
 * them are warmed up with the same slices first, bare too.
 */
import { compareRates, median, type Ratio } from "../measure.ts";
import { cpuSeconds } from "../processes.ts";

export interface Slice {
  readonly count: number;
  readonly seconds: number;
  /** Where the process itself knows better what counts. */
  readonly cpuSeconds?: number;
}

export interface SyncCandidate {
  readonly name: string;
  readonly pid: number;
  run(round: number): Promise<Slice>;
}

export interface SyncMeasured {
  readonly name: string;
  readonly rates: readonly number[];
  /** Processor time of the measured process for one request, in microseconds. */
  readonly cpuMicroseconds: number;
}

/**
 * A server that runs for months is measured, so its code has been compiled before: that takes it some
 * five hundred pushes, and its time for one goes on falling until then.
 */
const WARMUP_ROUNDS = 30;

export async function measureSync(
  candidates: readonly SyncCandidate[],
  rounds: number,
): Promise<SyncMeasured[]> {
  for (const { run } of candidates) {
    for (let round = 0; round < WARMUP_ROUNDS; round++) await run(round);
  }
  const rows = candidates.map((candidate) => ({
    ...candidate,
    rates: [] as number[],
    cpu: 0,
    count: 0,
  }));
  for (let round = WARMUP_ROUNDS; round < WARMUP_ROUNDS + rounds; round++) {
    for (const row of round % 2 === 0 ? rows.toReversed() : rows) {
      const before = cpuSeconds(row.pid);
      const { count, seconds, cpuSeconds: own } = await row.run(round);
      row.cpu += own ?? cpuSeconds(row.pid) - before;
      row.count += count;
      row.rates.push(count / seconds);
    }
  }
  return rows.map(({ name, rates, cpu, count }) => ({
    name,
    rates,
    cpuMicroseconds: (cpu / count) * 1e6,
  }));
}

export interface SyncComparison {
  readonly perSecond: number;
  readonly cpuMicroseconds: number;
  readonly basePerSecond: number;
  readonly baseCpuMicroseconds: number;
  readonly ratio: Ratio;
}

export function compareSync(measured: SyncMeasured, base: SyncMeasured): SyncComparison {
  return {
    perSecond: median(measured.rates),
    cpuMicroseconds: measured.cpuMicroseconds,
    basePerSecond: median(base.rates),
    baseCpuMicroseconds: base.cpuMicroseconds,
    ratio: compareRates(measured.rates, base.rates),
  };
}
