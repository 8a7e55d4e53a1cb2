/** The handlers of the contract, each from the capability that it belongs to. */
import { OWNER_ROUTES, LINK_ROUTES } from "../contract/sync/owner-routes.ts";
import { SYNC_ROUTES } from "../contract/sync/routes.ts";
import type { Handlers } from "../http/create-http-service.ts";
import type { createChanges } from "./changes/changes.ts";
import type { createKeyList } from "./keys/key-list.ts";
import type { createDevices } from "./devices/devices.ts";
import type { createLog } from "./log/log.ts";
import { createPublicHandlers } from "./responses/public-handlers.ts";
import type { SyncDependencies } from "./setup/dependencies.ts";
import type { createSyncSignIn } from "./sign-in/sync-sign-in.ts";
import type { AccessGrant } from "./store.ts";

export type SyncRoutes = typeof SYNC_ROUTES & typeof LINK_ROUTES & typeof OWNER_ROUTES;

/** Every route of an instance. Without the owner's page, its addresses are unknown like any other. */
export function routesOf(hasOwnerPage: boolean): SyncRoutes {
  return { ...SYNC_ROUTES, ...pageRoutesOf(hasOwnerPage) } as SyncRoutes;
}

/** The paths of pages for the owner, which are for the service's own origin alone. */
export function ownerPathsOf(hasOwnerPage: boolean): ReadonlySet<string> {
  return new Set(Object.values(pageRoutesOf(hasOwnerPage)).map(({ path }) => path));
}

function pageRoutesOf(hasOwnerPage: boolean) {
  return { ...LINK_ROUTES, ...(hasOwnerPage && OWNER_ROUTES) };
}

interface Capabilities {
  readonly signIn: ReturnType<typeof createSyncSignIn>;
  readonly devices: ReturnType<typeof createDevices>;
  readonly changes: ReturnType<typeof createChanges>;
  readonly log: ReturnType<typeof createLog>;
  readonly keys: ReturnType<typeof createKeyList>;
  readonly owner: Handlers<typeof OWNER_ROUTES, AccessGrant>;
}

export function createSyncHandlers(
  dependencies: SyncDependencies,
  { signIn, devices, changes, log, keys, owner }: Capabilities,
): Handlers<SyncRoutes, AccessGrant> {
  return {
    ...createPublicHandlers({
      ...dependencies,
      ping: () => dependencies.store.ping(),
      isInitialized: () => dependencies.store.hasAccount(),
    }),
    ...signIn.handlers,
    ...devices.handlers,
    ...log.handlers,
    ...keys.handlers,
    ...changes.handlers,
    ...owner,
  };
}
