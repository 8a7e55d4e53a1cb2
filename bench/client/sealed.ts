/** How much longer a client with encryption takes. */
import { compare, measure, type Candidate } from "../measure.ts";
import { startWorker } from "../processes.ts";
import type { Benchmark } from "../run-benchmark.ts";
import { SQLITE } from "../sync/store-kinds.ts";
import { createFilledStore, startSyncServer } from "../sync/sync-server.ts";
import type { GrowthRow } from "./report-client.ts";
import type { SealedOrder, SealedResult } from "./sealed-worker.ts";

const ENTITIES = 10_000;
/** The processor time of a first sync, and of an edit, as a multiple of that without encryption. */
const MAX_TIMES = { "first-sync": 3, edits: 1.5 } as const;

export async function measureSealed(benchmark: Benchmark): Promise<readonly GrowthRow[]> {
  const { isQuick, progress } = benchmark;
  const effort = { rounds: isQuick ? 3 : 9, warmupRounds: 1 };
  progress(`Uploading ${ENTITIES} entities, sealed and clear`);
  const devices = [
    await startDevices(benchmark, true),
    await startDevices(benchmark, false),
  ] as const;
  const compareBoth = async (scenario: string, kind: keyof typeof MAX_TIMES, count: number) => {
    progress(`Measuring ${scenario}, sealed and clear`);
    const [sealed, clear] = devices.map((start) => start(kind, count)) as [Candidate, Candidate];
    const { ratio } = compare(...(await measure([sealed, clear], effort)));
    return {
      scenario: `${scenario}, sealed against clear`,
      ratio: 1 / ratio.median,
      bound: MAX_TIMES[kind],
    };
  };
  return [
    await compareBoth(`first sync of ${ENTITIES} entities`, "first-sync", ENTITIES),
    await compareBoth("edits, one after the other", "edits", isQuick ? 500 : 2000),
  ];
}

/** A server of its own with the entities, and devices of its account. */
async function startDevices({ defer, use }: Benchmark, isSealed: boolean) {
  const store = await createFilledStore(SQLITE, 0);
  defer(store.remove);
  const profile = isSealed ? "sealed" : "habits";
  const { port } = use(await startSyncServer(store, [], { profile }));
  const worker = use(startWorker<SealedOrder, SealedResult>("client/sealed-worker.ts", "free"));
  const first = {
    kind: "upload",
    port,
    count: ENTITIES,
    recoveryKey: isSealed ? "" : null,
  } as const;
  const { recoveryKey } = await worker.ask(first);
  return (kind: SealedOrder["kind"], count: number): Candidate => ({
    name: profile,
    pid: worker.pid,
    run: () => worker.ask({ kind, port, count, recoveryKey }),
  });
}
