/** The events service, given its pages and subscriptions. */
import { EVENTS_PAGE_ROUTES } from "../contract/events/page-routes.ts";
import { EVENTS_ROUTES } from "../contract/events/routes.ts";
import { MAX_PAGE_BODY_BYTES } from "../contract/events/values.ts";
import { createClientAddressReader } from "../http/client-address.ts";
import { createHttpService } from "../http/create-http-service.ts";
import { createStoredService, type StoredService } from "../http/stored-service.ts";
import { createDependencies, type EventsServiceOptions } from "./dependencies.ts";
import { createEventsHandlers } from "./routes.ts";
import { authenticateBearer } from "./oauth/list-events.ts";
import { createEventsHooks } from "./responses/service-hooks.ts";

export type { EventsServiceOptions };

export function composeEventsService(options: EventsServiceOptions): StoredService {
  const { store, storage, onNotice } = options;
  const dependencies = createDependencies(options);
  const { admission, grants, limiters, sessions, now } = dependencies;
  const http = createHttpService(
    { ...EVENTS_ROUTES, ...EVENTS_PAGE_ROUTES },
    createEventsHandlers(dependencies),
    {
      ...createEventsHooks(dependencies, storage),
      authenticate: (request) => authenticateBearer(grants, request),
      rateLimiters: limiters,
      rateLimitKey: ({ grantId }) => grantId,
      isKnownBrowser: (context) =>
        admission.isKnownBrowser(sessions.readSignInOrigin(context).knownBrowser),
      maxBodyBytes: MAX_PAGE_BODY_BYTES,
      readClientAddress: createClientAddressReader(options.trustedProxies ?? []),
      ...(options.log !== undefined && { log: options.log }),
      ...(options.observer !== undefined && { observer: options.observer }),
      onUnexpected: (error, requestId) =>
        onNotice?.({ kind: "unexpected-error", requestId, error }),
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
    onNotice,
  });
}
