/** Instances in one database, which four processes serve: what grows with their number, and what must not. */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { freePort, residentMegabytes, startWorker } from "../processes.ts";
import { quantile } from "../measure.ts";
import type { Benchmark } from "../run-benchmark.ts";
import { openLoadConnection } from "../send-requests.ts";
import { startDatabaseServer } from "./database-server.ts";
import {
  PROCESSES,
  startPooledProcesses,
  startProcesses,
  writeConfiguration,
  type Served,
} from "./host-processes.ts";
import type { HostDevice, HostLoadOrder, HostLoadResult } from "./load.ts";
import { addByCommands, addDevice, copyRows, type DatabaseHost } from "./make-database-host.ts";
import {
  createNumbering,
  createPush,
  measurePushes,
  randomBelow,
  toPushRow,
  type HostLoad,
  type Effort,
  type Numbering,
  type PushScenario,
} from "./push-scenarios.ts";
import type { DatabaseStateRow, PostgresHostReport, PushRow, TakeoverRow } from "./report-host.ts";

const FEW = 10;
const MANY = 16;
const SERVED_MS = 20;

export async function measurePostgresHost(benchmark: Benchmark): Promise<PostgresHostReport> {
  const { isQuick, defer, use, progress } = benchmark;
  const [instances, active] = isQuick ? [1000, 48] : [10_000, 500];
  const effort = isQuick ? { rounds: 1, pushes: 100 } : { rounds: 3 };
  const dataDir = await benchmark.createFolder();
  const database = await startDatabaseServer(await benchmark.createFolder());
  defer(database.close);
  const host = { dataDir, config: join(dataDir, "trellis.config.json"), store: database.address };
  await writeConfiguration(host, host.config, await freePort(), active);
  const load = use(startWorker<HostLoadOrder, HostLoadResult>("host/load.ts", "free"));
  const states: DatabaseStateRow[] = [];
  const note = async (after: string) =>
    states.push({ after, ...(await readState(database.superuser)), ...memoryOf(processes) });

  progress(`Making ${FEW} instances`);
  const first = await addByCommands(host, "first", FEW);
  const devices: HostDevice[] = [];
  for (const name of first) devices.push(await addDevice(host, name));
  const started = new AsyncDisposableStack();
  defer(() => started.disposeAsync());
  const processes = await startProcesses(started, host, "process", active);
  const ports = processes.map(({ port }) => port);
  await load.ask({ kind: "devices", devices });
  const takeNumbers = createNumbering();
  const push = createPush(load, ports, takeNumbers);
  await push(1, listNumbers(FEW));
  const few = await measurePushes(
    [{ name: `one of ${FEW} instances`, push, choose: () => 0 }],
    effort,
    progress,
  );
  await note(`pushes to ${FEW} instances`);

  progress(`Adding ${instances - FEW} instances`);
  const startedAt = performance.now();
  const names = await addByCommands(host, "other", instances - FEW);
  const addSeconds = (performance.now() - startedAt) / 1000;
  const servedMs = await waitUntilServed(ports, `${names.at(-1)}.example.com`);
  progress("Giving them rows, and some of them a device");
  for (const name of names.slice(0, active - FEW)) devices.push(await addDevice(host, name));
  await copyRows(database.superuser, first[FEW - 1] ?? "");
  await load.ask({ kind: "devices", devices });

  progress(`Opening ${active} instances, the first push to each`);
  const opening = await push(MANY, listNumbers(active));
  await note(`a push to each of ${active}`);
  const random = { name: `random of ${active} open`, choose: () => randomBelow(active) };
  const pushes = await measurePushes(
    [
      { name: `one of ${instances} instances`, push, choose: () => 0 },
      { ...random, push },
    ],
    effort,
    progress,
  );
  await note("the pushes to open instances");
  const pooled = await measurePooled(random, { host, load, active, takeNumbers, effort, progress });
  progress("Dumping the database");
  const dump = await database.dump();
  const takeovers: TakeoverRow[] = [];
  for (const [index, signal] of (["SIGKILL", "SIGSTOP"] as const).entries()) {
    progress(`Ending a process with ${signal}`);
    const crowd = use(startWorker<HostLoadOrder, HostLoadResult>("host/load.ts", "free"));
    await crowd.ask({ kind: "devices", devices });
    takeovers.push(
      await measureTakeover(processes, { index, signal, load, crowd, takeNumbers, active }),
    );
  }
  return {
    version: database.version,
    instances,
    active,
    processes: PROCESSES,
    addSeconds,
    servedMs,
    pushes: [
      ...few,
      ...pushes,
      ...pooled,
      toPushRow(`the first push to each of ${active}, ${MANY} devices`, [opening]),
    ],
    states,
    dump,
    takeovers,
  };
}

