/** `trellis/events`: the events service with its pages and subscriptions. */
import { createAddressGuard } from "../events/subscriptions/address-guard.ts";
import { createFeedFetcher, type FetchFeed } from "../events/subscriptions/fetch-feed.ts";
import { createSubscriptions } from "../events/subscriptions/subscriptions.ts";
import {
  createSubscriptionWorker,
  type SubscriptionNotice,
} from "../events/subscriptions/subscription-worker.ts";
import {
  composeEventsService,
  type EventsService,
  type EventsServiceOptions,
} from "../events/service.ts";
import type { StoredServiceNotice } from "../http/stored-service.ts";
import { toInstanceKey } from "../identity/instance-key.ts";
import { createEventsPages } from "./events-pages.ts";

export type EventsNotice = StoredServiceNotice | SubscriptionNotice;

export interface EmbeddedEventsOptions extends Omit<
  EventsServiceOptions,
  "pages" | "subscriptions" | "onNotice"
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
  const service = composeEventsService({
    ...options,
    instanceKey,
    subscriptions,
    pages: createEventsPages,
  });
  const worker = isFetching
    ? createSubscriptionWorker({
        store,
        refresher: subscriptions.refresher,
        now,
        ...(onNotice !== undefined && { onNotice }),
      })
    : null;
  return {
    ...service,
    async close() {
      // A running import still needs the store.
      await worker?.stop();
      await service.close();
    },
  };
}

export { openEventsStore } from "./open-events-store.ts";
export type { EventsService } from "../events/service.ts";
export type { FetchFeed } from "../events/subscriptions/fetch-feed.ts";
// The store port, and the types that an implementation of it needs.
export type * from "../events/store.ts";
export type * from "../identity/identity-records.ts";
export { StorageUnavailableError } from "../database/database.ts";
