/** The responses of an instance that need no store: public routes, refusing of tokens, errors of the host. */
import type { Route } from "../contract/route.ts";
import { createClientAddressReader } from "../http/client-address.ts";
import { createHttpService, type Handlers, type HttpService } from "../http/create-http-service.ts";
import type { RequestObserver } from "../http/request-observer.ts";
import type { StoredServiceNotice } from "../http/stored-service.ts";
import { createPublicHandlers } from "../sync/responses/public-handlers.ts";
import { createAuthorizePage } from "../sync/sign-in/authorize.ts";
import { createLinkPages } from "../sync/sign-in/sync-sign-in.ts";
import { createRedirectAllowlist } from "../sync/sign-in/redirect-allowlist.ts";
import { routesOf, type SyncRoutes } from "../sync/routes.ts";
import type { Instance } from "../configuration/instance.ts";
import type { ClosedInstances } from "./closed-instances.ts";
import type { HostDependencies } from "./host-dependencies.ts";
import { createStorelessHooks } from "./refuse-request.ts";

/** Responds exactly as the open instance does to requests that need nothing of its store. */
export function createInstanceFront(
  instance: Instance,
  host: HostDependencies,
  closed: ClosedInstances,
  observer: RequestObserver | undefined,
): HttpService {
  const { name, sync } = instance;
  const log = host.log(name);
  const onNotice = (notice: StoredServiceNotice) => host.notices.notify(name, notice);
  const { hooks, pages } = createStorelessHooks(sync, onNotice);
  const routes = withoutRateLimits(routesOf(sync.ownerPage));
  const handlers = {
    ...createPublicHandlers({
      ...sync,
      prove: (challenge) => closed.prove(instance, challenge),
      // That the server responds is all there is to say: the store is opened by the next device.
      ping: async () => {},
      isInitialized: async () => (await closed.hasAccount(instance)) === true,
    }),
    getAuthorizePage: createAuthorizePage({
      baseUrl: sync.baseUrl,
      redirects: createRedirectAllowlist(sync.redirectUris, sync.allowedSchemes),
      pages,
      onNotice,
    }),
    ...createLinkPages(pages),
  } satisfies Partial<Handlers<SyncRoutes>>;
  const unreached = Object.fromEntries(Object.keys(routes).map((name) => [name, needsStore]));
  return createHttpService(routes, { ...unreached, ...handlers } as Handlers<SyncRoutes>, {
    ...hooks,
    authenticate: async () => ({ kind: "unauthenticated" }),
    maxBodyBytes: sync.limits.maxBodyBytes,
    readClientAddress: createClientAddressReader(host.trustedProxies),
    ...(log !== undefined && { log }),
    ...(observer !== undefined && { observer }),
  });
}

/** The budget of openings takes the place of the limits, whose counters are in the store. */
function withoutRateLimits<T extends Readonly<Record<string, Route>>>(routes: T): T {
  const unlimited = Object.entries(routes).map(([name, { rateLimit: _limit, ...route }]) => [
    name,
    route,
  ]);
  return Object.fromEntries(unlimited) as T;
}

function needsStore(): never {
  throw new Error("Only an open instance can respond to this request");
}
