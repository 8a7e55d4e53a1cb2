import { statSync } from "node:fs";
import type { Database } from "../database/database.ts";
import { takeLease, type Lease, type LeaseMode } from "../database/lease.ts";
import { isMigrated, type Scope } from "../database/migrate.ts";
import { openDatabase, type DatabaseOptions } from "../database/open-database.ts";
import { sqlitePath } from "../database/sqlite-path.ts";
import { EVENTS_SCHEMA } from "../events/sql/open-sql-events-store.ts";
import {
  bindInstanceKey,
  readBoundKey,
  type KeyAdoption,
  type KeyLocation,
} from "../identity/bind-instance-key.ts";
import { readKeyRing, type InstanceKey } from "../identity/instance-key.ts";
import type { Reseal } from "../identity/reseal.ts";
import { SYNC_SCHEMA } from "../sync/sql/open-sql-store.ts";
import { prepareUpgrade } from "./prepare-upgrade.ts";

/** The services that have a store; each takes leases under its own name. */
export type StoreOwner = "sync" | "events";

/** Thrown while a command has the store for itself, or to such a command while others use the store. */
export class StoreInUseError extends Error {
  constructor(owner: StoreOwner, mode: LeaseMode) {
    super(
      mode === "exclusive"
        ? `The store is in use: stop \`trellis serve\`${owner === "sync" ? " (or suspend one of several instances with `trellis sync instance suspend NAME`)" : ""} and wait for other \`trellis ${owner}\` commands, then try again`
        : "Another command has the store for itself, such as a restore or a rotation of the key: try again when it has finished",
    );
    this.name = "StoreInUseError";
  }
}

/** What a program does with a store: only `create` makes one that does not exist. */
export type StoreAccess = "create" | "change" | "read";

/** Thrown when a command needs a store that does not exist. */
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

/** What each service migrates. */
export const SCHEMAS: Readonly<Record<StoreOwner, readonly Scope[]>> = {
  sync: SYNC_SCHEMA,
  events: EVENTS_SCHEMA,
};

export interface OpenOptions extends DatabaseOptions {
  /** Gets the path of the copy that was made of a SQLite file before it is migrated. */
  readonly onUpgradeCopy?: ((path: string) => void) | undefined;
}

/** A store, and the file outside of it that knows whether it was used. */
export interface KnownStore {
  readonly owner: StoreOwner;
  readonly store: string;
  readonly highWaterPath: string;
}

/** Closing the returned store also closes the database and releases the lease. */
export async function openLeasedStore<S extends { close(): Promise<void> }>(
  known: KnownStore,
  access: StoreAccess,
  open: (database: Database) => Promise<S>,
  { onUpgradeCopy, ...options }: OpenOptions = {},
): Promise<S> {
  const { owner, store } = known;
  // Read first: a process that makes the store beside this one writes its mark last.
  const lostMark = findMark(known);
  const mustExist = access !== "create" || lostMark !== null;
  if (mustExist) expectFile(owner, store, lostMark);
  const lease = await leaseStore(owner, store, "shared");
  try {
    const database = await openDatabase(store, options);
    const openTables = async () => {
      if (mustExist) await expectTables(owner, database, lostMark);
      const upgraded = { service: owner, store, schema: SCHEMAS[owner] };
      await prepareUpgrade(upgraded, database, { onCopy: onUpgradeCopy });
      return open(database);
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
export function findMark({ highWaterPath }: Pick<KnownStore, "highWaterPath">): string | null {
  const { size } = statSync(highWaterPath, { throwIfNoEntry: false }) ?? { size: 0 };
  return size > 0 ? highWaterPath : null;
}

export function expectFile(owner: StoreOwner, store: string, mark: string | null = null): void {
  if (!isMissingFile(store)) return;
  throw missing(owner, `There is no ${owner} store at "${sqlitePath(store)}"`, mark);
}

export async function expectTables(
  owner: StoreOwner,
  database: Database,
  mark: string | null = null,
): Promise<void> {
  if (await isMigrated(database, owner)) return;
  throw missing(owner, `The database has no tables of the ${owner} service`, mark);
}

function missing(owner: StoreOwner, what: string, mark: string | null): MissingStoreError {
  return mark === null ? new MissingStoreError(owner, what) : new LostStoreError(owner, what, mark);
}

export type Keyed<S> = S & { readonly instanceKey: InstanceKey };

export interface KeyedStoreOptions extends OpenOptions {
  readonly access?: StoreAccess;
  readonly adoption?: KeyAdoption;
}

export interface KeyedStoreSettings<S> extends KnownStore {
  readonly key: KeyLocation;
  /** What the service has sealed beside passwords. */
  readonly reseal?: Reseal;
  migrate(database: Database): Promise<void>;
  open(database: Database): Promise<S>;
}

/** Fails with an InstanceKeyError before anything of the service is written. */
export async function openKeyedStore<S extends { close(): Promise<void> }>(
  settings: KeyedStoreSettings<S>,
  { access = "create", adoption, ...options }: KeyedStoreOptions = {},
): Promise<Keyed<S>> {
  const { key } = settings;
  // A key that cannot be used fails before a database is created.
  readKeyRing(key.path);
  const open = async (database: Database) => {
    await settings.migrate(database);
    const instanceKey =
      access === "read"
        ? await readBoundKey(database, key)
        : await bindInstanceKey(database, key, adoption, settings.reseal);
    return { ...(await settings.open(database)), instanceKey };
  };
  return openLeasedStore(settings, access, open, options);
}
