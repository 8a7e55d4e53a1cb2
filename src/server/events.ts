/** `trellis/events`: the events service with its pages and subscriptions, for embedding and for `serve`. */
import { createAddressGuard } from "../events/subscriptions/address-guard.ts";
import { createFeedFetcher, type FetchFeed } from "../events/subscriptions/guarded-fetch.ts";
import { createSubscriptions } from "../events/subscriptions/subscriptions.ts";
import {
  createSubscriptionWorker,
  type SubscriptionNotice,
} from "../events/subscriptions/worker.ts";
import {
  createEventsService as createService,
  type EventsNotice as ServiceNotice,
  type EventsService,
  type EventsServiceOptions,
} from "../events/service.ts";
import { toInstanceKey } from "../identity/instance-key.ts";
import { createEventsPages } from "./events-pages.ts";

export type EventsNotice = ServiceNotice | SubscriptionNotice;

export interface EmbeddedEventsOptions extends Omit<
  EventsServiceOptions,
  "pages" | "subscriptions" | "onNotice"
> {
  readonly subscriptions?: {
    /** Hosts in networks of your own that calendars may be fetched from; public ones always may. */
    readonly allowedPrivateHosts?: readonly string[];
    /** Whether this process fetches what is due. Any number may, and unless told otherwise it does. */
    readonly isFetching?: boolean;
    /** In place of the guarded fetch over the network. */
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
  const service = createService({
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
      // Before the store is closed, which a running import still needs.
      await worker?.stop();
      await service.close();
    },
  };
}

export { openEventsStore } from "./open-events-store.ts";
export type { EventsService } from "../events/service.ts";
export type { FetchFeed } from "../events/subscriptions/guarded-fetch.ts";
// The port of stores, and what whoever writes one needs beside it.
export type * from "../events/store.ts";
export type * from "../identity/identity-records.ts";
export { StorageUnavailableError } from "../database/database.ts";
