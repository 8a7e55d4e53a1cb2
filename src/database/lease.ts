/**
 * A lease on a store: any number of processes share it, or one has it exclusively. Of a SQLite file it is a lock,
 * which the operating system ends with its process; of a PostgreSQL database it is a row: `postgres-leases.ts`.
 */
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { ALL_INSTANCES } from "./coordination-tables.ts";
import { createPrivateFolder } from "./create-private-folder.ts";
import type { Lease, LeaseMode } from "./lease-mode.ts";
import { ONLY_INSTANCE } from "./instance-parameter.ts";
import { findNamedInstance } from "./named-instance.ts";
import type { PostgresLease } from "./postgres-leases.ts";
import { usePostgres } from "./postgres-process.ts";
import { isBusy, toSqliteError } from "./sqlite-errors.ts";
import { sqlitePath } from "./sqlite-path.ts";

/** The lease of a store that writers must have: of a file it cannot be lost. */
export type StoreLease = Lease | PostgresLease;

/**
 * Takes a lease; null when another lease excludes it. `instance` is for an address that names none. Services that share a database have leases of
 * different names, and its instances never exclude each other.
 */
export async function takeLease(
  store: string,
  name: string,
  mode: LeaseMode,
  instance: number = ONLY_INSTANCE,
): Promise<StoreLease | null> {
  const path = sqlitePath(store);
  return path === undefined
    ? takeServerLease(store, name, mode, instance)
    : takeFileLease(`${path}.lock`, mode);
}

/** Takes the lease of a task that one process on the store does at a time; null while another does it. */
export async function takeTaskLease(
  store: string,
  task: string,
  instance: number = ONLY_INSTANCE,
): Promise<Lease | null> {
  const path = sqlitePath(store);
  return path === undefined
    ? takeServerLease(store, task, "exclusive", instance)
    : takeFileLease(`${path}.${task.replaceAll(" ", "-")}.lock`, "exclusive");
}

/** An open transaction on an empty SQLite file beside the store. */
function takeFileLease(path: string, mode: LeaseMode): Lease | null {
  createPrivateFolder(dirname(path));
  let handle: DatabaseSync | undefined;
  try {
    handle = new DatabaseSync(path, { timeout: 0 });
    if (mode === "exclusive") handle.exec("begin exclusive");
    else {
      handle.exec("begin");
      // The first read takes the lock.
      handle.prepare("select count(*) from sqlite_schema").get();
    }
  } catch (error) {
    handle?.close();
    if (isBusy(error)) return null;
    throw toSqliteError(error);
  }
  const held = handle;
  return {
    release: async () => {
      if (held.isOpen) held.close();
    },
  };
}

async function takeServerLease(
  store: string,
  name: string,
  mode: LeaseMode,
  given: number,
): Promise<PostgresLease | null> {
  const { address, instance: named = given } = await findNamedInstance(store);
  const instance = given === ALL_INSTANCES ? given : named;
  const process = await usePostgres(address);
  const lease = await process.leases.take(name, mode, instance).catch(async (error: unknown) => {
    await process.release();
    throw error;
  });
  if (lease === null) {
    await process.release();
    return null;
  }
  return {
    ...lease,
    async release() {
      await lease.release();
      await process.release();
    },
  };
}
