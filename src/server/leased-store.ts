import type { Database } from "../database/database.ts";
import { takeLease, type Lease, type LeaseMode } from "../database/lease.ts";
import { openDatabase } from "../database/open-database.ts";

/** The services that have a store; each takes leases under its own name. */
export type StoreOwner = "sync" | "events";

/** Thrown when a restore runs, or to a restore while other processes use the store. */
export class StoreInUseError extends Error {
  constructor(owner: StoreOwner, mode: LeaseMode) {
    super(
      mode === "exclusive"
        ? `The store is in use: stop \`trellis serve\` and wait for other \`trellis ${owner}\` commands, then try again`
        : "The store is being restored: try again when the restore has finished",
    );
    this.name = "StoreInUseError";
  }
}

/** No restore runs while a shared lease is held; an exclusive lease is the only one. */
export async function leaseStore(
  owner: StoreOwner,
  store: string,
  mode: LeaseMode,
): Promise<Lease> {
  const lease = await takeLease(store, owner, mode);
  if (lease === null) throw new StoreInUseError(owner, mode);
  return lease;
}

/** Closing the returned store also closes the database and releases the lease. */
export async function openLeasedStore<S extends { close(): Promise<void> }>(
  owner: StoreOwner,
  store: string,
  open: (database: Database) => Promise<S>,
): Promise<S> {
  const lease = await leaseStore(owner, store, "shared");
  try {
    const database = await openDatabase(store);
    const opened = await open(database).catch(async (error: unknown) => {
      await database.close();
      throw error;
    });
    const close = async () => {
      await opened.close();
      await lease.release();
    };
    return { ...opened, close };
  } catch (error) {
    await lease.release();
    throw error;
  }
}
