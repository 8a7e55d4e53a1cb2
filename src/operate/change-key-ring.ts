/**
 * Changes the key of stores, alone with them. The key is replaced first and the stores are sealed
 * with the new key after it, each in one transaction: whatever is interrupted between, the next start
 * finds the old key beside it and completes the change.
 */
import { StorageUnavailableError } from "../database/database.ts";
import type { Lease } from "../database/lease-mode.ts";
import { isMigrated } from "../database/migrate.ts";
import { openDatabase, type OpenDatabase } from "../database/open-database.ts";
import { sqlitePath } from "../database/sqlite-path.ts";
import { bindInstanceKey, readBoundKey } from "../identity/bind-instance-key.ts";
import { KeyFileError } from "../identity/instance-key.ts";
import { nameMissingKey, readKey, replaceKey, type KeyPlace } from "../identity/key-place.ts";
import type { InstanceKeyRing } from "../identity/key-ring.ts";
import { expectFile, expectTables, findMark, isMissingFile } from "../database/open-store.ts";
import { leaseStore } from "../database/lease-store.ts";
import { expectCurrent } from "../database/prepare-upgrade.ts";
import type { StoreDescription } from "../backup/store-description.ts";

/** A service whose store belongs to the key. */
export interface KeyUser {
  readonly service: StoreDescription;
  readonly store: string;
  readonly highWaterPath: string;
}

export interface OpenKeyUser extends KeyUser {
  readonly database: OpenDatabase;
}

/**
 * The store of the first user must exist, and so must others that were ever used: a key that is dropped
 * would be missing when their disk is there again. `decide` gets the keys and the stores that belong to them, and
 * returns the keys from then on, or throws to leave them. Fails while a server or a command uses a store.
 */
export async function changeKeyRing(
  place: KeyPlace,
  users: readonly [KeyUser, ...KeyUser[]],
  decide: (ring: InstanceKeyRing, users: readonly OpenKeyUser[]) => Promise<InstanceKeyRing>,
): Promise<InstanceKeyRing> {
  const [first] = users;
  const expected = users.filter((user) => user === first || findMark(user.highWaterPath) !== null);
  for (const user of expected)
    expectFile(user.service.name, user.store, findMark(user.highWaterPath));
  const opened: OpenKeyUser[] = [];
  const leases = new Map<string, Lease>();
  try {
    for (const user of users.filter((each) => !isMissingFile(each.store))) {
      await leaseOnce(leases, user);
      opened.push({ ...user, database: await openDatabase(user.store) });
    }
    const present: OpenKeyUser[] = [];
    for (const user of opened) {
      const { service, database } = user;
      if (expected.some((each) => each.service === service)) {
        await expectTables(service.name, database, findMark(user.highWaterPath));
      }
      if (await prepare(user, place)) present.push(user);
    }
    // That of the first user must be there, so it was opened.
    const { database } = opened[0] as OpenKeyUser;
    const ring = await readKey(place, database);
    if (ring === null) {
      throw new KeyFileError(`${nameMissingKey(place)} yet: the first start makes it`);
    }
    const changed = await decide(ring, present);
    // A change that was interrupted ends first: what it left sealed must not lose its key.
    await bind(place, present);
    await database.transaction((tx) => replaceKey(place, tx, changed));
    await bind(place, present).catch(explainInterruption);
    return changed;
  } finally {
    for (const { database } of opened) await database.close();
    for (const lease of leases.values()) await lease.release();
  }
}

/** A file has one lease, whatever services it has. */
async function leaseOnce(
  leases: Map<string, Lease>,
  { service: { name }, store }: KeyUser,
): Promise<void> {
  const key = sqlitePath(store) ?? `${name} ${store}`;
  if (!leases.has(key)) leases.set(key, await leaseStore(name, store, "exclusive"));
}

/** Whether the store has data of the service. It must belong to the key. */
async function prepare({ service, database }: OpenKeyUser, place: KeyPlace): Promise<boolean> {
  if (!(await isMigrated(database, service.name))) return false;
  await expectCurrent(service, database);
  await readBoundKey(database, { realm: service.name, place });
  return true;
}

async function bind(place: KeyPlace, users: readonly OpenKeyUser[]): Promise<void> {
  for (const { service, database } of users) {
    const location = { realm: service.name, place };
    await bindInstanceKey(database, location, "new-store", service.reseal);
  }
}

/** The old file must not be rolled back now. */
function explainInterruption(error: unknown): never {
  if (!(error instanceof StorageUnavailableError)) throw error;
  throw new StorageUnavailableError(
    `${error.reason}. The new key is in its place already: keep it, and start the server when the store is available, which completes the rotation`,
    { cause: error },
  );
}
