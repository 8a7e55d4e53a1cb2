/**
 * What end-to-end encryption takes, as multiples of what the client takes without it, in one run on SQLite.
 * `--quick` takes fewer rounds.
 */
import { measureClientBundle, measureEncryptedBundle } from "./client/bundle-size.ts";
import type { DeviceOrder, DeviceResult } from "./encryption/device-worker.ts";
import { renderEncryptionReport, type EncryptionReport } from "./encryption/report-encryption.ts";
import { measure, type Candidate } from "./measure.ts";
import { startWorker } from "./processes.ts";
import { runBenchmark, type Benchmark } from "./run-benchmark.ts";
import { SQLITE } from "./sync/store-kinds.ts";
import { createFilledStore, startSyncServer } from "./sync/sync-server.ts";

const ENTITIES = 10_000;
/** What encryption may take, as a multiple of what it takes without. */
const MAX_RATIOS = { "first-sync": 3, edits: 1.5, bytes: 2.5 } as const;

await runBenchmark(measureEncryption, renderEncryptionReport);

async function measureEncryption(benchmark: Benchmark): Promise<EncryptionReport> {
  const { isQuick, progress } = benchmark;
  const effort = { rounds: isQuick ? 3 : 9, warmupRounds: 1 };
  progress(`Uploading ${ENTITIES} entities, sealed and clear`);
  const sealed = await startDevices(benchmark, true);
  const clear = await startDevices(benchmark, false);
  const compareTimes = async (what: string, kind: "first-sync" | "edits", count: number) => {
    progress(`Measuring ${what}, sealed and clear`);
    const [own, base] = await measure(
      [sealed.candidate(kind, count), clear.candidate(kind, count)],
      effort,
    );
    // The disk of the machine changes wall time, and says nothing about encryption.
    const ratio = own.cpuMicroseconds / base.cpuMicroseconds;
    return { what, ratio, bound: MAX_RATIOS[kind] };
  };
  const rows = [
    await compareTimes(
      `processor time of a first sync of ${ENTITIES} entities`,
      "first-sync",
      ENTITIES,
    ),
    await compareTimes("processor time of an edit", "edits", isQuick ? 500 : 2000),
  ];
  const [own, base] = [await sealed.firstSync(), await clear.firstSync()];
  const compareBytes = (what: string, member: "pulledBytes" | "deviceBytes") => ({
    what,
    ratio: own[member] / base[member],
    bound: MAX_RATIOS.bytes,
  });
  return {
    rows: [
      ...rows,
      compareBytes("bytes of the log", "pulledBytes"),
      compareBytes("bytes on the device", "deviceBytes"),
    ],
    bundleKilobytes:
      (await measureEncryptedBundle()).compressedKilobytes -
      (await measureClientBundle()).compressedKilobytes,
  };
}

/** A server of its own with the entities, and devices of its account. */
async function startDevices({ defer, use }: Benchmark, isSealed: boolean) {
  const store = await createFilledStore(SQLITE, 0);
  defer(store.remove);
  const profile = isSealed ? "sealed" : "habits";
  const { port } = use(await startSyncServer(store, [], { profile }));
  const worker = use(startWorker<DeviceOrder, DeviceResult>("encryption/device-worker.ts", "free"));
  const first = {
    kind: "upload",
    port,
    count: ENTITIES,
    recoveryKey: isSealed ? "" : null,
  } as const;
  const { recoveryKey } = await worker.ask(first);
  const run = (kind: DeviceOrder["kind"], count: number) =>
    worker.ask({ kind, port, count, recoveryKey });
  return {
    candidate: (kind: DeviceOrder["kind"], count: number): Candidate => ({
      name: profile,
      pid: worker.pid,
      run: () => run(kind, count),
    }),
    firstSync: () => run("first-sync", ENTITIES),
  };
}