const listNumbers = (length: number) => Array.from({ length }, (_, index) => index);

interface Pooled {
  readonly host: DatabaseHost;
  readonly load: HostLoad;
  readonly active: number;
  readonly takeNumbers: Numbering;
  readonly effort: Effort;
  readonly progress: Benchmark["progress"];
}

/**
 * Pushes through a pooler, by processes of their own, which then end. They begin after the others were measured:
 * eight processes on two cores would slow both.
 */
async function measurePooled(
  { name, choose }: Pick<PushScenario, "name" | "choose">,
  { host, load, active, takeNumbers, effort, progress }: Pooled,
): Promise<PushRow[]> {
  progress(`Opening them at ${PROCESSES} processes behind PgBouncer`);
  await using cleanups = new AsyncDisposableStack();
  const processes = await startPooledProcesses(cleanups, host, active);
  const ports = processes.map(({ port }) => port);
  const push = createPush(load, ports, takeNumbers);
  await push(MANY, listNumbers(active));
  return await measurePushes(
    [{ name: `${name}, through PgBouncer`, push, choose }],
    effort,
    progress,
  );
}

/** The last process of a balancer's list notices a new instance too. */
async function waitUntilServed(ports: readonly number[], host: string): Promise<number> {
  const startedAt = performance.now();
  for (const port of ports) {
    const connection = await openLoadConnection(port);
    const request = Buffer.from(`GET /v1/health HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    while ((await connection.ask(request)).status !== 200) await sleep(SERVED_MS);
    connection.socket.destroy();
  }
  return performance.now() - startedAt;
}

async function readState(superuser: string) {
  const sql = postgres(superuser, { max: 1 });
  const [row] = await sql<{ relations: string; connections: string; bytes: string }[]>`select
    (select count(*) from pg_class where relnamespace = 'public'::regnamespace) as relations,
    (select count(*) from pg_stat_activity where usename = 'trellis_service') as connections,
    pg_database_size(current_database()) as bytes`;
  await sql.end();
  const { relations, connections, bytes } = row ?? {};
  return {
    relations: Number(relations),
    connections: Number(connections),
    databaseMegabytes: Number(bytes) / 1e6,
  };
}

function memoryOf(processes: readonly Served[]): { readonly residentMegabytes: number } {
  return { residentMegabytes: Math.max(...processes.map(({ pid }) => residentMegabytes(pid).now)) };
}

interface Takeover {
  readonly index: number;
  readonly signal: "SIGKILL" | "SIGSTOP";
  readonly load: HostLoad;
  /** Keeps the process busy until it ends. */
  readonly crowd: HostLoad;
  readonly takeNumbers: Numbering;
  readonly active: number;
}

const BUSY_MS = 500;
/** More than the process can take before it ends; their numbers stay below the greatest jump of a sequence. */
const CROWD_PUSHES = 1000;

/** Until when each instance of the process has a push acknowledged by another one. */
async function measureTakeover(
  processes: readonly Served[],
  { index, signal, load, crowd, takeNumbers, active }: Takeover,
): Promise<TakeoverRow> {
  const ended = processes[index];
  if (ended === undefined) throw new Error("There is no such process");
  const mine = listNumbers(active).filter((number) => number % PROCESSES === index);
  const pushAlone = createPush(crowd, [ended.port], takeNumbers);
  const busy = Array.from({ length: CROWD_PUSHES }, () => mine[randomBelow(mine.length)] ?? 0);
  // Its connections end with the process.
  const crowding = pushAlone(MANY, busy).catch(() => {});
  await sleep(BUSY_MS);
  process.kill(ended.pid, signal);
  const others = processes
    .filter((one, at) => one !== ended && at >= index)
    .map(({ port }) => port);
  const { latencies } = await createPush(load, others, takeNumbers)(MANY, mine, "insist");
  if (signal === "SIGSTOP") process.kill(ended.pid, "SIGKILL");
  await crowding;
  const sorted = latencies.toSorted((a, b) => a - b);
  return {
    how: signal === "SIGKILL" ? "killed" : "stopped in the middle of its work",
    instances: mine.length,
    medianMs: quantile(sorted, 0.5),
    lastMs: quantile(sorted, 1),
  };
}
