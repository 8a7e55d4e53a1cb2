/** The sync service of the demo, which can be stopped for a moment. */
import type { LineWriter } from "../../src/http/request-log.ts";
import type { Configuration } from "../../src/configuration/configuration-schema.ts";
import { startServices, type RunningServer } from "../../src/server/start.ts";

export interface DemoSyncServer {
  whileStopped<T>(work: () => Promise<T>): Promise<T>;
  stop(): Promise<void>;
}

export async function startDemoSyncServer(
  configuration: Configuration,
  log: LineWriter,
  signal: AbortSignal,
): Promise<DemoSyncServer> {
  const start = () => startServices(configuration, ["sync"], log, signal);
  let running: RunningServer | null = await start();
  const stop = async () => {
    const stopping = running;
    running = null;
    await stopping?.stop();
  };
  return {
    async whileStopped(work) {
      await stop();
      try {
        return await work();
      } finally {
        running = await start();
      }
    },
    stop,
  };
}
