import { OWNER_ROUTES, SIGN_IN_LINK_ROUTES } from "../contract/sync/owner-routes.ts";

/** The paths of pages for the owner, which are for the service's own origin alone. */
export function ownerPathsOf(hasOwnerPage: boolean): ReadonlySet<string> {
  const routes = { ...SIGN_IN_LINK_ROUTES, ...(hasOwnerPage && OWNER_ROUTES) };
  return new Set(Object.values(routes).map(({ path }) => path));
}
