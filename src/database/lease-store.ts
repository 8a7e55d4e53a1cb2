import type { LeaseMode } from "./lease-mode.ts";
import { takeLease, type StoreLease } from "./lease.ts";
import { ONLY_INSTANCE } from "./instance-parameter.ts";
import { useDatabase, type OpenDatabase } from "./open-database.ts";
import { sqlitePath } from "./sqlite-path.ts";
import type { StoreOwner } from "./store-kind.ts";

/** Thrown while a command has the store for itself, or to such a command while others use the store. */
export class StoreInUseError extends Error {
  constructor(owner: StoreOwner, mode: LeaseMode) {
    super(
      mode === "exclusive"
        ? `The store is in use: stop \`trellis serve\`${owner === "sync" ? " (or suspend one of several instances with `trellis sync instance suspend NAME`)" : ""} and wait for other \`trellis ${owner}\` commands, then try again`
        : "Another command has the store for itself, such as a restore, an upgrade or a rotation of the key: try again when it has finished",
    );
    this.name = "StoreInUseError";
  }
}

/** No restore runs while a shared lease is held; an exclusive lease is the only one. */
export async function leaseStore(
  owner: StoreOwner,
  store: string,
  mode: LeaseMode,
  instance: number = ONLY_INSTANCE,
): Promise<StoreLease> {
  const lease = await takeLease(store, owner, mode, instance);
  if (lease === null) throw new StoreInUseError(owner, mode);
  return lease;
}

/** Runs `work` alone with the database: neither a server nor another command uses it. */
export async function useAlone<T>(
  owners: readonly StoreOwner[],
  store: string,
  work: (database: OpenDatabase) => Promise<T>,
  instance: number = ONLY_INSTANCE,
): Promise<T> {
  // A file has one lease, whatever services it has.
  const leased = sqlitePath(store) === undefined ? owners : owners.slice(0, 1);
  const leases: StoreLease[] = [];
  try {
    for (const owner of leased) leases.push(await leaseStore(owner, store, "exclusive", instance));
    return await useDatabase(store, { leases }, work);
  } finally {
    for (const lease of leases) await lease.release();
  }
}
