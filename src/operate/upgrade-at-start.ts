import type { LineWriter } from "../http/request-log.ts";
import type { ServiceName } from "../configuration/configuration.ts";
import type { Configuration } from "../configuration/configuration-schema.ts";
import { loadInstances } from "../configuration/load-instances.ts";
import { isMissingFile } from "../database/open-store.ts";
import { useDatabase } from "../database/open-database.ts";
import { openUpgraded } from "../database/migrate-store.ts";
import { logNotice } from "./notices.ts";
import { expectCurrent } from "../database/prepare-upgrade.ts";
import type { StoreDescription } from "../backup/store-description.ts";

/**
 * Upgrades the SQLite files of services before any of them is opened: two services may share one, and workers
 * start together. The store of an instance is upgraded when it is opened.
 */
export async function upgradeAtStart(
  configuration: Configuration,
  names: readonly ServiceName[],
  log: LineWriter,
): Promise<void> {
  const { sync, events } = configuration;
  // Imported on demand, as the services are.
  if (names.includes("sync") && sync && (await loadInstances(sync, configuration)) === null) {
    await upgrade((await import("../sync/sql/open-store.ts")).SYNC_STORE, sync.store, log);
  }
  if (names.includes("events") && events) {
    await upgrade((await import("../events/sql/open-store.ts")).EVENTS_STORE, events.store, log);
  }
}

async function upgrade(service: StoreDescription, store: string, log: LineWriter): Promise<void> {
  if (isMissingFile(store)) return;
  const noteCopy = (file: string) => logNotice(log, service.name, { kind: "upgrade-copied", file });
  await openUpgraded(service, store, noteCopy, () =>
    useDatabase(store, {}, (database) => expectCurrent(service, database)),
  );
}
