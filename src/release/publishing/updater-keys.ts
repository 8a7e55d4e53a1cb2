/** Creates, lists and opens the keys that sign files for other updaters. They never sign a manifest. */
import type { KeyObject } from "node:crypto";
import type { CatalogFile } from "../../contract/release/catalog.ts";
import { CATALOG_FILE } from "../../rules/release/catalog-files.ts";
import {
  findUpdaterKey,
  listUpdaterKeys,
  type UpdaterKey,
  type UpdaterKeyKind,
} from "../../rules/release/updater-keys.ts";
import {
  changeCatalog,
  formatJson,
  publishingError,
  type CatalogContext,
  type CatalogState,
  type ChangeResult,
  type Decision,
  type PublishingError,
} from "./change-catalog.ts";
import {
  createKeyFile,
  hasKeyFile,
  openKeyFile,
  removeKeyFile,
  type CreatedKey,
  type PassphraseSource,
} from "./key-files.ts";
import { checkKeyId, nextKeyId, takenIdError, takenKeyIds } from "./key-ring.ts";
import { toMinisignPublicKey, toTauriPublicKey } from "./minisign.ts";

export interface UpdaterKeyOverview {
  readonly kind: UpdaterKeyKind;
  readonly keyId: string;
  /** As in catalog.json. */
  readonly publicKey: string;
  /** What the app's own configuration has. */
  readonly appKey: string;
  /** Whether the private key is on this machine. */
  readonly isHere: boolean;
}

export interface CreatedUpdaterKey extends UpdaterKeyOverview {
  readonly path: string;
}

export async function createUpdaterKey(
  context: CatalogContext,
  kind: UpdaterKeyKind,
  id: string | undefined,
  passphrase: string | undefined,
): Promise<ChangeResult<CreatedUpdaterKey>> {
  const wrong = checkKeyId(id);
  if (wrong !== null) return wrong;
  const created: CreatedKey[] = [];
  const result = await changeCatalog<CreatedUpdaterKey>(context, (state) =>
    decideKey(context, state, kind, id, passphrase, created),
  );
  // A private key whose public key reached no catalogue is useless.
  if (result.kind === "refused") for (const key of created) removeKeyFile(key);
  return result;
}

async function decideKey(
  context: CatalogContext,
  { catalog, now }: CatalogState,
  kind: UpdaterKeyKind,
  id: string | undefined,
  passphrase: string | undefined,
  created: CreatedKey[],
): Promise<Decision<CreatedUpdaterKey>> {
  const { settings } = catalog;
  const before = findUpdaterKey(settings, kind);
  if (before !== null) return existingKeyError(before);
  const keyId = chooseUpdaterKeyId(catalog, kind, id, now);
  if (typeof keyId !== "string") return keyId;
  const key = await createKeyFile(context.keysFolder, keyId, passphrase);
  if (key.kind === "refused") return key;
  created.push(key);
  const raw = Buffer.from(key.publicKey, "base64url");
  const publicKey = kind === "minisign" ? toMinisignPublicKey(raw) : raw.toString("base64");
  const updaterKeys = { ...settings.updaterKeys, [kind]: { keyId, publicKey } };
  const changed: CatalogFile = { ...settings, updaterKeys };
  return {
    kind: "change",
    changes: [{ file: CATALOG_FILE, content: formatJson(changed) }],
    result: { ...describeKey({ kind, keyId, publicKey }), isHere: true, path: key.path },
  };
}

/** `id` unless it is taken; without one the next of the kind. */
export function chooseUpdaterKeyId(
  catalog: CatalogState["catalog"],
  kind: UpdaterKeyKind,
  id: string | undefined,
  now: number,
): string | PublishingError {
  // Before the first signing keys are made, their ids are planned already.
  const { active, standby = active } = catalog.settings.signing;
  const taken = takenKeyIds(catalog).add(active).add(standby);
  if (id !== undefined && taken.has(id)) return takenIdError(id);
  return id ?? nextKeyId(taken, new Date(now).getUTCFullYear(), kind);
}

/** Installed apps know one public key, so a second one would sign what they refuse. */
export function existingKeyError({ kind, keyId }: UpdaterKey): PublishingError {
  return publishingError(
    `There is already the ${kind} key "${keyId}", and installed apps know only that one: \`trellis release key show\` shows it. To replace it, see "Keys of other updaters" in the guide to publishing`,
  );
}

export function describeUpdaterKeys(
  settings: CatalogFile,
  keysFolder: string,
): UpdaterKeyOverview[] {
  return listUpdaterKeys(settings).map((key) => ({
    ...describeKey(key),
    isHere: hasKeyFile(keysFolder, key.keyId),
  }));
}

export function describeKey({ kind, keyId, publicKey }: Omit<UpdaterKey, "ringKey">) {
  const appKey = kind === "minisign" ? toTauriPublicKey(publicKey) : publicKey;
  return { kind, keyId, publicKey, appKey };
}

export interface OpenedUpdaterKey {
  readonly kind: "opened";
  readonly key: UpdaterKey;
  readonly privateKey: KeyObject;
}

/** What to do without the private key: continues "restore it from your backup". */
export const SIGNED_ELSEWHERE = {
  minisign: "; a signature that was made elsewhere is given with --signature-file",
  sparkle: "; a signature that was made elsewhere is given with --ed-signature",
} as const satisfies Record<UpdaterKeyKind, string>;

/** Opens the catalogue's key of this kind. */
export async function openUpdaterKey(
  settings: CatalogFile,
  kind: UpdaterKeyKind,
  keysFolder: string,
  askPassphrase: PassphraseSource,
): Promise<OpenedUpdaterKey | PublishingError> {
  const key = findUpdaterKey(settings, kind);
  if (key === null) {
    return publishingError(
      `The catalogue has no ${kind} key: make one with \`trellis release key new --kind ${kind}\`, or import the one that installed apps know with \`trellis release key import\``,
    );
  }
  const { keyId, ringKey } = key;
  const ring = { [keyId]: ringKey };
  const opened = await openKeyFile(keysFolder, keyId, ring, askPassphrase, SIGNED_ELSEWHERE[kind]);
  return opened.kind === "refused"
    ? opened
    : { kind: "opened", key, privateKey: opened.privateKey };
}
