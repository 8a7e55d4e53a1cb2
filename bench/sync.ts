/**
 * How fast the sync service is, as ratios of one run: against bare `node:sqlite` writing and reading
 * the same rows, and with a long log against a short one. `--quick` takes a shorter long log.
 */
import { compare, measure, median, type Candidate, type Slice } from "./measure.ts";
import { startWorker } from "./processes.ts";
import { runBenchmark, type Benchmark } from "./run-benchmark.ts";
import { readMemory, type ComparisonRow, type MemoryRow } from "./tables.ts";
import type { BareOrder } from "./sync/bare-store.ts";
import type { SyncLoadOrder } from "./sync/load.ts";
import { renderSyncReport, SYNC_TARGETS, type SyncReport } from "./sync/report-sync.ts";
import { createFilledStore, startSyncServer, type SyncServer } from "./sync/sync-server.ts";

const SMALL_LOG = 10_000;
const FIRST_SYNC = 100_000;
const PAGE = 500;
/** It takes a server some thousand pushes until the compiler is done with its code. */
const WARMUP_ROUNDS = 15;
/**
 * In one slice: many enough that the caches of the core, which the candidates share, are its own, and
 * that sixteen clients have six pushes each, not only a first and a last.
 */
const PUSHES = 96;
const PULLS = 40;
const DEVICE_REQUESTS = 1000;
const MANY = 16;

await runBenchmark(measureSync, renderSyncReport);

async function measureSync(benchmark: Benchmark): Promise<SyncReport> {
  const { isQuick, defer, progress } = benchmark;
  const largeLog = isQuick ? 100_000 : 1_000_000;
  const effort = { rounds: isQuick ? 5 : 11, warmupRounds: WARMUP_ROUNDS };
  const [short, long, plain] = [
    await makeStore(benchmark, SMALL_LOG),
    await makeStore(benchmark, largeLog),
    await makeStore(benchmark, SMALL_LOG),
  ];
  const load = startWorker<SyncLoadOrder, Slice>("sync/load.ts", "free");
  defer(load.stop);
  // Compiled sources are kept when a server stops; only the first start ever is without them.
  await (await startSyncServer(short)).stop();
  const small = await startSyncServer(short);
  defer(small.stop);
  const large = await startSyncServer(long);
  defer(large.stop);
  const bare = startWorker<BareOrder, Slice>("sync/bare-store.ts", "free");
  defer(bare.stop);
  await bare.ask({ kind: "open", path: plain.path });

  const memory: MemoryRow[] = [];
  const remember = (after: string) => memory.push(readMemory(after, large.pid));
  remember("start");

  const serverAt = (
    name: string,
    server: SyncServer,
    order: (round: number) => DistributiveOmit<SyncLoadOrder, "port" | "token">,
  ): Candidate => ({
    name,
    pid: server.pid,
    run: async (round) =>
      load.ask({ ...order(round), port: server.port, token: await server.accessToken() }),
  });
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
    order: (round: number) => DistributiveOmit<SyncLoadOrder, "port" | "token">,
    bareOrder: (round: number) => BareOrder,
  ) => {
    progress(`Measuring ${scenario}`);
    const [own, base, grown] = await measure(
      [serverAt("short", small, order), bareAt(bareOrder), serverAt("long", large, order)],
      effort,
    );
    againstBare.push({ scenario, target, comparison: compare(own, base) });
    againstSmall.push({
      scenario,
      target: SYNC_TARGETS.flat,
      comparison: compare(grown, own),
    });
    remember(scenario);
  };

  // Before the pushes, which make more entities.
  progress("Reading a snapshot");
  const { count, seconds } = await serverAt("snapshot", large, () => ({ kind: "snapshot" })).run(0);
  remember("snapshot");
  progress(`Measuring a first sync of ${FIRST_SYNC} operations`);
  const reader = startWorker<BareOrder, Slice>("sync/bare-store.ts", "free");
  defer(reader.stop);
  await reader.ask({ kind: "open", path: long.path });
  const [synced, read] = await measure(
    [
      serverAt("sync", large, () => ({ kind: "sync", limit: PAGE, length: FIRST_SYNC })),
      {
        name: "bare",
        pid: reader.pid,
        run: () => reader.ask({ kind: "read", limit: PAGE, length: FIRST_SYNC }),
      },
    ],
    effort,
  );
  againstBare.push({
    scenario: `first sync of ${FIRST_SYNC} operations, in operations`,
    target: null,
    comparison: compare(synced, read),
  });
  remember("first sync");

  for (const [scenario, connections, target] of [
    ["push of 100, one client", 1, SYNC_TARGETS.pushOne],
    [`push of 100, ${MANY} clients`, MANY, SYNC_TARGETS.pushMany],
  ] as const) {
    const push = (round: number) =>
      ({
        kind: "push",
        device: `device-${connections}`,
        from: round * PUSHES,
        count: PUSHES,
      }) as const;
    await compareAll(scenario, target, (round) => ({ ...push(round), connections }), push);
  }
  for (const [scenario, connections] of [
    [`pull of ${PAGE}, one client`, 1],
    [`pull of ${PAGE}, ${MANY} clients`, MANY],
  ] as const) {
    await compareAll(
      scenario,
      SYNC_TARGETS.pull,
      () => ({ kind: "get", path: `/v1/pull?limit=${PAGE}`, count: PULLS, connections }),
      () => ({ kind: "pull", limit: PAGE, count: PULLS }),
    );
  }

  progress("Measuring GET /v1/device");
  const [device] = await measure(
    [
      serverAt("device", small, () => ({
        kind: "get",
        path: "/v1/device",
        count: DEVICE_REQUESTS,
        connections: MANY,
      })),
    ],
    effort,
  );

  return {
    date: new Date().toISOString().slice(0, 10),
    smallLog: SMALL_LOG,
    largeLog,
    entities: long.entities,
    againstBare,
    againstSmall,
    device: {
      perSecond: median(device.rates),
      cpuMicroseconds: device.cpuMicroseconds,
    },
    snapshot: { megabytes: count / 1e6, seconds },
    memory,
  };
}

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

async function makeStore({ defer, progress }: Benchmark, operations: number) {
  progress(`Making a store of ${operations} operations`);
  const store = await createFilledStore(operations);
  defer(store.remove);
  progress(`It took ${store.fillSeconds.toFixed(1)} s`);
  return store;
}
