/**
 * Copies the instances of a host, with their keys and their list, from files to a PostgreSQL database or back. Each
 * instance is one transaction, and the list comes last: a copy that is interrupted is repeated.
 */
import type { InstanceSettings, SyncConfiguration } from "../configuration/configuration-schema.ts";
import { resolveInstance } from "../configuration/instance.ts";
import { enterInRegistry } from "../configuration/instance-registry.ts";
import type { LoadedInstances } from "../configuration/load-instances.ts";
import { copyAgain } from "../backup/copy-store.ts";
import type { TableTotals } from "../backup/copy/table-totals.ts";
import { ALL_INSTANCES } from "../database/coordination-tables.ts";
import type { Lease } from "../database/lease-mode.ts";
import { leaseStore } from "../database/lease-store.ts";
import { addInstance } from "../database/named-instance.ts";
import { useDatabase } from "../database/open-database.ts";
import { sqlitePath } from "../database/sqlite-path.ts";
import { keyPlaceOf } from "../identity/key-place.ts";
import { SYNC_STORE } from "../sync/sql/open-store.ts";
import { claimKeyOfHost, expectKeyOfHost } from "../identity/key-of-host.ts";
import { InstanceError } from "./instance-error.ts";
import { listUsed } from "./instance-rows.ts";
import { leaseHost } from "./lease-host.ts";

export interface HostCopy {
  readonly sync: SyncConfiguration;
  readonly dataDir: string;
  /** `sync.store` as it is, and as it will be. */
  readonly from: string;
  readonly to: string;
  readonly loaded: LoadedInstances;
  onCopied(name: string, tables: TableTotals): void;
}

/** Fails while a server or a command uses an instance of either. */
export async function copyHost(copy: HostCopy): Promise<void> {
  const { sync, dataDir, from, to, loaded } = copy;
  const leases: Lease[] = [];
  try {
    for (const store of [from, to]) leases.push(await leaseAll(store, dataDir));
    await expectKeyOfHost({ ...sync, store: from });
    await claimKeyOfHost({ ...sync, store: to });
    const instances = Object.entries(loaded.instances).map(([name, settings]) =>
      resolveInstance(name, settings, { ...sync, store: from }, dataDir),
    );
    for (const { name } of await listUsed(instances, from)) {
      const settings = loaded.instances[name] as InstanceSettings;
      copy.onCopied(name, await copyInstance(name, settings, copy));
    }
    // A configuration that lists instances goes on to do so.
    if (loaded.source === "registry") {
      await enterInRegistry(dataDir, { ...sync, store: to }, loaded.instances);
    }
  } finally {
    for (const lease of leases) await lease.release();
  }
}

function leaseAll(store: string, dataDir: string): Promise<Lease> {
  return sqlitePath(store) === undefined
    ? leaseStore(SYNC_STORE.name, store, "exclusive", ALL_INSTANCES)
    : leaseHost(dataDir, "exclusive");
}

async function copyInstance(
  name: string,
  settings: InstanceSettings,
  { sync, dataDir, from, to }: HostCopy,
): Promise<TableTotals> {
  const source = resolveInstance(name, settings, { ...sync, store: from }, dataDir);
  const target = resolveInstance(name, settings, { ...sync, store: to }, dataDir);
  const service = {
    ...SYNC_STORE,
    key: keyPlaceOf(source.sync),
    targetKey: keyPlaceOf(target.sync),
  };
  const leases: Lease[] = [];
  try {
    if (sqlitePath(to) === undefined) await addInstance(to, name);
    // All instances of a database are leased already.
    const files = [source, target].filter(({ sync: { store } }) => sqlitePath(store) !== undefined);
    for (const file of files) {
      leases.push(await leaseStore(SYNC_STORE.name, file.sync.store, "exclusive"));
    }
    return await useDatabase(source.sync.store, {}, (rows) =>
      useDatabase(target.sync.store, {}, (copied) =>
        copyAgain(rows, copied, service, source.dataDir),
      ),
    );
  } catch (error) {
    throw new InstanceError(name, error);
  } finally {
    for (const lease of leases) await lease.release();
  }
}
