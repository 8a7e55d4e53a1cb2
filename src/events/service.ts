/** The events service with its pages and subscriptions. */
import { EVENTS_PAGE_ROUTES } from "../contract/events/page-routes.ts";
import { EVENTS_ROUTES } from "../contract/events/routes.ts";
import { MAX_PAGE_BODY_BYTES } from "../contract/events/values.ts";
import { StorageUnavailableError } from "../database/database.ts";
import { createStorageMonitor, type StorageMonitor } from "../database/storage-monitor.ts";
import { createHttpService } from "../http/create-http-service.ts";
import { createEmbeddingHooks } from "../http/service-hooks.ts";
import { createStoredService, type StoredService } from "../http/stored-service.ts";
import { toInstanceKey } from "../identity/instance-key.ts";
import { createEventsPages } from "./account/web-pages.ts";
import { authenticateBearer } from "./oauth/list-events.ts";
import { createEventsHooks } from "./responses/service-hooks.ts";
import { createEventsHandlers } from "./routes.ts";
import { createDependencies } from "./setup/dependencies.ts";
import type { ComposedEventsOptions, EventsServiceOptions } from "./setup/options.ts";
import { createAddressGuard } from "./subscriptions/address-guard.ts";
import { createFeedFetcher } from "./subscriptions/fetch-feed.ts";
import { createSubscriptionWorker } from "./subscriptions/subscription-worker.ts";
import { createSubscriptions, type Subscriptions } from "./subscriptions/subscriptions.ts";

/** A running events service: call `fetch` with each request, and `close` at the end. */
export interface EventsService extends StoredService {
  /** Rejects while the store cannot be written. */
  checkReady(): Promise<void>;
}

/**
 * Makes the events service, which also fetches the calendars that people subscribed to. Use it to feed
 * events to apps from a program of your own in place of `trellis serve`.
 * @returns the service, which closes the store when it is closed
 * @example
 * ```ts
 * import { createEventsService, openEventsStore } from "trellis/events";
 *
 * const events = createEventsService({
 *   store: await openEventsStore("sqlite:./data/events.db", "./data"),
 *   instanceKey: Buffer.from(process.env["INSTANCE_KEY"] ?? "", "base64url"),
 *   baseUrl: "https://planner.example.com",
 *   serviceName: "Class 7b",
 *   clients: [{ id: "my-app", name: "My app", redirectUris: ["https://app.example.com/callback"] }],
 *   timeZone: "Europe/Berlin",
 * });
 * const response = await events.fetch(new Request("https://planner.example.com/sign-in"));
 * ```
 */
export function createEventsService(options: EventsServiceOptions): EventsService {
  const { store, subscriptions: settings = {}, onNotice, now = Date.now } = options;
  const instanceKey = toInstanceKey(options.instanceKey);
  const {
    fetchFeed = createFeedFetcher({ guard: createAddressGuard(settings.allowedPrivateHosts) }),
  } = settings;
  const subscriptions = createSubscriptions({
    store,
    instanceKey,
    randomBytes: options.randomBytes,
    fetchFeed,
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
  const worker =
    (settings.isFetching ?? true) ? startWorker(options, subscriptions, storage) : null;
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

function startWorker(
  { store, onNotice, now = Date.now }: EventsServiceOptions,
  { refresher }: Subscriptions,
  storage: StorageMonitor,
) {
  return createSubscriptionWorker({
    store,
    refresher,
    now,
    onNotice(notice) {
      const error = "error" in notice ? notice.error : null;
      if (error instanceof StorageUnavailableError) storage.reportFailure(error);
      else onNotice?.(notice);
    },
  });
}

/** The service on pages and subscriptions that are made already. */
export function composeEventsService(options: ComposedEventsOptions): StoredService {
  const dependencies = createDependencies(options);
  const { account, store, storage, grants, limiters, now } = dependencies;
  const http = createHttpService(
    { ...EVENTS_ROUTES, ...EVENTS_PAGE_ROUTES },
    createEventsHandlers(dependencies),
    {
      ...createEventsHooks(dependencies),
      ...createEmbeddingHooks(options),
      maxBodyBytes: MAX_PAGE_BODY_BYTES,
      authenticate: (request) => authenticateBearer(grants, request),
      rateLimiters: limiters,
      rateLimitKey: ({ grantId }) => grantId,
      isKnownBrowser: account.isKnownBrowser,
    },
  );
  return createStoredService({
    http,
    store: {
      prune: (at) => storage.tolerate(() => store.prune(at)),
      async close() {
        storage.close();
        await store.close();
      },
    },
    now,
    onNotice: options.onNotice,
  });
}
