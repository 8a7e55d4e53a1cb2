/** What happens to the server, and what its operator does. */
import type { RunningApp } from "./simulated-device.ts";
import type { SimulationWorld } from "./simulation-world.ts";

const CALM_DISTURBANCES = { backUp: 15, copyFolder: 20, compact: 12, kill: 12, stop: 4 } as const;
const RECOVERIES = { restore: 15, rollBackFolder: 14, rollBackDatabase: 8, move: 4 } as const;
const NO_RECOVERIES = { restore: 0, rollBackFolder: 0, rollBackDatabase: 0, move: 0 } as const;
/** A server that loses its clock too sets aside what follows the steps of a thief: `clock.test.ts`. */
const CLOCK_LOSSES = { rollBackFolder: 0, move: 0 } as const;
const DISTURBANCES = { ...CALM_DISTURBANCES, ...RECOVERIES, purge: 15 };

export async function disturbServer(world: SimulationWorld): Promise<void> {
  const { server, dice, network, trace } = world;
  if (!server.isUp()) return startServer(world);
  const kind = dice.weighted<keyof typeof DISTURBANCES>({
    ...DISTURBANCES,
    ...(!world.hasRecoveries && NO_RECOVERIES),
    ...(!world.hasPurges && { purge: 0 }),
    ...(world.hasThief && CLOCK_LOSSES),
  });
  trace(`server: ${kind}`);
  if (kind === "backUp") return server.backUp();
  if (kind === "compact") return server.compact();
  if (kind === "purge") {
    for (const id of await server.purge()) {
      world.history.purged.add(world.sealed?.entityIdOf(id) ?? id);
    }
    return;
  }
  if (kind === "copyFolder") return server.copyFolder();
  network.streams.endAll();
  if (kind === "kill") await server.kill();
  else await server.stop();
  if (kind === "restore") await server.restore();
  if (kind === "rollBackFolder") server.rollBack("folder");
  if (kind === "rollBackDatabase") server.rollBack("database");
  if (kind === "move") await server.move();
  if (dice.chance(70)) await startServer(world);
}

export async function startServer({ server, trace }: SimulationWorld): Promise<void> {
  if (server.isUp()) return;
  await server.start();
  trace("server: started");
}

export async function revoke(
  { server, network, dice, trace }: SimulationWorld,
  app: RunningApp | undefined,
): Promise<void> {
  if (!server.isUp()) return;
  const deviceId = dice.chance(80) ? (app?.client.deviceId ?? null) : null;
  trace(`the operator revokes ${deviceId ?? "all"}`);
  await server.revoke(deviceId);
  network.streams.endAll();
}
