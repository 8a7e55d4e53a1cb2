/** Opens the store of a service, in the same steps for every service. */
import { statSync } from "node:fs";
import { join } from "node:path";
import type { Database } from "./database.ts";
import { leaseStore } from "./lease-store.ts";
import { createTables, isMigrated } from "./migrate.ts";
import { openUpgraded } from "./migrate-store.ts";
import { openDatabase, type DatabaseOptions } from "./open-database.ts";
import { expectCurrent } from "./prepare-upgrade.ts";
import { sqlitePath } from "./sqlite-path.ts";
import type {
  OpenedStore,
  RollbackFindings,
  StoreAccess,
  StoreKind,
  StoreOwner,
} from "./store-kind.ts";

export type StoreNotice =
  | RollbackNotice
  /** The store is migrated to this version; `file` is a copy of it as it was. */
  | { readonly kind: "upgrade-copied"; readonly file: string };

export type RollbackNotice = { readonly kind: "rollback" } & RollbackFindings;

/** The key that a store belongs to; `K` is what the opened store has of it. */
export interface StoreKey<K> {
  /** Fails when the key cannot be used, before a database is created. */
  expectUsable(): void;
  bind(database: Database, access: StoreAccess): Promise<K>;
}

export interface OpenOptions {
  readonly access?: StoreAccess;
  /** Whether an older SQLite store is migrated, which only servers do; readers never do it. */
  readonly upgrades?: boolean;
  readonly database?: DatabaseOptions;
  /** Called with what is found when the store is opened, and while it is open. */
  readonly onNotice?: ((notice: StoreNotice) => void) | undefined;
}

export interface StoreRequest<S extends OpenedStore, Settings, K> extends OpenOptions {
  readonly kind: StoreKind<S, Settings>;
  /** `sqlite:PATH` or a `postgres://` address. */
  readonly store: string;
  /** The data folder, which has the high-water mark. */
  readonly dataDir: string;
  readonly key?: StoreKey<K>;
  readonly settings?: Settings;
}

/**
 * Fails before anything of the service is written when the store is not that of the key. Closing the store
 * also closes the database and releases the lease.
 */
export async function openStore<S extends OpenedStore, Settings, K = object>(
  request: StoreRequest<S, Settings, K>,
): Promise<S & K> {
  const { kind, store, access, upgrades = access !== "read", onNotice } = request;
  request.key?.expectUsable();
  const noteRollback = ({ wasRolledBack, sessionsWereRevoked }: RollbackFindings) => {
    if (!wasRolledBack && !sessionsWereRevoked) return;
    onNotice?.({ kind: "rollback", wasRolledBack, sessionsWereRevoked });
  };
  const noteCopy = (file: string) => onNotice?.({ kind: "upgrade-copied", file });
  const open = () => openLeased(request, noteRollback);
  const opened = upgrades ? await openUpgraded(kind, store, noteCopy, open) : await open();
  noteRollback(opened);
  return opened;
}

async function openLeased<S extends OpenedStore, Settings, K>(
  request: StoreRequest<S, Settings, K>,
  onRollback: (findings: RollbackFindings) => void,
): Promise<S & K> {
  const { kind, store, dataDir, access = "create" } = request;
  const highWaterPath = join(dataDir, kind.highWaterFile);
  // The mark is read first: a process that makes the store beside this one writes its mark last.
  const lostMark = findMark(highWaterPath);
  const mustExist = access !== "create" || lostMark !== null;
  if (mustExist) expectFile(kind.name, store, lostMark);
  const lease = await leaseStore(kind.name, store, "shared", request.database?.instance);
  try {
    const database = await openDatabase(store, { ...request.database, leases: [lease] });
    const openTables = async () => {
      if (mustExist) await expectTables(kind.name, database, lostMark);
      else await createTables(database, kind.schema);
      await expectCurrent(kind, database);
      const key = await request.key?.bind(database, access);
      const opening = { ...(request.settings as Settings), highWaterPath, onRollback, access };
      return { ...(await kind.open(database, opening)), ...(key as K) };
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

export class MissingStoreError extends Error {
  constructor(
    owner: StoreOwner,
    what: string,
    advice = `change to the folder of the configuration, check \`${owner}.store\` and \`dataDir\` there, or create it with \`trellis ${owner} account create --username NAME\``,
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
