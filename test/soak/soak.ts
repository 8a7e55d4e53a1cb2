/**
 * A long run of all three services with honest and hostile clients, while processes die, the disk
 * fills, PostgreSQL restarts and its network is cut: `npm run soak -- --minutes 60`. It ends with exit code 1 when
 * anything that was acknowledged is gone, or anything happened that no fault explains.
 */
import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { createSeededRandom } from "../fixtures/seeded-random.ts";
import { attack } from "./attackers.ts";
import { createDevices } from "./devices.ts";
import { causeDatabaseFaults } from "./database-faults.ts";
import { causeFaults } from "./faults.ts";
import { drawMemory, summarizeMemory, type MemorySeries } from "./memory.ts";
import { createPlanner } from "./planner.ts";
import { CLOSED_INSTANCES, OWNER_INSTANCE, prepareHome } from "./prepare.ts";
import { createReleases } from "./releases.ts";
import { createServer } from "./servers.ts";
import { createTally, type Tally } from "./tally.ts";
import { thrash } from "./thrash.ts";

const SAMPLE_MS = 5000;

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "60" },
    seed: { type: "string", default: String(Date.now() % 2 ** 31) },
    picture: { type: "string" },
  },
});
const minutes = Number(values.minutes);
const seed = Number(values.seed);
if (!(minutes > 0) || !Number.isSafeInteger(seed)) {
  console.error("Give --minutes as a positive number, and --seed as an integer");
  process.exit(2);
}
process.exitCode = (await soak(minutes, seed, values.picture)) ? 0 : 1;

async function soak(duration: number, seedOfRun: number, picture?: string): Promise<boolean> {
  const random = createSeededRandom(seedOfRun);
  const tally = createTally();
  console.log(`Soaking for ${duration} minutes, seed ${seedOfRun}`);
  const home = await prepareHome();
  const server = createServer("server", ["--config", home.config], tally);
  const hosted = createServer(
    "hosted server",
    ["--config", home.hosted.config, "--workers", "2"],
    tally,
  );
  const host = createServer("host", ["--config", home.host.config], tally);
  const servers = [server, hosted, host];
  try {
    for (const one of servers) await one.start();
    const revokeAt =
      (...place: string[]) =>
      async (deviceId: string) =>
        void (await home.run([
          "sync",
          "devices",
          "revoke",
          deviceId,
          "--yes",
          "--config",
          ...place,
        ]));
    const onSqlite = await createDevices({
      name: "sqlite",
      port: home.ports.sync,
      random,
      tally,
      revoke: revokeAt(home.config),
    });
    const onPostgres = await createDevices({
      name: "postgres",
      port: home.hosted.port,
      random,
      tally,
      revoke: revokeAt(home.hosted.config),
    });
    const onHost = await createDevices({
      name: "host",
      port: home.host.port,
      random,
      tally,
      revoke: revokeAt(home.host.config, "--instance", OWNER_INSTANCE),
    });
    const releases = await createReleases(home, tally);
    const planner = await createPlanner(home, tally);
    const targets = {
      release: `http://127.0.0.1:${home.ports.release}`,
      sync: [`http://127.0.0.1:${home.ports.sync}`, `http://127.0.0.1:${home.hosted.port}`],
      events: `http://127.0.0.1:${home.ports.events}`,
      syncToken: onSqlite.accessToken,
    };
    const floods = [
      { port: home.ports.sync, instances: null, token: "", usedRefreshToken: "" },
      { port: home.host.port, instances: CLOSED_INSTANCES, token: "", usedRefreshToken: "" },
    ];

    const startedAt = performance.now();
    const elapsed = () => (performance.now() - startedAt) / 60_000;
    const isOver = () => elapsed() >= duration;
    const memory: MemorySeries[] = servers.map(({ name }) => ({ name, samples: [] }));
    const sampling = setInterval(() => {
      for (const [index, one] of servers.entries()) {
        const size = one.residentMemory();
        if (size !== null) memory[index]?.samples.push([elapsed(), size]);
      }
    }, SAMPLE_MS);
    await Promise.all([
      onSqlite.work(isOver),
      onPostgres.work(isOver),
      onHost.work(isOver),
      releases.work(isOver),
      planner.work(isOver),
      attack(targets, random, tally, isOver),
      thrash(floods, random, tally, isOver),
      causeFaults({ home, server, random, tally }, isOver),
      causeDatabaseFaults({ home, hosted, random, tally }, isOver),
    ]);
    clearInterval(sampling);

    const [devices, hostedDevices] = [await onSqlite.check(), await onPostgres.check()];
    const instance = await onHost.check();
    const [maker, person] = [await releases.check(), await planner.check()];
    for (const one of servers) await one.stop();
    const lost = [
      ...devices.lost,
      ...hostedDevices.lost,
      ...instance.lost,
      ...maker.lost,
      ...person.lost,
    ];
    const acknowledged = {
      "operations on SQLite": devices.acknowledged,
      "operations on PostgreSQL": hostedDevices.acknowledged,
      "operations on a host": instance.acknowledged,
      "published releases": maker.published,
      "imported events": person.imported,
    };
    printReport(tally, acknowledged, lost, memory);
    if (picture !== undefined) await writeFile(picture, drawMemory(memory, duration));
    return lost.length === 0 && tally.problems.length === 0;
  } finally {
    for (const one of servers) await one.kill("server");
    await home.remove();
  }
}

function printReport(
  tally: Tally,
  acknowledged: Readonly<Record<string, number>>,
  lost: readonly string[],
  memory: readonly MemorySeries[],
): void {
  console.log("\nAcknowledged, and asked for again at the end");
  console.table(acknowledged);
  console.log(lost.length === 0 ? "Nothing was lost." : `LOST:\n${lost.join("\n")}`);
  console.log("\nResident memory in MB, workers included: second quarter, last quarter, peak");
  console.table(
    memory.map(summarizeMemory).map(({ name, early, late, peak }) => ({
      name,
      early: Math.round(early),
      late: Math.round(late),
      peak: Math.round(peak),
    })),
  );
  console.log("\nWhat happened, by client and result");
  console.table(Object.fromEntries([...tally.results].toSorted(([a], [b]) => (a < b ? -1 : 1))));
  console.log(
    tally.problems.length === 0
      ? "Nothing happened that a fault does not explain."
      : `PROBLEMS:\n${tally.problems.join("\n")}`,
  );
}
