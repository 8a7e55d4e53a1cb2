/** The instances of a server at a glance. */
import { statSync } from "node:fs";
import { openDatabase } from "../../database/open-database.ts";
import { sqlitePath } from "../../database/sqlite-path.ts";
import { createAdministration } from "../../sync/administration.ts";
import { readBackupState } from "../backup-state.ts";
import type { InstancesByName, SyncConfiguration } from "../configuration-schema.ts";
import { LostStoreError, MissingStoreError } from "../leased-store.ts";
import { openKeyedSyncStore } from "../open-sync-store.ts";
import { InstanceError } from "./instance-error.ts";
import { resolveInstance, schemaOf, type Instance } from "./instance.ts";

export interface InstanceSummary {
  readonly name: string;
  readonly baseUrl: string;
  readonly suspended: boolean;
  /** Of the store; 0 before its first use. */
  readonly bytes: number;
  readonly quota: SyncConfiguration["quota"];
  /** When it was made; null when there is none. */
  readonly lastBackup: string | null;
  readonly details: InstanceDetails | null;
}

interface InstanceDetails {
  readonly hasAccount: boolean;
  readonly devices: number;
}

/** In the order of their names. */
export async function listInstances(
  instances: InstancesByName,
  sync: SyncConfiguration,
  dataDir: string,
  withDetails: boolean,
): Promise<InstanceSummary[]> {
  const bytesBySchema = await readSchemaSizes(sync.store);
  const summaries: InstanceSummary[] = [];
  for (const [name, settings] of Object.entries(instances).sort(([a], [b]) => (a < b ? -1 : 1))) {
    const instance = resolveInstance(name, settings, sync, dataDir);
    const path = sqlitePath(instance.sync.store);
    summaries.push({
      name,
      baseUrl: settings.baseUrl,
      suspended: settings.suspended === true,
      bytes: path === undefined ? (bytesBySchema.get(schemaOf(name)) ?? 0) : sizeOf(path),
      quota: instance.sync.quota,
      lastBackup: (await readBackupState(instance.dataDir, "sync")).last?.createdAt ?? null,
      details: withDetails ? await readDetails(instance) : null,
    });
  }
  return summaries;
}

/** With the write-ahead log, which has what a running server wrote last. */
function sizeOf(path: string): number {
  const sizes = [path, `${path}-wal`].map(
    (file) => statSync(file, { throwIfNoEntry: false })?.size ?? 0,
  );
  return sizes.reduce((sum, size) => sum + size);
}

async function readDetails(instance: Instance): Promise<InstanceDetails> {
  try {
    const store = await openKeyedSyncStore(instance.sync, instance.dataDir, {
      access: "read",
      isSmall: true,
    });
    try {
      const administration = createAdministration(store, store.instanceKey);
      return {
        hasAccount: (await administration.findAccount()) !== null,
        devices: (await administration.listDevices()).length,
      };
    } finally {
      await store.close();
    }
  } catch (error) {
    const isUnused = error instanceof MissingStoreError && !(error instanceof LostStoreError);
    if (isUnused) return { hasAccount: false, devices: 0 };
    throw new InstanceError(instance.name, error);
  }
}

/** Of all schemas of a PostgreSQL database, in one query. */
async function readSchemaSizes(store: string): Promise<ReadonlyMap<string, number>> {
  if (sqlitePath(store) !== undefined) return new Map();
  const database = await openDatabase(store, { isSmall: true });
  try {
    const rows = await database.query<{ schema: string; bytes: number }>(
      `SELECT n.nspname::text AS schema, sum(pg_total_relation_size(c.oid))::bigint AS bytes
       FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
       WHERE c.relkind = 'r' GROUP BY n.nspname`,
    );
    return new Map(rows.map(({ schema, bytes }) => [schema, bytes]));
  } finally {
    await database.close();
  }
}
