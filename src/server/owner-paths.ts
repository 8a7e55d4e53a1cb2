import { OWNER_ROUTES } from "../contract/sync/owner-routes.ts";

const PATHS: ReadonlySet<string> = new Set(Object.values(OWNER_ROUTES).map(({ path }) => path));

/** None when the owner's page is off. */
export function ownerPathsOf(hasOwnerPage: boolean): ReadonlySet<string> {
  return hasOwnerPage ? PATHS : new Set();
}
