/** The key that signs: opened before the lock is taken, because a person may have to type. */
import type { Catalog } from "../../rules/release/catalog.ts";
import {
  readForChange,
  refuse,
  type PublishingError,
  type CatalogContext,
} from "./change-catalog.ts";
import { openKeyFile, type PassphraseSource } from "./keys.ts";
import type { SigningKey } from "./sign-manifest.ts";

export async function openSigningKey(
  bench: CatalogContext,
  askPassphrase: PassphraseSource,
): Promise<({ readonly kind: "opened" } & SigningKey) | PublishingError> {
  const state = await readForChange(bench);
  if (state.kind === "refused") return state;
  const { settings, keys } = state.catalog;
  if (Object.keys(keys).length === 0) {
    return refuse("There is no signing key yet: make one with `trellis release key new`");
  }
  return openKeyFile(bench.keysFolder, settings.signing.active, keys, askPassphrase);
}

/** The catalogue may have changed between opening the key and taking the lock. */
export function checkStillActive(key: SigningKey, { settings }: Catalog): PublishingError | null {
  return settings.signing.active === key.keyId
    ? null
    : refuse("Another process changed the active key meanwhile: run the command again");
}
