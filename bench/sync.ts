/**
 * How fast the sync service is, as ratios of one run: against the bare store writing and reading the
 * same rows, and with a long log against a short one. `--quick` takes a shorter long log,
 * `--store postgres` PostgreSQL instead of SQLite.
 */
import {
  compare,
  joinMeasured,
  measure,
  median,
  type Candidate,
  type Measured,
  type RoundCounts,
  type Slice,
} from "./measure.ts";
import { startWorker } from "./processes.ts";
import { runBenchmark, type Benchmark } from "./run-benchmark.ts";
import { readMemory, type ComparisonRow, type MemoryRow } from "./tables.ts";
import type { BareOrder } from "./sync/bare-orders.ts";
import type { SyncLoadOrder } from "./sync/load.ts";
import {
  MANY_FIELDS_TARGET,
  renderSyncReport,
  SYNC_TARGETS,
  type SyncReport,
} from "./sync/report-sync.ts";
import { SQLITE, startPostgresKind, type BenchedStore } from "./sync/store-kinds.ts";
import { createFilledStore, startSyncServer, type SyncServer } from "./sync/sync-server.ts";

const SMALL_LOG = 10_000;
const FIRST_SYNC = 100_000;
const PAGE = 500;
/** The compiler is done with the code of a process only after more than a thousand pushes. */
const WARMUP_PUSHES = 1440;
/** What the first pushes have not compiled yet is the code of one route. */
const WARMUP_REQUESTS = 480;
/** Enough per slice to fill the core's shared caches, and for several pushes of each of sixteen clients. */
const PUSHES = { sqlite: 96, postgres: 32 };
const PULLS = 40;
const DEVICE_REQUESTS = 1000;
const MANY = 16;
const FIELD_PUSHES = 40;
const MANY_FIELDS = 50_000;
const FEW_FIELDS = 10;
const PROCESSES = 3;
/** Two processes with the same code differ by some percent for as long as they run, so several are compared. */
const STARTS = 3;

await runBenchmark(measureSync, renderSyncReport, ["sqlite", "postgres"]);

