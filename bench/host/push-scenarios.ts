/** Pushes to one instance and to random ones of those that are open, in turns. */
import { quantile } from "../measure.ts";
import type { Worker } from "../processes.ts";
import type { HostLoadOrder, HostLoadResult } from "./load.ts";
import type { PushRow } from "./report-host.ts";

export type HostLoad = Worker<HostLoadOrder, HostLoadResult>;

/** Sends a push to each of the instances, so many at once. */
export type Push = (
  connections: number,
  instances: readonly number[],
  kind?: "push" | "insist",
) => Promise<HostLoadResult>;

/** Numbers for so many pushes, of which no two have the same operations. */
export type Numbering = (pushes: number) => number;

export function createNumbering(): Numbering {
  let next = 0;
  return (pushes) => {
    next += pushes;
    return next - pushes;
  };
}

export function createPush(
  load: HostLoad,
  ports: readonly number[],
  takeNumbers: Numbering = createNumbering(),
): Push {
  return (connections, instances, kind = "push") => {
    const from = takeNumbers(instances.length);
    return load.ask({ kind, ports, connections, instances, from });
  };
}

const CONNECTIONS = [1, 16];
export const PUSHES_PER_ROUND = 200;

export interface PushScenario {
  readonly name: string;
  readonly push: Push;
  choose(): number;
}

export interface Effort {
  readonly rounds: number;
  /** Of each round. */
  readonly pushes?: number;
}

/** Each with one device and with sixteen. */
export async function measurePushes(
  given: readonly PushScenario[],
  { rounds, pushes = PUSHES_PER_ROUND }: Effort,
  progress: (text: string) => void,
): Promise<PushRow[]> {
  const scenarios = CONNECTIONS.flatMap((connections) =>
    given.map(({ name, push, choose }) => ({
      name: `${name}, ${describeDevices(connections)}`,
      connections,
      push,
      choose,
      results: [] as HostLoadResult[],
    })),
  );
  for (let round = 0; round < rounds; round++) {
    progress(`Round ${round + 1} of ${rounds}`);
    for (const { connections, push, choose, results } of scenarios) {
      results.push(await push(connections, Array.from({ length: pushes }, choose)));
    }
  }
  return scenarios.map(({ name, results }) => toPushRow(name, results));
}

export function describeDevices(connections: number): string {
  return connections === 1 ? "one device" : `${connections} devices`;
}

export function randomBelow(limit: number): number {
  return Math.floor(Math.random() * limit);
}

export function toPushRow(scenario: string, results: readonly HostLoadResult[]): PushRow {
  const latencies = results.flatMap((result) => result.latencies).sort((a, b) => a - b);
  const seconds = results.reduce((sum, result) => sum + result.seconds, 0);
  return {
    scenario,
    perSecond: latencies.length / seconds,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
  };
}
