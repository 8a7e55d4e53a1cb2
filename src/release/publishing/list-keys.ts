/** The keys of the ring: their roles, and whether their private halves are on this machine. */
import type { Catalog } from "../../rules/release/catalog.ts";
import type { KeyRole } from "./create-keys.ts";
import { hasKeyFile } from "./keys.ts";

export interface KeyOverview {
  readonly keyId: string;
  readonly publicKey: string;
  readonly role: KeyRole;
  readonly isHere: boolean;
}

export function listKeys({ settings, keys }: Catalog, keysFolder: string): KeyOverview[] {
  const { active, standby } = settings.signing;
  return Object.entries(keys).map(([keyId, publicKey]) => ({
    keyId,
    publicKey,
    role: keyId === active ? "active" : keyId === standby ? "standby" : "none",
    isHere: hasKeyFile(keysFolder, keyId),
  }));
}
