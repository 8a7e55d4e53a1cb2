/** `trellis/events`: the events service with its pages and subscriptions. */
import { createAddressGuard } from "./subscriptions/address-guard.ts";
import { createFeedFetcher, type FetchFeed } from "./subscriptions/fetch-feed.ts";
import { createSubscriptions } from "./subscriptions/subscriptions.ts";
import {
  createSubscriptionWorker,
  type SubscriptionNotice,
} from "./subscriptions/subscription-worker.ts";
import { composeEventsService, type EventsServiceOptions } from "./service.ts";
import { StorageUnavailableError } from "../database/database.ts";
import { createStorageMonitor, type StorageNotice } from "../database/storage-monitor.ts";
import type { StoredService, StoredServiceNotice } from "../http/stored-service.ts";
import { toInstanceKey } from "../identity/instance-key.ts";
import type { SecurityNotice } from "../identity/security-event.ts";
import { createEventsPages } from "./account/web-pages.ts";

export type EventsNotice =
  | StoredServiceNotice
  | SubscriptionNotice
  | StorageNotice
  | SecurityNotice;

export interface EmbeddedEventsOptions extends Omit<
  EventsServiceOptions,
  "pages" | "subscriptions" | "storage" | "onNotice"
> {
  readonly subscriptions?: {
    /** Hosts in private networks from which calendars may be fetched. */
    readonly allowedPrivateHosts?: readonly string[];
    /** Whether this process fetches due subscriptions; defaults to true. Several processes may. */
    readonly isFetching?: boolean;
    /** Replaces the fetch over the network and its address guard. */
    readonly fetchFeed?: FetchFeed;
  };
  readonly onNotice?: (notice: EventsNotice) => void;
}

export interface EventsService extends StoredService {
  /** Rejects while the store cannot be written. */
  checkReady(): Promise<void>;
}

/** The events service, which also fetches the calendars that people subscribed to. */
export function createEventsService(options: EmbeddedEventsOptions): EventsService {
  const { subscriptions: settings = {}, store, onNotice, now = Date.now } = options;
  const { isFetching = true } = settings;
  const instanceKey = toInstanceKey(options.instanceKey);
  const subscriptions = createSubscriptions({
    store,
    instanceKey,
    randomBytes: options.randomBytes,
    fetchFeed:
      settings.fetchFeed ??
      createFeedFetcher({ guard: createAddressGuard(settings.allowedPrivateHosts) }),
    defaultTimeZone: options.timeZone ?? "UTC",
    now,
  });
  const storage = createStorageMonitor({ probe: () => store.probeWrite(now()), onNotice });
  const service = composeEventsService({
    ...options,
    storage,
    instanceKey,
    subscriptions,
    pages: createEventsPages,
  });
  const worker = isFetching
    ? createSubscriptionWorker({
        store,
        refresher: subscriptions.refresher,
        now,
        onNotice(notice) {
          const error = "error" in notice ? notice.error : null;
          if (error instanceof StorageUnavailableError) storage.reportFailure(error);
          else onNotice?.(notice);
        },
      })
    : null;
  return {
    ...service,
    checkReady: storage.checkReady,
    async close() {
      // A running import still needs the store.
      await worker?.stop();
      await service.close();
    },
  };
}

export { openEventsStore } from "./sql/open-store.ts";
export type { FetchFeed } from "./subscriptions/fetch-feed.ts";
// The store port, and the types that an implementation of it needs.
export type * from "./store.ts";
export type * from "../identity/identity-records.ts";
export type * from "../identity/security-event.ts";
export { StorageUnavailableError };
