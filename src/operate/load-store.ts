import type { StoreDescription } from "../backup/store-description.ts";
import type { StoreOwner } from "../database/store-kind.ts";

/** Only the service that is asked for is loaded. */
export async function loadStore(name: StoreOwner): Promise<StoreDescription> {
  return name === "sync"
    ? (await import("../sync/sql/open-store.ts")).SYNC_STORE
    : (await import("../events/sql/open-store.ts")).EVENTS_STORE;
}
