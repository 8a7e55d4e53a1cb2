/** Simulates the seeds it is sent. */
import { parentPort } from "node:worker_threads";
import { BROKEN_CLIENTS, BROKEN_SEALED_CLIENTS } from "./broken-clients.ts";
import { BROKEN_SERVERS, type BrokenServer } from "./broken-servers.ts";
import { simulate, type SimulationResult } from "./simulate.ts";

export interface SimulationTask {
  readonly seed: number;
  /** The name of what breaks the client, or the server. */
  readonly broken?: string;
  readonly isSealed?: boolean;
}

parentPort?.on("message", async ({ seed, broken, isSealed = false }: SimulationTask) => {
  const breakClient = (isSealed ? BROKEN_SEALED_CLIENTS : BROKEN_CLIENTS)[broken ?? ""];
  const brokenServers: Readonly<Record<string, BrokenServer>> = BROKEN_SERVERS;
  const brokenServer = brokenServers[broken ?? ""];
  const result: SimulationResult = await simulate(seed, {
    ...(breakClient && { breakClient }),
    ...(brokenServer && { brokenServer }),
    isSealed,
  });
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origins
  parentPort?.postMessage(result);
});
