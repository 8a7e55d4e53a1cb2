/** What a key of the ring is for. */
import type { CatalogFile } from "../../contract/release/catalog.ts";
import type { Catalog } from "./catalog.ts";

/** A retired key was active before; an unused one is in the ring so that apps learn it early. */
export type KeyRole = "active" | "standby" | "retired" | "unused" | "revoked";

type Keys = Pick<Catalog, "settings" | "keys">;

export function roleOf(keyId: string, catalog: Keys): KeyRole {
  const { active, standby, revoked } = catalog.settings.signing;
  if (keyId === active) return "active";
  if (keyId === standby) return "standby";
  if (revoked?.includes(keyId) === true) return "revoked";
  return retiredKeys(catalog).includes(keyId) ? "retired" : "unused";
}

/**
 * A catalogue from before the first recorded rotation does not say it. There the ring, which grows at its
 * end, tells: the standby key that became active was made after the key that was active before it.
 */
export function retiredKeys({ settings, keys }: Keys): readonly string[] {
  const { active, retired } = settings.signing;
  const ring = Object.keys(keys);
  return retired ?? ring.slice(0, Math.max(0, ring.indexOf(active)));
}

/** The roles after a change, in which a key that lost its role is retired. */
export function recordRetired(
  catalog: Keys,
  signing: CatalogFile["signing"],
): CatalogFile["signing"] {
  const { active } = catalog.settings.signing;
  const current = new Set([signing.active, signing.standby, ...(signing.revoked ?? [])]);
  const retired = [...retiredKeys(catalog), active].filter(
    (keyId, index, all) => !current.has(keyId) && all.indexOf(keyId) === index,
  );
  return { ...signing, retired };
}
