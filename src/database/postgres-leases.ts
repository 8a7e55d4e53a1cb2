/**
 * Leases of a process on a PostgreSQL database: rows, because a pooler leaves no session to hold a lock. A
 * process that ends without a word, or sleeps, loses them after ten seconds by the clock of the database.
 */
import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { retryConflicts } from "./conflicts.ts";
import type { Pool, Turn } from "./connection-pool.ts";
import { ALL_INSTANCES, LEASE_MS } from "./coordination-tables.ts";
import { StorageUnavailableError, type Row } from "./database.ts";
import type { Lease, LeaseMode } from "./lease-mode.ts";
import type { PostgresConnection } from "./postgres-connection.ts";

/** A lease that writers compare with the head of its instance, which they have locked. */
export interface PostgresLease extends Lease {
  readonly instance: number;
  epoch(): number;
  /**
   * Takes the lease again, when another process has had the store for itself since. Waits up to `waitMs`
   * for a process that still has it; an exclusive lease is not taken again, because others may have written since.
   */
  takeAgain(waitMs: number): Promise<void>;
}

export interface PostgresLeases {
  /** Null when another lease excludes it. */
  take(name: string, mode: LeaseMode, instance: number): Promise<PostgresLease | null>;
  close(): Promise<void>;
}

interface Held {
  readonly id: string;
  readonly name: string;
  readonly mode: LeaseMode;
  readonly instance: number;
  epoch: number;
}

interface TakenRow extends Row {
  readonly is_taken: number;
  readonly epoch: number;
  /** The epoch that it found. */
  readonly before: number;
}

const UPKEEP: Turn = { line: ALL_INSTANCES, lane: "upkeep" };
/** Often, so that who waits for a lease soon knows whether its holder lives. */
const RENEW_MS = 1000;
const RETRY_MS = 50;
const MAX_RETRY_MS = 500;
const LOOK_MS = 100;
/** A lease that cannot be given back ends by itself. */
const RELEASE_MS = 2000;

