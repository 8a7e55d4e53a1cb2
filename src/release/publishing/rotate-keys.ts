/** Lets the standby key take over, and signs with it what is published: one atomic step. */
import type { CatalogFile } from "../../contract/release/catalog.ts";
import { CATALOG_FILE, KEYS_FILE, MANIFEST_FILE } from "../../rules/release/catalog-files.ts";
import {
  changeCatalog,
  formatJson,
  hasHistory,
  readForChange,
  refuse,
  type CatalogState,
  type Change,
  type Decision,
  type CatalogContext,
} from "./change-catalog.ts";
import { openKeyFile, type PassphraseSource } from "./keys.ts";
import { refuseLostManifest } from "./publish-release.ts";
import { signManifest, type SignedManifest, type SigningKey } from "./sign-manifest.ts";

export interface RotatedKeys {
  readonly signing: CatalogFile["signing"];
  /** The key that signed until now. */
  readonly retired: string;
  /** Null when nothing was published yet. */
  readonly manifest: Omit<SignedManifest, "envelope"> | null;
}

/** `nextStandby` names a key of the ring; without it there is none until one is made. */
export async function rotateKeys(
  bench: CatalogContext,
  nextStandby: string | undefined,
  askPassphrase: PassphraseSource,
): Promise<Change<RotatedKeys>> {
  const state = await readForChange(bench);
  if (state.kind === "refused") return state;
  const { settings, keys } = state.catalog;
  const { standby } = settings.signing;
  if (Object.keys(keys).length === 0 || standby === undefined) {
    return refuse("There is no standby key to take over: make one with `trellis release key new`");
  }
  const key = await openKeyFile(bench.keysFolder, standby, keys, askPassphrase);
  if (key.kind === "refused") return key;
  return changeCatalog(bench, (current) => decideRotation(current, key, nextStandby));
}

function decideRotation(
  { catalog, manifest, now }: CatalogState,
  key: SigningKey,
  nextStandby: string | undefined,
): Decision<RotatedKeys> {
  const { active: retired, standby } = catalog.settings.signing;
  if (standby !== key.keyId) {
    return refuse("Another process changed the keys meanwhile: run the command again");
  }
  if (nextStandby !== undefined && !Object.hasOwn(catalog.keys, nextStandby)) {
    return refuse(
      `"${nextStandby}" is not in ${KEYS_FILE}: make it with \`trellis release key new\``,
    );
  }
  if (nextStandby === key.keyId) return refuse(`"${nextStandby}" becomes the active key itself`);
  if (manifest === null && hasHistory(catalog)) return refuseLostManifest();
  const signing = {
    active: key.keyId,
    ...(nextStandby !== undefined && { standby: nextStandby }),
  };
  const settings: CatalogFile = { ...catalog.settings, signing };
  const changes = [{ file: CATALOG_FILE, content: formatJson(settings) }];
  if (manifest === null) {
    return { kind: "change", changes, result: { signing, retired, manifest: null } };
  }
  const { envelope, ...signed } = signManifest({ ...catalog, settings }, manifest, key, now);
  changes.push({ file: MANIFEST_FILE, content: envelope });
  return { kind: "change", changes, result: { signing, retired, manifest: signed } };
}
