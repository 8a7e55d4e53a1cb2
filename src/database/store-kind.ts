import type { Database } from "./database.ts";
import type { Scope } from "./migrate.ts";

/** The services that have a store. */
export type StoreOwner = "sync" | "events";

/** What a program does with a store: only `create` makes one that does not exist. */
export type StoreAccess = "create" | "change" | "read";

export interface StoreTables {
  /** The name of the service, which also owns the leases and is the realm of accounts and keys. */
  readonly name: StoreOwner;
  readonly schema: readonly Scope[];
  /** The name of the file in the data folder that detects a database which was rolled back. */
  readonly highWaterFile: string;
}

export interface RollbackFindings {
  /** Whether the database was behind its high-water mark, so that a new generation began. */
  readonly wasRolledBack: boolean;
  /** Whether the database had sessions again that were revoked, so that all sessions were revoked. */
  readonly sessionsWereRevoked: boolean;
}

export interface StoreOpening {
  /** The file that detects a database which was rolled back. */
  readonly highWaterPath: string;
  /** Called when the database is rolled back after it was opened. */
  readonly onRollback?: ((findings: RollbackFindings) => void) | undefined;
}

export interface OpenedStore extends RollbackFindings {
  close(): Promise<void>;
}

/** How the store `S` of a service is opened on its tables; `Settings` are those of this store alone. */
export interface StoreKind<S extends OpenedStore, Settings = object> extends StoreTables {
  open(
    database: Database,
    opening: StoreOpening & Settings & { readonly access: StoreAccess },
  ): Promise<S>;
}
