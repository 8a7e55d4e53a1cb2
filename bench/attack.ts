/**
 * What an attack takes from a legitimate device: its pulls while others attack, against its pulls under a
 * flood of requests that are refused as cheaply as any, on one instance and on a host with many. `--quick`
 * takes fewer and shorter rounds.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { AttackOrder, AttackResult } from "./attack/attack-worker.ts";
import { ATTACKS, CONTROL, get, OWNER, type Attack, type AttackTarget } from "./attack/attacks.ts";
import type { ReaderOrder, ReaderResult } from "./attack/reader-worker.ts";
import {
  renderAttackReport,
  type AttackReport,
  type AttackRow,
  type StalledReaders,
} from "./attack/report-attack.ts";
import { ACCESS_TOKEN, hostOf, makeInstances } from "./host/make-instances.ts";
import { compareRates, median, quantile } from "./measure.ts";
import {
  freePort,
  residentMegabytes,
  startService,
  startWorker,
  type Worker,
} from "./processes.ts";
import { runBenchmark, type Benchmark } from "./run-benchmark.ts";
import { sendRequests } from "./send-requests.ts";
import { createPushRequest } from "./sync/operations.ts";
import { SQLITE } from "./sync/store-kinds.ts";
import { createFilledStore, startSyncServer, type SyncServer } from "./sync/sync-server.ts";

const CONNECTIONS = 16;
/** A snapshot of seven megabytes. */
const OPERATIONS = 10_000;
/** The owner's log on a host. */
const OWNER_PUSHES = 10;
const INSTANCES = 1000;
/** As many as there are attackers, so that they can use all of them at once. */
const MAX_OPEN = 16;
const TRUSTED_PROXIES = ["127.0.0.1"];
/** The attack is under way when the device begins, and goes on until it has ended. */
const LEAD_SECONDS = 0.3;
const STALLED_SECONDS = 4;

interface Server {
  readonly name: string;
  /** The owner's pull. */
  readonly pull: string;
  /** What the attackers know. */
  readonly target: AttackTarget;
  readonly attacks: readonly Attack[];
}

interface Workers {
  readonly attacker: Worker<AttackOrder, AttackResult>;
  readonly reader: Worker<ReaderOrder, ReaderResult>;
}

interface Effort {
  readonly rounds: number;
  readonly seconds: number;
}

await runBenchmark(measureAttacks, renderAttackReport);

async function measureAttacks(benchmark: Benchmark): Promise<AttackReport> {
  const { isQuick, use, progress } = benchmark;
  const effort: Effort = isQuick ? { rounds: 2, seconds: 0.5 } : { rounds: 5, seconds: 0.8 };
  const workers: Workers = {
    attacker: use(startWorker<AttackOrder, AttackResult>("attack/attack-worker.ts", "free")),
    reader: use(startWorker<ReaderOrder, ReaderResult>("attack/reader-worker.ts", "free")),
  };
  progress(`Making a store of ${OPERATIONS} operations`);
  const store = await createFilledStore(SQLITE, OPERATIONS);
  benchmark.defer(store.remove);
  const one = use(await startSyncServer(store, [], { trustedProxies: TRUSTED_PROXIES }));
  const instance = await describeInstance(one);
  const stalled = await measureStalled(instance, one.pid, workers, progress);
  const host = await startHost(benchmark);
  const servers = [];
  for (const server of [instance, host]) {
    const rows = await measureServer(server, workers, effort, progress);
    servers.push({ name: server.name, rows });
  }
  return { connections: CONNECTIONS, rounds: effort.rounds, servers, stalled };
}

async function describeInstance(server: SyncServer): Promise<Server> {
  const { port, token } = server;
  const usedRefreshToken = await server.usedRefreshToken("replaced");
  return {
    name: "one instance",
    attacks: ATTACKS.filter(({ on }) => on !== "a host"),
    pull: pullOf("localhost", token),
    target: { port, instances: null, token, usedRefreshToken },
  };
}

