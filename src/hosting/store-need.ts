/** What a request needs of the store of its instance, as far as its head and the key of the instance tell. */
import { LINK_ROUTES } from "../contract/sync/owner-routes.ts";
import { SYNC_ROUTES } from "../contract/sync/routes.ts";
import type { Method, Route } from "../contract/route.ts";
import { createRouteMatcher, createTargetRouter } from "../http/match-route.ts";
import { createInputReader } from "../http/read-input.ts";
import type { BodyRules } from "../http/read-body.ts";
import type { RawRequest } from "../http/request.ts";
import { readAccessToken } from "../sync/devices/access-tokens.ts";
import { routesOf } from "../sync/routes.ts";
import type { ClosedInstances } from "./closed-instances.ts";
import type { Instance } from "../configuration/instance.ts";
import type { RefusedTokens } from "./admission/refused-tokens.ts";

/**
 * - `nothing`: a public route, or a request that is refused before the store is asked.
 * - `device`: the work of a signed-in device, by its access token.
 * - `stream`: the same, for a response that goes on.
 * - `refresh`: the body has the token by which it is that of a device, or of a stranger.
 * - `stranger`: a sign-in, the owner's page, or a token that only the store can judge.
 */
export type StoreNeedKind = "nothing" | "device" | "stream" | "refresh" | "stranger";

export interface StoreNeed {
  readonly kind: StoreNeedKind;
  /** Of the body, where the service checks it; null for none. */
  readonly body: BodyRules | null;
}

const PUBLIC_ROUTES: ReadonlySet<Route> = new Set([
  SYNC_ROUTES.getHealth,
  SYNC_ROUTES.getCapabilities,
  SYNC_ROUTES.getInstanceInfo,
  SYNC_ROUTES.getAuthorizePage,
  LINK_ROUTES.getSignInLinkPage,
  LINK_ROUTES.getWelcomePage,
]);

export function createStoreNeed(
  closed: ClosedInstances,
  refused: Pick<RefusedTokens, "has">,
): (request: RawRequest, instance: Instance) => Promise<StoreNeed> {
  const withOwnerPage = createRouter(routesOf(true));
  const withoutOwnerPage = createRouter(routesOf(false));

  function findRoute({ method, target }: RawRequest, hasOwnerPage: boolean): Route | null {
    const { routes } = (hasOwnerPage ? withOwnerPage : withoutOwnerPage)(target);
    if ("kind" in routes) return null;
    const found = routes.get((method === "HEAD" ? "GET" : method) as Method);
    return found?.input.kind === "input" ? found.bound.route : null;
  }

  async function kindOf(
    request: RawRequest,
    instance: Instance,
    route: Route,
  ): Promise<StoreNeedKind> {
    const isInfo = route === SYNC_ROUTES.getInstanceInfo;
    if (isInfo && (await closed.hasAccount(instance)) === "unknown") return "stranger";
    if (PUBLIC_ROUTES.has(route)) return "nothing";
    if (route === SYNC_ROUTES.refresh) return "refresh";
    if (route.auth === undefined) return "stranger";
    const token = readAccessToken(request);
    const need = NEED_BY_ORIGIN[await closed.accessTokenOrigin(instance, token)];
    if (need !== "device") return need;
    // A refused token never becomes good again; where it did, in a restored store, the device refreshes.
    if (refused.has(token)) return "nothing";
    return route === SYNC_ROUTES.getChanges ? "stream" : need;
  }

  return async (request, instance) => {
    const { ownerPage, limits } = instance.sync;
    const route = findRoute(request, ownerPage);
    if (route === null) return { kind: "nothing", body: null };
    const { body } = route;
    const maxBytes = Math.min(limits.maxBodyBytes, body?.maxBytes ?? Infinity);
    return {
      kind: await kindOf(request, instance, route),
      body: body === undefined ? null : { mediaType: body.mediaType, maxBytes },
    };
  };
}

const NEED_BY_ORIGIN = { own: "device", "made-up": "nothing", unknown: "stranger" } as const;

function createRouter(routes: Readonly<Record<string, Route>>) {
  return createTargetRouter(
    createRouteMatcher(
      Object.values(routes).map((route) => ({
        route,
        bound: { route, readInput: createInputReader(route) },
      })),
    ),
  );
}
