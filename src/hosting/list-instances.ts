import { statSync } from "node:fs";
import { sqlitePath } from "../database/sqlite-path.ts";
import { newestBackupAt, readBackupState } from "../backup/backup-state.ts";
import type {
  InstancesByName,
  SyncServiceSettings,
} from "../configuration/configuration-schema.ts";
import { LostStoreError, MissingStoreError } from "../database/open-store.ts";
import { findProfileError } from "../sync/sql/check-profile.ts";
import { openInstanceStore } from "./open-instance.ts";
import { isExplained } from "./explained-errors.ts";
import { loadUsage, readInstanceUsage, type InstanceUsage } from "./instance-usage.ts";
import type { HostConfiguration, Instance } from "../configuration/instance.ts";
import { readUsages } from "./usage-rows.ts";
import { WRITE_MS } from "./usage-writer.ts";
import { nameInstance } from "../configuration/name-instance.ts";

/** `open`: a server has the store open. `idle`: the next request opens the store. */
export type InstanceStateName = "open" | "idle" | "suspended";

export interface InstanceSummary {
  readonly name: string;
  readonly baseUrl: string;
  readonly state: InstanceStateName;
  /** Whether the server cannot read the data. */
  readonly isSealed: boolean;
  readonly hasAccount: boolean;
  /** How many devices are signed in. */
  readonly devices: number;
  /** When a device last renewed its session; null without a device. */
  readonly lastUsedAt: string | null;
  /** The size of the store; 0 before its first use. */
  readonly bytes: number;
  readonly quota: SyncServiceSettings["quota"];
  /** Whether the quota of bytes is used up, so that pushes are refused. */
  readonly isUsedUp: boolean;
  /** Why the store cannot be read or served, and what to do; null when it can, or was not read. */
  readonly error: string | null;
  readonly backup: {
    /** When the last backup was made; null when there is none. */
    readonly lastAt: string | null;
    /** Since when scheduled backups fail; null while they succeed, or there are none. */
    readonly failingSince: string | null;
  };
}

export interface ListOptions {
  /** Whether every store is read, and not what servers have written down last. */
  readonly isFresh: boolean;
  readonly now: number;
}

/** Lists the instances in the order of their names. */
export async function listInstances(
  instances: InstancesByName,
  { resolve, store }: Pick<HostConfiguration, "resolve" | "store">,
  options: ListOptions,
): Promise<InstanceSummary[]> {
  const summaries: InstanceSummary[] = [];
  const rows = sqlitePath(store) === undefined ? await readUsages(store) : null;
  for (const [name, settings] of Object.entries(instances).sort(([a], [b]) => (a < b ? -1 : 1))) {
    const instance = resolve(name, settings);
    const path = sqlitePath(instance.sync.store);
    const row = rows?.get(name);
    const written = rows === null ? await loadUsage(instance.dataDir) : (row?.usage ?? null);
    const isSealed = instance.sync.profile === "sealed";
    // While a server has it open, an account may have been created since.
    const isUnused = rows !== null && row?.isUsed !== true;
    const isKnown =
      isUnused ||
      (written !== null &&
        (written.isSealed ?? false) === isSealed &&
        (written.hasAccount || !written.isOpen));
    const { usage, error } =
      options.isFresh || !isKnown
        ? await readStore(instance, options.now)
        : { usage: written, error: null };
    const backups = await readBackupState(instance.dataDir, "sync");
    summaries.push({
      name,
      baseUrl: settings.baseUrl,
      state: settings.suspended === true ? "suspended" : stateOf(written, options.now),
      isSealed: isSealed && error === null,
      hasAccount: usage?.hasAccount ?? false,
      devices: usage?.devices ?? 0,
      lastUsedAt: toText(usage?.lastUsedAt ?? null),
      bytes: path === undefined ? (usage?.bytes ?? 0) : sizeOf(path),
      quota: instance.sync.quota,
      isUsedUp: (usage?.bytes ?? 0) >= (instance.sync.quota.bytes ?? Infinity),
      error,
      backup: {
        lastAt: toText(newestBackupAt(backups, options.now)),
        failingSince: backups.failure?.since ?? null,
      },
    });
  }
  return summaries;
}

/** A server that has ended without closing its instances writes nothing any more. */
function stateOf(written: InstanceUsage | null, now: number): "open" | "idle" {
  const isRecent = written !== null && Math.abs(now - written.writtenAt) < 2 * WRITE_MS;
  return isRecent && written.isOpen ? "open" : "idle";
}

function toText(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}

/** The size of a SQLite file with its write-ahead log, which has what a running server wrote last. */
function sizeOf(path: string): number {
  const sizes = [path, `${path}-wal`].map(
    (file) => statSync(file, { throwIfNoEntry: false })?.size ?? 0,
  );
  return sizes.reduce((sum, size) => sum + size);
}

/** Reads a store, and returns an expected error: a store that cannot be opened must not hide the others. */
async function readStore(
  instance: Instance,
  now: number,
): Promise<{ readonly usage: InstanceUsage | null; readonly error: string | null }> {
  try {
    const store = await openInstanceStore(instance, { access: "read" });
    try {
      const usage = await readInstanceUsage(store.database, false, now);
      const error = await findProfileError(store.database, instance.sync.profile);
      return { usage, error: error?.message ?? null };
    } finally {
      await store.close();
    }
  } catch (error) {
    // A store that is missing, but not lost, was never used.
    const isUnused = error instanceof MissingStoreError && !(error instanceof LostStoreError);
    if (isUnused) return { usage: null, error: null };
    if (!isExplained(error)) throw error;
    return { usage: null, error: nameInstance(error.message, instance.name) };
  }
}