async function startHost({ createFolder, use, progress }: Benchmark): Promise<Server> {
  const dataDir = await createFolder();
  progress(`Making ${INSTANCES} instances`);
  await makeInstances(dataDir, INSTANCES);
  const port = await freePort();
  const operator = { listen: { port: await freePort() } };
  const sync = { listen: { port }, maxOpen: MAX_OPEN };
  const config = join(dataDir, "trellis.config.json");
  const settings = { dataDir, trustedProxies: TRUSTED_PROXIES, sync, operator };
  await writeFile(config, JSON.stringify(settings));
  const ready = `http://127.0.0.1:${operator.listen.port}/readyz`;
  use(await startService("sync", config, ready, "free"));
  const owner = { host: hostOf(OWNER), token: ACCESS_TOKEN };
  const pushes = Array.from({ length: OWNER_PUSHES }, (_, push) =>
    createPushRequest("owner", push, owner),
  );
  await sendRequests(port, 1, pushes);
  const target = { port, instances: INSTANCES, token: ACCESS_TOKEN, usedRefreshToken: "" };
  return {
    name: `a host with ${INSTANCES} instances, of which ${MAX_OPEN} may be open`,
    attacks: ATTACKS.filter(({ on }) => on !== "one instance"),
    pull: pullOf(owner.host, ACCESS_TOKEN),
    target,
  };
}

function pullOf(host: string, token: string): string {
  return get(host, "/v1/pull?limit=100", token).toString();
}

interface Round {
  readonly attacks: number;
  readonly read: ReaderResult;
}

async function measureServer(
  server: Server,
  workers: Workers,
  { rounds, seconds }: Effort,
  progress: Benchmark["progress"],
): Promise<AttackRow[]> {
  const measured = [CONTROL, ...server.attacks].map((attack) => ({
    attack,
    rounds: [] as Round[],
  }));
  // The first round compiles the code of the server, and does not count.
  for (let round = 0; round <= rounds; round++) {
    progress(`${server.name}: ${round === 0 ? "warm-up" : `round ${round} of ${rounds}`}`);
    for (const { attack, rounds: results } of measured) {
      const result = await attackAndRead(server, workers, attack, seconds);
      if (round > 0) results.push(result);
    }
  }
  const control = measured[0]?.rounds ?? [];
  return measured.map(({ attack, rounds: results }) => toRow(attack, results, control));
}

async function attackAndRead(
  { pull, target }: Server,
  { attacker, reader }: Workers,
  { name }: Attack,
  seconds: number,
): Promise<Round> {
  const attackSeconds = seconds + 2 * LEAD_SECONDS;
  const attacking = attacker.ask({
    attack: name,
    target,
    connections: CONNECTIONS,
    seconds: attackSeconds,
  });
  await sleep(LEAD_SECONDS * 1000);
  const read = await reader.ask({ port: target.port, request: pull, seconds });
  const { count } = await attacking;
  return { attacks: count / attackSeconds, read };
}

function toRow(attack: Attack, rounds: readonly Round[], control: readonly Round[]): AttackRow {
  const rates = (of: readonly Round[]) => of.map(({ read }) => read.pulls / read.seconds);
  const sum = (member: "refused" | "serverErrors") =>
    rounds.reduce((total, { read }) => total + read[member], 0);
  const latencies = rounds.flatMap(({ read }) => read.latencies).sort((a, b) => a - b);
  return {
    attack: attack.name,
    attacksPerSecond: attack.held === undefined ? median(rounds.map((one) => one.attacks)) : null,
    pullsPerSecond: median(rates(rounds)),
    p99: quantile(latencies, 0.99),
    ratio: compareRates(rates(rounds), rates(control)),
    refused: sum("refused"),
    serverErrors: sum("serverErrors"),
    target: attack.target,
  };
}

/** What readers that stop reading cost, beside what as many that read to the end leave in the heap. */
async function measureStalled(
  { target }: Server,
  pid: number,
  { attacker }: Workers,
  progress: Benchmark["progress"],
): Promise<StalledReaders> {
  const attack = ATTACKS.find(({ name }) => name === "stalled snapshot readers");
  if (attack?.held === undefined) throw new Error("The benchmark has no stalled readers");
  const headers = { Authorization: `Bearer ${target.token}` };
  const url = `http://127.0.0.1:${target.port}/v1/snapshot`;
  const read = async () => (await (await fetch(url, { headers })).arrayBuffer()).byteLength;
  const [byteLength = 0] = await Promise.all(Array.from({ length: attack.held }, read));
  progress(`Holding ${attack.held} readers of a snapshot of ${byteLength} bytes`);
  const before = residentMegabytes(pid).now;
  const stalling = attacker.ask({
    attack: attack.name,
    target,
    connections: CONNECTIONS,
    seconds: STALLED_SECONDS,
  });
  await sleep((STALLED_SECONDS - 1) * 1000);
  const during = residentMegabytes(pid).now;
  await stalling;
  return {
    readers: attack.held,
    snapshotMegabytes: byteLength / 1e6,
    residentMegabytes: { before, during },
  };
}
