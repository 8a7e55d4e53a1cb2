import { OWNER_ROUTES, SIGN_IN_LINK_ROUTES } from "../../contract/sync/owner-routes.ts";
import { SYNC_ROUTES } from "../../contract/sync/routes.ts";

/** The paths of pages for the owner, which are for the service's own origin alone. */
export function ownerPathsOf(hasOwnerPage: boolean): ReadonlySet<string> {
  return new Set(Object.values(pageRoutesOf(hasOwnerPage)).map(({ path }) => path));
}

/** Every route of an instance. */
export function routesOf(hasOwnerPage: boolean) {
  return { ...SYNC_ROUTES, ...pageRoutesOf(hasOwnerPage) };
}

function pageRoutesOf(hasOwnerPage: boolean) {
  return { ...SIGN_IN_LINK_ROUTES, ...(hasOwnerPage && OWNER_ROUTES) };
}