async function measureSync(benchmark: Benchmark): Promise<SyncReport> {
  const { isQuick, defer, use, progress } = benchmark;
  const isShared = benchmark.store === "postgres";
  const pushes = PUSHES[benchmark.store];
  const rounds = isQuick ? 5 : 11;
  const effortOf: EffortOf = (count, warmup = WARMUP_REQUESTS) => ({
    rounds,
    warmupRounds: Math.ceil(warmup / count),
  });
  const load = use(startWorker<SyncLoadOrder, Slice>("sync/load.ts", "free"));
  const serverAt: ServerAt = (name, { pid, port, token }, order) => ({
    name,
    pid,
    run: (round) => load.ask({ ...order(round), port, token }),
  });
  const processes = isShared ? [await compareProcesses(benchmark, serverAt, effortOf)] : [];
  const kind = isShared ? await startPostgresKind() : SQLITE;
  defer(kind.close);
  const targets = SYNC_TARGETS[benchmark.store];
  const largeLog = isQuick ? 150_000 : 1_000_000;
  const [short, long, plain] = [
    await makeStore(benchmark, kind, SMALL_LOG),
    await makeStore(benchmark, kind, largeLog),
    await makeStore(benchmark, kind, SMALL_LOG),
  ];
  // Compiled sources are kept when a server stops; only the first start ever is without them.
  await (await startSyncServer(short)).stop();
  const small = use(await startSyncServer(short));
  const large = use(await startSyncServer(long));
  const bare = use(startWorker<BareOrder, Slice>(kind.bareWorker, "free"));
  await bare.ask({ kind: "open", address: kind.bareAddress(plain.address) });

  const memory: MemoryRow[] = [];
  const remember = (after: string) => memory.push(readMemory(after, large.pid));
  remember("start");

  const bareAt = (order: (round: number) => BareOrder): Candidate => ({
    name: "bare",
    pid: bare.pid,
    run: (round) => bare.ask(order(round)),
  });

  const againstBare: ComparisonRow[] = [];
  const againstSmall: ComparisonRow[] = [];
  const compareAll = async (
    scenario: string,
    target: number,
    order: LoadOrder,
    bareOrder: (round: number) => BareOrder,
    effort: RoundCounts,
  ) => {
    progress(`Measuring ${scenario}`);
    const [own, base, grown] = await measure(
      [serverAt("short", small, order), bareAt(bareOrder), serverAt("long", large, order)],
      effort,
    );
    againstBare.push({ scenario, target, comparison: compare(own, base) });
    againstSmall.push({ scenario, target: targets.flat, comparison: compare(grown, own) });
    remember(scenario);
  };

  // The snapshot is read before the pushes, which make more entities.
  progress("Reading a snapshot");
  const { count, seconds } = await serverAt("snapshot", large, () => ({ kind: "snapshot" })).run(0);
  remember("snapshot");
  progress(`Measuring a first sync of ${FIRST_SYNC} operations`);
  const reader = use(startWorker<BareOrder, Slice>(kind.bareWorker, "free"));
  await reader.ask({ kind: "open", address: kind.bareAddress(long.address) });
  const [synced, read] = await measure(
    [
      serverAt("sync", large, () => ({ kind: "sync", limit: PAGE, length: FIRST_SYNC })),
      {
        name: "bare",
        pid: reader.pid,
        run: () => reader.ask({ kind: "read", limit: PAGE, length: FIRST_SYNC }),
      },
    ],
    effortOf(FIRST_SYNC / PAGE),
  );
  againstBare.push({
    scenario: `first sync of ${FIRST_SYNC} operations, in operations`,
    target: null,
    comparison: compare(synced, read),
  });
  remember("first sync");

  for (const connections of kind.pushClients) {
    const target = connections === 1 ? targets.pushOne : targets.pushMany;
    const push = pushesBy(`device-${connections}`, pushes, connections);
    const isFirst = connections === kind.pushClients[0];
    const effort = effortOf(pushes, isFirst ? WARMUP_PUSHES : WARMUP_REQUESTS);
    await compareAll(pushScenario(connections), target, push, push, effort);
  }
  const pulls = { kind: "pull", limit: PAGE, count: PULLS, spread: SMALL_LOG } as const;
  for (const connections of [1, MANY]) {
    await compareAll(
      `pull of ${PAGE}, ${describeClients(connections)}`,
      targets.pull,
      () => ({ ...pulls, connections }),
      () => pulls,
      effortOf(PULLS),
    );
  }

  const manyFields = await compareFields(benchmark, serverAt, small, effortOf(FIELD_PUSHES));
  progress("Measuring GET /v1/device");
  const askDevice: LoadOrder = () => ({
    kind: "get",
    path: "/v1/device",
    count: DEVICE_REQUESTS,
    connections: MANY,
  });
  const [device] = await measure([serverAt("device", small, askDevice)], effortOf(DEVICE_REQUESTS));

  return {
    bareDescription: kind.bareDescription,
    clients: isShared
      ? await compareClients(benchmark, kind, serverAt, small, effortOf(pushes))
      : [],
    processes,
    smallLog: SMALL_LOG,
    largeLog,
    entities: long.entities,
    againstBare,
    againstSmall,
    manyFields,
    device: { perSecond: median(device.rates), cpuMicroseconds: device.cpuMicroseconds },
    snapshot: { megabytes: count / 1e6, seconds },
    memory,
  };
}

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

/** What the load generator does in a round. */
type LoadOrder = (round: number) => DistributiveOmit<SyncLoadOrder, "port" | "token">;

/** How long to measure slices of so many requests, after so many others. */
type EffortOf = (count: number, warmup?: number) => RoundCounts;

type ServerAt = (name: string, server: SyncServer, order: LoadOrder) => Candidate;

/** Pushes of a device that goes on in every round where it ended in the one before. */
function pushesBy(device: string, count: number, connections: number) {
  return (round: number) =>
    ({ kind: "push", device, from: round * count, count, connections }) as const;
}

