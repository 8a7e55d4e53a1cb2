/** Bad days: processes that die, a disk that fills, compaction under load. */
import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { SeededRandom } from "../fixtures/seeded-random.ts";
import type { Home } from "./prepare.ts";
import type { SoakServer } from "./servers.ts";
import type { Tally } from "./tally.ts";

export interface FaultsOptions {
  readonly home: Home;
  /** Release, sync and events in one process. */
  readonly server: SoakServer;
  readonly random: SeededRandom;
  readonly tally: Tally;
}

/** Long enough that memory can grow between two restarts. */
const MIN_PAUSE_MS = 20_000;
const MAX_PAUSE_MS = 60_000;
const LOOK_MS = 250;

export type CausesByName = Readonly<Record<string, () => Promise<void>>>;

export async function causeFaults(options: FaultsOptions, isOver: () => boolean): Promise<void> {
  await repeatFaults(listFaults(options), options, isOver);
}

/** One of them after another, each time after a pause. */
export async function repeatFaults(
  faults: CausesByName,
  { random, tally }: Pick<FaultsOptions, "random" | "tally">,
  isOver: () => boolean,
): Promise<void> {
  while (!isOver()) {
    await pauseUntil(isOver, MIN_PAUSE_MS + random.below(MAX_PAUSE_MS - MIN_PAUSE_MS));
    if (isOver()) return;
    const name = random.pick(Object.keys(faults));
    tally.count("fault", name);
    await faults[name]?.();
  }
}

export async function pauseUntil(isOver: () => boolean, durationMs: number): Promise<void> {
  const startedAt = performance.now();
  while (!isOver() && performance.now() - startedAt < durationMs) await sleep(LOOK_MS);
}

export async function compact(
  config: string,
  { home, tally }: Pick<FaultsOptions, "home" | "tally">,
): Promise<void> {
  try {
    await home.run(["sync", "compact", "--config", config]);
  } catch (error) {
    tally.report(`trellis sync compact failed: ${String(error)}`);
  }
}

function listFaults({ home, server, random, tally }: FaultsOptions): CausesByName {
  const { disk } = home;
  return {
    "the server is killed": async () => {
      await server.kill("server");
      await server.start();
    },
    "the server is restarted": async () => {
      await server.stop();
      await server.start();
    },
    "the log is compacted": () => compact(home.config, { home, tally }),
    ...(disk !== null && {
      "the disk is full": () => fillDisk(disk, 5000 + random.below(10_000)),
    }),
  };
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
