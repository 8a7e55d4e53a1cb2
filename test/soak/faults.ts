/** Bad days: processes that die, a disk that fills, a database that restarts, compaction under load. */
import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isListening } from "../fixtures/is-listening.ts";
import type { SeededRandom } from "../fixtures/seeded-random.ts";
import type { Home } from "./prepare.ts";
import type { SoakServer } from "./servers.ts";
import type { Tally } from "./tally.ts";

export interface FaultsOptions {
  readonly home: Home;
  /** Release, sync and events in one process. */
  readonly server: SoakServer;
  /** Sync on PostgreSQL, in workers. */
  readonly hosted: SoakServer;
  readonly random: SeededRandom;
  readonly tally: Tally;
}

/** Long enough that memory can grow between two restarts. */
const MIN_PAUSE_MS = 20_000;
const MAX_PAUSE_MS = 60_000;

export async function causeFaults(options: FaultsOptions, isOver: () => boolean): Promise<void> {
  const { random, tally } = options;
  const faults = listFaults(options);
  while (!isOver()) {
    const pause = MIN_PAUSE_MS + random.below(MAX_PAUSE_MS - MIN_PAUSE_MS);
    for (let waited = 0; waited < pause && !isOver(); waited += 250) await sleep(250);
    if (isOver()) return;
    const name = random.pick(Object.keys(faults));
    tally.count("fault", name);
    await faults[name]?.();
  }
}

function listFaults({ home, server, hosted, random, tally }: FaultsOptions) {
  const faults: Record<string, () => Promise<void>> = {
    "the server is killed": async () => {
      await server.kill("server");
      await server.start();
    },
    "the server is restarted": async () => {
      await server.stop();
      await server.start();
    },
    "a worker is killed": () => hosted.kill("worker"),
    "the hosted server is killed": async () => {
      await hosted.kill("server");
      // Its workers end when they lose their primary, and free the port.
      while (await isListening(home.hosted.port)) await sleep(100);
      await hosted.start();
    },
    "PostgreSQL restarts": async () => {
      await home.postgres.stopServer();
      await sleep(random.below(3000));
      await home.postgres.startServer();
    },
    "the log is compacted": () => runSafely(["sync", "compact", "--config", home.config]),
    "the hosted log is compacted": () =>
      runSafely(["sync", "compact", "--config", home.hosted.config]),
  };
  const { disk } = home;
  if (disk !== null) faults["the disk is full"] = () => fillDisk(disk, 5000 + random.below(10_000));
  return faults;

  async function runSafely(words: readonly string[]): Promise<void> {
    try {
      await home.run(words);
    } catch (error) {
      tally.report(`trellis ${words.slice(0, 2).join(" ")} failed: ${String(error)}`);
    }
  }
}

async function fillDisk(disk: string, durationMs: number): Promise<void> {
  const ballast = join(disk, "ballast");
  const chunk = Buffer.alloc(1024 * 1024);
  const file = await open(ballast, "w");
  try {
    for (let size = chunk.length; size > 0;) {
      try {
        await file.write(chunk, 0, size);
      } catch {
        size = size > 4096 ? 4096 : 0;
      }
    }
    await sleep(durationMs);
  } finally {
    await file.close();
    await rm(ballast);
  }
}
