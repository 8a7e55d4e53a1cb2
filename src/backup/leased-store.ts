import { statSync } from "node:fs";
import { join } from "node:path";
import type { Database } from "../database/database.ts";
import { takeLease, type Lease, type LeaseMode } from "../database/lease.ts";
import { createTables, isMigrated } from "../database/migrate.ts";
import {
  openDatabase,
  type DatabaseOptions,
  type OpenDatabase,
} from "../database/open-database.ts";
import { sqlitePath } from "../database/sqlite-path.ts";
import { bindInstanceKey, readBoundKey, type KeyAdoption } from "../identity/bind-instance-key.ts";
import { readKeyRing, type InstanceKey } from "../identity/instance-key.ts";
import { expectCurrent } from "./prepare-upgrade.ts";
import type { StoreDescription, StoreOwner } from "./store-description.ts";

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

/** What a program does with a store: only `create` makes one that does not exist. */
export type StoreAccess = "create" | "change" | "read";

export class MissingStoreError extends Error {
  constructor(
    owner: StoreOwner,
    what: string,
    advice = `check \`${owner}.store\` and \`dataDir\` in the configuration, or create it with \`trellis ${owner} account create --username NAME\``,
  ) {
    super(`${what}: ${advice}`);
    this.name = "MissingStoreError";
  }
}

/**
 * Thrown when a store is gone that its high-water mark knows. An empty one in its place would look to
 * devices like theirs, and to backups like the newest.
 */
export class LostStoreError extends MissingStoreError {
  constructor(owner: StoreOwner, what: string, highWaterPath: string) {
    super(
      owner,
      `${what}, but the high-water mark "${highWaterPath}" says that there was one`,
      `put it back, or restore a backup with \`trellis ${owner} restore FILE\`; to begin with an empty store, move the mark away first`,
    );
    this.name = "LostStoreError";
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

/** Runs `work` alone with the database: neither a server nor another command uses it. */
export async function useAlone<T>(
  owners: readonly StoreOwner[],
  store: string,
  work: (database: OpenDatabase) => Promise<T>,
): Promise<T> {
  // A file has one lease, whatever services it has.
  const leased = sqlitePath(store) === undefined ? owners : owners.slice(0, 1);
  const leases: Lease[] = [];
  try {
    for (const owner of leased) leases.push(await leaseStore(owner, store, "exclusive"));
    return await useDatabase(store, {}, work);
  } finally {
    for (const lease of leases) await lease.release();
  }
}

export async function useDatabase<T>(
  store: string,
  options: DatabaseOptions,
  work: (database: OpenDatabase) => Promise<T>,
): Promise<T> {
  const database = await openDatabase(store, options);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

export interface OpenOptions extends DatabaseOptions {
  readonly access?: StoreAccess;
  /** Whether an older SQLite store is migrated, which only servers do; readers never do it. */
  readonly upgrades?: boolean;
  /** Called with the path of the copy that was made of a SQLite file before it is migrated. */
  readonly onUpgradeCopy?: ((path: string) => void) | undefined;
}

export interface StoreLocation {
  /** `sqlite:PATH` or a `postgres://` address. */
  readonly store: string;
  /** The data folder, which has the high-water mark. */
  readonly dataDir: string;
}

type OpenTables<S> = (database: Database, highWaterPath: string) => Promise<S>;

/** Refuses an older store: see `openUpgraded`. Closing the returned store also closes the database and releases the lease. */
export async function openLeasedStore<S extends { close(): Promise<void> }>(
  service: Pick<StoreDescription, "name" | "schema" | "highWaterFile">,
  { store, dataDir }: StoreLocation,
  open: OpenTables<S>,
  { access = "create", ...options }: OpenOptions = {},
): Promise<S> {
  const { name } = service;
  const highWaterPath = join(dataDir, service.highWaterFile);
  // The mark is read first: a process that makes the store beside this one writes its mark last.
  const lostMark = findMark(highWaterPath);
  const mustExist = access !== "create" || lostMark !== null;
  if (mustExist) expectFile(name, store, lostMark);
  const lease = await leaseStore(name, store, "shared");
  try {
    const database = await openDatabase(store, { ...options, leasedBy: name });
    const openTables = async () => {
      if (mustExist) await expectTables(name, database, lostMark);
      else await createTables(database, service.schema);
      await expectCurrent(service, database);
      return open(database, highWaterPath);
    };
    const opened = await openTables().catch(async (error: unknown) => {
      await database.close();
      throw error;
    });
    const close = async () => {
      try {
        await opened.close();
      } finally {
        await lease.release();
      }
    };
    return { ...opened, close };
  } catch (error) {
    await lease.release();
    throw error;
  }
}

/** Opening a SQLite file that is not there would make it. */
export function isMissingFile(store: string): boolean {
  const path = sqlitePath(store);
  return path !== undefined && statSync(path, { throwIfNoEntry: false }) === undefined;
}

/** The path of the high-water mark when the store was used, or null. */
export function findMark(highWaterPath: string): string | null {
  const { size } = statSync(highWaterPath, { throwIfNoEntry: false }) ?? { size: 0 };
  return size > 0 ? highWaterPath : null;
}

export function expectFile(owner: StoreOwner, store: string, mark: string | null): void {
  if (!isMissingFile(store)) return;
  throw missing(owner, `There is no ${owner} store at "${sqlitePath(store)}"`, mark);
}

export async function expectTables(
  owner: StoreOwner,
  database: Database,
  mark: string | null,
): Promise<void> {
  if (await isMigrated(database, owner)) return;
  throw missing(owner, `The database has no tables of the ${owner} service`, mark);
}

function missing(owner: StoreOwner, what: string, mark: string | null): MissingStoreError {
  return mark === null ? new MissingStoreError(owner, what) : new LostStoreError(owner, what, mark);
}

export type Keyed<S> = S & { readonly instanceKey: InstanceKey };

export interface KeyedStoreOptions extends OpenOptions {
  readonly adoption?: KeyAdoption;
}

/** Fails with an InstanceKeyError before anything of the service is written. */
export async function openKeyedStore<S extends { close(): Promise<void> }>(
  service: StoreDescription,
  { instanceKeyFile, ...place }: StoreLocation & { readonly instanceKeyFile: string },
  open: OpenTables<S>,
  { adoption, ...options }: KeyedStoreOptions,
): Promise<Keyed<S>> {
  // A key that cannot be used fails before a database is created.
  readKeyRing(instanceKeyFile);
  const key = { realm: service.name, path: instanceKeyFile };
  const openTables = async (database: Database, highWaterPath: string) => {
    const instanceKey =
      options.access === "read"
        ? await readBoundKey(database, key)
        : await bindInstanceKey(database, key, adoption, service.reseal);
    return { ...(await open(database, highWaterPath)), instanceKey };
  };
  return openLeasedStore(service, place, openTables, options);
}