function pushScenario(connections: number): string {
  return `push of 100, ${describeClients(connections)}`;
}

function describeClients(connections: number): string {
  return connections === 1 ? "one client" : `${connections} clients`;
}

/** A push of one field of an entity with many, against one with few. */
async function compareFields(
  { progress }: Benchmark,
  serverAt: ServerAt,
  server: SyncServer,
  effort: RoundCounts,
): Promise<ComparisonRow> {
  progress(`Measuring pushes of one field of ${MANY_FIELDS}`);
  const candidates: Candidate[] = [];
  for (const fields of [MANY_FIELDS, FEW_FIELDS]) {
    const device = `fields-${fields}`;
    await serverAt("fill", server, () => ({ kind: "fill-entity", device, fields })).run(0);
    candidates.push(
      serverAt(`${fields}`, server, (round) => ({
        kind: "push-field",
        device,
        fields,
        from: round * FIELD_PUSHES,
        count: FIELD_PUSHES,
      })),
    );
  }
  const [many, few] = await measure(candidates as [Candidate, Candidate], effort);
  return {
    scenario: `push of one field of ${MANY_FIELDS}, against one of ${FEW_FIELDS}`,
    target: MANY_FIELDS_TARGET,
    comparison: compare(many, few),
  };
}

/** More clients share commits, so that they never get less done together. */
async function compareClients(
  { progress }: Benchmark,
  { pushClients }: BenchedStore,
  serverAt: ServerAt,
  server: SyncServer,
  effort: RoundCounts,
): Promise<ComparisonRow[]> {
  progress("Measuring more clients against fewer");
  const measured = await measure(
    pushClients.map((connections) => {
      const push = pushesBy(`device-of-${connections}`, PUSHES.postgres, connections);
      return serverAt(pushScenario(connections), server, push);
    }),
    effort,
  );
  return measured.slice(1).map((own, index) => ({
    scenario: own.name,
    target: 1,
    comparison: compare(own, measured[index] as Measured),
  }));
}

/**
 * Several processes on one database are for failover and capacity: they must not cost speed. They have a
 * PostgreSQL of their own: on the one that all other rows had written to, pushes were a tenth slower.
 */
async function compareProcesses(
  { isQuick, progress }: Benchmark,
  serverAt: ServerAt,
  effortOf: EffortOf,
): Promise<ComparisonRow> {
  const scenario = `${pushScenario(MANY)}, ${PROCESSES} processes`;
  // The clients are divided between the processes, so a slice is long enough for several pushes of each.
  const pushes = PROCESSES * PUSHES.postgres;
  const push = pushesBy(`device-of-${MANY}`, pushes, MANY);
  const several: Measured[] = [];
  const one: Measured[] = [];
  const starts = isQuick ? 1 : STARTS;
  while (one.length < starts) {
    progress(`Measuring ${scenario}, start ${one.length + 1} of ${starts}`);
    await using started = new AsyncDisposableStack();
    const kind = await startPostgresKind();
    started.defer(kind.close);
    const start = async (...words: string[]) => {
      const store = await createFilledStore(kind, SMALL_LOG);
      started.defer(store.remove);
      const server = await startSyncServer(store, words);
      started.defer(server.stop);
      return server;
    };
    const [own, base] = await measure(
      [
        serverAt("several", await start("--workers", String(PROCESSES)), push),
        serverAt("one", await start(), push),
      ],
      // Each process compiles its own code.
      effortOf(pushes, 2 * WARMUP_PUSHES),
    );
    several.push(own);
    one.push(base);
  }
  const comparison = compare(joinMeasured(several), joinMeasured(one));
  return { scenario, target: 1, comparison };
}

async function makeStore({ defer, progress }: Benchmark, kind: BenchedStore, operations: number) {
  progress(`Making a store of ${operations} operations`);
  const store = await createFilledStore(kind, operations);
  defer(store.remove);
  progress(`It took ${store.fillSeconds.toFixed(1)} s`);
  return store;
}