export function createPostgresLeases(
  pool: Pool<PostgresConnection>,
  prepare: () => Promise<void>,
): PostgresLeases {
  const process = randomUUID();
  const held = new Set<Held>();
  let timer: NodeJS.Timeout | undefined;

  const run = <T extends Row>(sql: string) =>
    retryConflicts(() => pool.use(UPKEEP, (connection) => runScript<T>(connection, sql)));

  async function insert(lease: Held): Promise<boolean> {
    await prepare();
    const [row] = await run<TakenRow>(takeScript(process, lease));
    if (row?.is_taken !== 1) return false;
    // Of several that one command takes of an instance, each raises the epoch of those before it.
    for (const other of held) {
      const isBeside = other.instance === lease.instance && other.name !== lease.name;
      if (isBeside && other.epoch === row.before) other.epoch = row.epoch;
    }
    lease.epoch = row.epoch;
    held.add(lease);
    timer ??= setInterval(() => void renew().catch(() => {}), RENEW_MS).unref();
    return true;
  }

  /** Leases that are gone, because this process was thought to be dead, are taken again. */
  async function renew(): Promise<void> {
    const rows = await run<{ id: string }>(renewScript(process));
    const ids = new Set(rows.map(({ id }) => id));
    for (const lease of held) {
      if (!ids.has(lease.id) && lease.mode === "shared" && held.has(lease)) await insert(lease);
    }
  }

  async function takeAgain(lease: Held, waitMs: number): Promise<void> {
    if (lease.mode === "exclusive") throw lostLeaseError();
    const givesUpAt = performance.now() + waitMs;
    for (let pauseMs = RETRY_MS; !(await insert(lease)); pauseMs *= 2) {
      if (performance.now() > givesUpAt) {
        throw new StorageUnavailableError("another command has it for itself for too long");
      }
      await wait(Math.min(pauseMs, MAX_RETRY_MS) * (0.5 + Math.random() / 2));
    }
  }

  async function release(lease: Held): Promise<void> {
    if (!held.delete(lease)) return;
    if (held.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
    const giving = run(releaseScript(process, lease.id)).catch(() => {});
    await Promise.race([giving, wait(RELEASE_MS, undefined, { ref: false })]);
  }

  /** Those who exclude the lease, by their processes, with the time until which they are believed to live. */
  async function findHolders(lease: Held): Promise<ReadonlyMap<string, string>> {
    const rows = await run<{ id: string; expires_at: string }>(holdersStatement(lease));
    return new Map(rows.map(({ id, expires_at: expiresAt }) => [id, expiresAt]));
  }

  /** Takes the lease now, or when those who exclude it turn out to be dead. */
  async function takeFromLiving(lease: Held): Promise<boolean> {
    const givesUpAt = performance.now() + LEASE_MS + RENEW_MS;
    let known: ReadonlyMap<string, string> | null = null;
    while (!(await insert(lease))) {
      const holders = await findHolders(lease);
      const isAlive = ([id, expiresAt]: readonly [string, string]) =>
        id === process || (known !== null && known.get(id) !== expiresAt);
      if ([...holders].some(isAlive) || performance.now() > givesUpAt) return false;
      known = holders;
      await wait(LOOK_MS);
    }
    return true;
  }

  return {
    async take(name, mode, instance) {
      const lease = { id: randomUUID(), name, mode, instance, epoch: 0 };
      if (!(await takeFromLiving(lease))) return null;
      return {
        instance,
        epoch: () => lease.epoch,
        takeAgain: (waitMs) => takeAgain(lease, waitMs),
        release: () => release(lease),
      };
    },
    async close() {
      await Promise.all([...held].map(release));
    },
  };
}

function lostLeaseError(): StorageUnavailableError {
  return new StorageUnavailableError(
    "this command had it for itself, but was not heard of for too long, and others use it again: nothing was written since; start it again",
  );
}

async function runScript<T extends Row>(connection: PostgresConnection, sql: string): Promise<T[]> {
  try {
    return await connection.runAll<T>(sql);
  } catch (error) {
    if (!connection.isLost()) await connection.command("rollback").catch(() => {});
    throw error;
  }
}

const BEGIN = "begin isolation level read committed read write";
/** What is lost with a crash of the server is taken again by those who live. */
const NO_WAIT_FOR_DISK = "select set_config('synchronous_commit', 'off', true)";
const EXPIRES_AT = `clock_timestamp() + interval '${LEASE_MS} milliseconds'`;
const IS_ALIVE = `exists (select 1 from trellis_process p
  where p.id = l.process and p.expires_at > clock_timestamp())`;

/**
 * All statements are sent at once. The lock on the head of an instance keeps two who take a lease apart, and
 * waits for its writer; each statement after it sees what was committed before. Those who take one on a single
 * instance share the lock on all of them. An exclusive lease that has expired ends as it began, with another
 * epoch: the one who held it may wake up and go on to write.
 */
function takeScript(process: string, lease: Held): string {
  const { id, name, mode, instance } = lease;
  const isExclusive = mode === "exclusive";
  const isForAll = instance === ALL_INSTANCES;
  const both = `(${ALL_INSTANCES}, ${instance})`;
  const own = `exists (select 1 from trellis_lease where id = ${literal(id)})`;
  const concerned = isConcerned(lease);
  return [
    BEGIN,
    ...(isExclusive ? [] : [NO_WAIT_FOR_DISK]),
    `insert into trellis_head (instance)
       select given.instance from unnest(array${both.replace("(", "[").replace(")", "]")}::bigint[]) as given(instance)
       where not exists (select 1 from trellis_head h where h.instance = given.instance)
       group by given.instance on conflict do nothing`,
    `select 1 from trellis_head where instance = ${ALL_INSTANCES}
       for ${isForAll ? "update" : "share"}`,
    `select set_config('trellis.epoch', epoch::text, true) from trellis_head
       where instance = ${instance} for update`,
    `update trellis_head h set epoch = epoch + 1 where instance in ${both} and exists (
       select 1 from trellis_lease l
       where l.instance = h.instance and ${concerned} and l.is_exclusive and not ${IS_ALIVE})`,
    `delete from trellis_lease l where ${concerned} and not ${IS_ALIVE}`,
    `delete from trellis_process p where expires_at < clock_timestamp() - interval '1 minute'
       and not exists (select 1 from trellis_lease l where l.process = p.id)`,
    `insert into trellis_process (id, expires_at) values (${literal(process)}, ${EXPIRES_AT})
       on conflict (id) do update set expires_at = excluded.expires_at`,
    `insert into trellis_lease (id, process, name, instance, is_exclusive)
       select ${literal(id)}, ${literal(process)}, ${literal(name)}, ${instance}, ${isExclusive}
       where not exists (select 1 from trellis_lease l
         where ${concerned} and ${excludes(lease)})
       on conflict (id) do nothing`,
    ...(isExclusive
      ? [
          `update trellis_head set epoch = epoch + 1
             where ${isForAll ? "" : `instance = ${instance} and `}${own}`,
        ]
      : []),
    `select ${own} as is_taken, epoch, current_setting('trellis.epoch')::bigint as before
       from trellis_head where instance = ${instance}`,
    "commit",
  ].join(";\n");
}

/** Leases of the name on the same instance; one on all instances concerns each. */
function isConcerned({ name, instance }: Held): string {
  const instances =
    instance === ALL_INSTANCES ? "" : ` and l.instance in (${ALL_INSTANCES}, ${instance})`;
  return `l.name = ${literal(name)}${instances}`;
}

function excludes({ id, mode }: Held): string {
  return `l.id <> ${literal(id)}${mode === "exclusive" ? "" : " and l.is_exclusive"}`;
}

function holdersStatement(lease: Held): string {
  return `select distinct p.id, p.expires_at::text as expires_at
    from trellis_lease l join trellis_process p on p.id = l.process
    where ${isConcerned(lease)} and ${excludes(lease)}`;
}

function renewScript(process: string): string {
  return [
    BEGIN,
    NO_WAIT_FOR_DISK,
    `insert into trellis_process (id, expires_at) values (${literal(process)}, ${EXPIRES_AT})
       on conflict (id) do update set expires_at = excluded.expires_at`,
    `select id from trellis_lease where process = ${literal(process)}`,
    "commit",
  ].join(";\n");
}

function releaseScript(process: string, id: string): string {
  return [
    BEGIN,
    NO_WAIT_FOR_DISK,
    `delete from trellis_lease where id = ${literal(id)}`,
    `delete from trellis_process p where id = ${literal(process)}
       and not exists (select 1 from trellis_lease l where l.process = p.id)`,
    "commit",
  ].join(";\n");
}

/** Names and ids of ours; a quote would be doubled all the same. */
function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
