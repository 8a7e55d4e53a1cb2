/** Opens the store that a configuration names, beside others who work with it or alone. */
import type { Database } from "../database/database.ts";
import { takeLease, type Lease, type LeaseMode } from "../database/lease.ts";
import { openDatabase } from "../database/open-database.ts";

/** The services that have a store; each takes leases under its own name. */
export type StoreOwner = "sync" | "events";

/** Others are in the way: a restore, or whatever a restore must not disturb. */
export class StoreInUseError extends Error {
  constructor(owner: StoreOwner, mode: LeaseMode) {
    super(
      mode === "exclusive"
        ? `The store is in use: stop \`trellis serve\` and wait for other \`trellis ${owner}\` commands, then try again`
        : "The store is being restored: try again when that is done",
    );
    this.name = "StoreInUseError";
  }
}

/** Nobody restores the store while this lease is held. */
export async function leaseStore(
  owner: StoreOwner,
  store: string,
  mode: LeaseMode,
): Promise<Lease> {
  const lease = await takeLease(store, owner, mode);
  if (lease === null) throw new StoreInUseError(owner, mode);
  return lease;
}

/** `open` takes the database over; closing what it makes ends the lease too. */
export async function openLeasedStore<S extends { close(): Promise<void> }>(
  owner: StoreOwner,
  store: string,
  open: (database: Database) => Promise<S>,
): Promise<S> {
  const lease = await leaseStore(owner, store, "shared");
  try {
    const opened = await openUnleased(store, open);
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

async function openUnleased<S>(
  store: string,
  open: (database: Database) => Promise<S>,
): Promise<S> {
  const database = await openDatabase(store);
  try {
    return await open(database);
  } catch (error) {
    await database.close();
    throw error;
  }
}
