/**
 * Bad days of a service on PostgreSQL: its processes die or sleep, the network to the database is cut, the database
 * restarts, and the log is compacted meanwhile.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { connectToPostgres } from "../database/administer-postgres.ts";
import { isListening } from "../fixtures/is-listening.ts";
import {
  compact,
  pauseUntil,
  repeatFaults,
  type CausesByName,
  type FaultsOptions,
} from "./faults.ts";
import type { SoakServer } from "./servers.ts";

export interface DatabaseFaultsOptions extends Omit<FaultsOptions, "server"> {
  /** Sync on PostgreSQL, in workers. */
  readonly hosted: SoakServer;
}

const FIRST_PAUSE_MS = 1000;
/** Longer than a process that says nothing is believed to live, and than a transaction may be idle. */
const SLEEP_MS = 13_000;
const CUT_MS = 4000;

/** Each of them once at the beginning, the worst first, so that a short run has those; then one now and then. */
export async function causeDatabaseFaults(
  options: DatabaseFaultsOptions,
  isOver: () => boolean,
): Promise<void> {
  const faults = listFaults(options, isOver);
  for (const [name, cause] of Object.entries(faults)) {
    await pauseUntil(isOver, FIRST_PAUSE_MS);
    if (isOver()) return;
    options.tally.count("fault", name);
    await cause();
  }
  await repeatFaults(faults, options, isOver);
}

function listFaults(
  { home, hosted, random, tally }: DatabaseFaultsOptions,
  isOver: () => boolean,
): CausesByName {
  return {
    "the hosted server is killed": async () => {
      await hosted.kill("server");
      // Its workers end when they lose their primary, and free the port.
      while (await isListening(home.hosted.port)) await sleep(100);
      await hosted.start();
    },
    "the network to PostgreSQL is cut": async () => {
      home.network.cut();
      await pauseUntil(isOver, CUT_MS);
      home.network.mend();
    },
    "a worker sleeps": async () => {
      const asleep = await putToSleep(hosted, home.postgres.port);
      if (asleep?.isInTransaction === true)
        tally.count("fault", "a worker sleeps in a transaction");
      await pauseUntil(isOver, SLEEP_MS);
      asleep?.wake();
    },
    "a worker is killed": () => hosted.kill("worker"),
    "PostgreSQL restarts": async () => {
      await home.postgres.stopServer();
      await sleep(random.below(3000));
      await home.postgres.startServer();
    },
    "the hosted log is compacted": () => compact(home.hosted.config, { home, tally }),
  };
}

/** Transactions that have written or locked, and wait for their client since then. */
const IDLE = `select pid, state_change::text as since from pg_stat_activity
  where state = 'idle in transaction' and backend_xid is not null`;
const LOOK_MS = 4000;
/** Within this time a process that is awake goes on. */
const AWAKE_MS = 15;

/** Puts a worker to sleep, if possible while the database waits for it: again and again, for a bounded time. */
async function putToSleep(hosted: SoakServer, port: number) {
  const sql = connectToPostgres(port);
  const read = async () => Array.from(await sql.unsafe<{ pid: number; since: string }[]>(IDLE));
  const startedAt = performance.now();
  try {
    for (;;) {
      const wake = hosted.putToSleep();
      if (wake === null) return null;
      const idle = await read();
      if (idle.length > 0) await sleep(AWAKE_MS);
      const later = idle.length === 0 ? [] : await read();
      const isInTransaction = later.some(({ pid, since }) =>
        idle.some((one) => one.pid === pid && one.since === since),
      );
      if (isInTransaction || performance.now() - startedAt > LOOK_MS) {
        return { wake, isInTransaction };
      }
      wake();
      await sleep(1);
    }
  } finally {
    await sql.end();
  }
}
