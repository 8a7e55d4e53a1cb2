/**
 * Simulates in a thread: the test runner follows every promise of its own thread, and a simulation
 * makes so many that this takes half as long as the simulation.
 */
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { SimulationResult } from "./simulate.ts";
import type { SimulationTask } from "./thread.ts";

export function startSimulations() {
  const worker = new Worker(new URL("./thread.ts", import.meta.url));
  return {
    /** One at a time. */
    async simulate(
      seed: number,
      options: Omit<SimulationTask, "seed"> = {},
    ): Promise<SimulationResult> {
      const task: SimulationTask = { seed, ...options };
      const message = once(worker, "message") as Promise<[SimulationResult]>;
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origins
      worker.postMessage(task);
      const [result] = await message;
      return result;
    },
    close: () => worker.terminate(),
  };
}
