/** The stores that `trellis store migrate` changes: one per service, or one per instance. */
import type { Configuration } from "../../../server/configuration-schema.ts";
import { resolveInstance, isNewInstance } from "../../../server/instances/instance.ts";
import { loadInstances } from "../../../server/instances/load-instances.ts";
import { isMissingFile } from "../../../server/leased-store.ts";
import { STORED_EVENTS } from "../../../server/stored-events.ts";
import type { StoredService } from "../../../server/stored-service.ts";
import { STORED_SYNC } from "../../../server/stored-sync.ts";

export interface MigratedStore {
  readonly service: StoredService;
  readonly store: string;
  /** Null for the store of a service without instances. */
  readonly instance: string | null;
}

/** A store that is not there yet is made as this version has it. */
export async function listMigratedStores(configuration: Configuration): Promise<MigratedStore[]> {
  const { sync, events, dataDir } = configuration;
  const stores: MigratedStore[] = [];
  const loaded = sync === undefined ? null : await loadInstances(sync, configuration);
  if (sync !== undefined && loaded === null) {
    stores.push({ service: STORED_SYNC, store: sync.store, instance: null });
  }
  if (sync !== undefined && loaded !== null) {
    for (const [name, settings] of Object.entries(loaded.instances)) {
      const instance = resolveInstance(name, settings, sync, dataDir);
      if (isNewInstance(instance, true)) continue;
      stores.push({ service: STORED_SYNC, store: instance.sync.store, instance: name });
    }
  }
  if (events !== undefined) {
    stores.push({ service: STORED_EVENTS, store: events.store, instance: null });
  }
  return stores.filter(({ store }) => !isMissingFile(store));
}
