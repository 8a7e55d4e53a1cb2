/** The private keys that sign manifests. */
import type { CatalogFile } from "../../contract/release/catalog.ts";
import type { Catalog } from "../../rules/release/catalog.ts";
import type { CatalogContext } from "./change-catalog.ts";
import { inspectKeyFile, openKeyFile, type PassphraseSource } from "./key-files.ts";

export function openSigningKey(
  { keysFolder }: CatalogContext,
  { keys, settings }: Catalog,
  keyId: string,
  askPassphrase: PassphraseSource,
): ReturnType<typeof openKeyFile> {
  const ifLost = explainLostKey(keyId, settings.signing);
  return openKeyFile(keysFolder, keyId, keys, askPassphrase, ifLost);
}

export function inspectSigningKey(
  { keysFolder }: CatalogContext,
  { keys, settings }: Catalog,
  keyId: string,
): ReturnType<typeof inspectKeyFile> {
  return inspectKeyFile(keysFolder, keyId, keys, explainLostKey(keyId, settings.signing));
}

/** What to do when no copy of a key's file is left: continues "restore it from your backup". */
export function explainLostKey(keyId: string, { active, standby }: CatalogFile["signing"]): string {
  if (keyId !== active) {
    return `; if it is lost, ${active} stays the active key: revoke this one with \`trellis release key revoke ${keyId}\`, and create a new standby key with \`trellis release key new\``;
  }
  return standby === undefined
    ? "; if it is lost, create a key with `trellis release key new`, and distribute a version of the app that pins it in another way: there is no standby key"
    : `; if it is lost, let the standby key ${standby} take over with \`trellis release key rotate\``;
}
