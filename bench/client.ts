/**
 * How fast the sync client is, as ratios of one run: against the bare storage doing the same writes, on
 * SQLite and in Chromium on IndexedDB, and against a bare relay for live changes. `--quick` takes fewer
 * edits and operations; `--peers` installs other libraries into a temporary folder and measures them too.
 */
import { join } from "node:path";
import type { RelayOrder } from "./client/bare-relay.ts";
import { openBrowserBench, type Candidates } from "./client/browser.ts";
import { measureClientBundle } from "./client/bundle-size.ts";
import type { ClientOrder } from "./client/client-order.ts";
import { measureGrowth } from "./client/growth.ts";
import type { LiveOrder } from "./client/live-worker.ts";
import { measurePeers } from "./client/peers.ts";
import { renderClientReport, type ClientReport, type StorageRow } from "./client/report-client.ts";
import { compare, measure, type RoundCounts, type Slice } from "./measure.ts";
import { startWorker } from "./processes.ts";
import { runBenchmark, type Benchmark } from "./run-benchmark.ts";
import { SQLITE } from "./sync/store-kinds.ts";
import { createFilledStore, startSyncServer } from "./sync/sync-server.ts";

const PEER_DOCUMENTS = 10_000;

await runBenchmark(measureClient, renderClientReport, undefined, ["peers"]);

async function measureClient(benchmark: Benchmark): Promise<ClientReport> {
  const { isQuick, flags, defer, use, progress } = benchmark;
  const edits = isQuick ? 500 : 1000;
  const operations = isQuick ? 10_000 : 50_000;
  const browser = await openBrowserBench(benchmark);
  const startServer = async (length: number) => {
    progress(`Making a store of ${length} operations`);
    const store = await createFilledStore(SQLITE, length);
    defer(store.remove);
    return use(await startSyncServer(store, [], { corsOrigins: [browser.origin] }));
  };
  const server = await startServer(operations);
  const client = use(startWorker<ClientOrder, Slice>("client/client-worker.ts", "free"));
  const bare = use(startWorker<ClientOrder, Slice>("client/bare-storage.ts", "free"));
  const onSqlite = (order: ClientOrder): Candidates => [
    { name: "client", pid: client.pid, run: () => client.ask(order) },
    { name: "bare", pid: bare.pid, run: () => bare.ask(order) },
  ];

  const storages: StorageRow[] = [];
  const compareBoth = async (
    scenario: string,
    effort: RoundCounts,
    sqlite: Candidates,
    inBrowser: () => Promise<Candidates>,
  ) => {
    for (const [storage, find] of [
      ["SQLite", async () => sqlite],
      ["IndexedDB", inBrowser],
    ] as const) {
      progress(`Measuring ${scenario} on ${storage}`);
      const [own, base] = await measure(await find(), effort);
      storages.push({ scenario, storage, comparison: compare(own, base) });
    }
  };
  for (const [words, isTogether] of [
    ["one after the other", false],
    ["at once", true],
  ] as const) {
    await compareBoth(
      `${edits} edits, ${words}`,
      { rounds: isQuick ? 2 : 4, warmupRounds: 1 },
      onSqlite({ kind: "edits", count: edits, isTogether }),
      () => browser.edits(edits, isTogether),
    );
  }
  const { port } = server;
  await compareBoth(
    `first sync of ${operations} operations`,
    // One takes so long that its first pages are the warm-up.
    { rounds: 2, warmupRounds: 0 },
    onSqlite({ kind: "first-sync", count: operations, port }),
    () => browser.firstSync(port, operations),
  );

  const growth = await measureGrowth(benchmark, (await startServer(1)).port);
  const live = await measureLive(benchmark, (await startServer(1)).port);
  const peers = flags.has("peers")
    ? await measurePeers(benchmark, {
        documents: PEER_DOCUMENTS,
        live: live.client,
        startFirstSync: async () => {
          const { port: ofPeers } = await startServer(PEER_DOCUMENTS);
          // The worker is as new as the processes of the other libraries.
          const fresh = use(startWorker<ClientOrder, Slice>("client/client-worker.ts", "free"));
          return () => fresh.ask({ kind: "first-sync", count: PEER_DOCUMENTS, port: ofPeers });
        },
      })
    : null;
  return {
    storages,
    growth,
    live,
    bundle: await measureClientBundle(),
    peers,
  };
}

/** Client and bare relay take turns. */
async function measureLive(
  { isQuick, use, progress, createFolder }: Benchmark,
  port: number,
): Promise<ClientReport["live"]> {
  progress("Measuring live changes");
  const [turns, count] = isQuick ? [2, 25] : [10, 50];
  const folder = await createFolder();
  const relay = use(startWorker<RelayOrder, { port: number }>("client/bare-relay.ts", "free"));
  const { port: relayPort } = await relay.ask({ path: join(folder, "relay.db") });
  const devices = use(startWorker<LiveOrder, readonly number[]>("client/live-worker.ts", "free"));
  await devices.ask({ kind: "open", port, relayPort });
  const times = { client: [] as number[], bare: [] as number[] };
  for (let turn = 0; turn <= turns; turn++) {
    for (const kind of ["client", "bare"] as const) {
      const measured = await devices.ask({ kind, count });
      // The first turn compiles the code, so it does not count.
      if (turn > 0) times[kind].push(...measured);
    }
  }
  await devices.ask({ kind: "close" });
  return times;
}
