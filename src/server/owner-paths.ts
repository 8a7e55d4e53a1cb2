import { OWNER_ROUTES } from "../contract/sync/owner-routes.ts";

const PATHS: ReadonlySet<string> = new Set(Object.values(OWNER_ROUTES).map(({ path }) => path));

/** The paths of the owner's page; none when the page is off. */
export function ownerPathsOf(hasOwnerPage: boolean): ReadonlySet<string> {
  return hasOwnerPage ? PATHS : new Set();
}
