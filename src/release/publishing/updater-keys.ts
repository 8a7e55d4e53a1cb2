/** Creates, lists and opens the keys that sign files for other updaters. They never sign a manifest. */
import { generateKeyPairSync, type KeyObject } from "node:crypto";
import type { CatalogFile } from "../../contract/release/catalog.ts";
import type { Catalog } from "../../rules/release/catalog.ts";
import { CATALOG_FILE } from "../../rules/release/catalog-files.ts";
import {
  findUpdaterKey,
  listUpdaterKeys,
  type UpdaterKey,
  type UpdaterKeyKind,
} from "../../rules/release/updater-keys.ts";
import {
  formatJson,
  publishingError,
  type CatalogContext,
  type ChangeResult,
  type PublishingError,
} from "./change-catalog.ts";
import { toRawPublicKey } from "./ed25519-key.ts";
import { hasKeyFile, openKeyFile, type PassphraseSource } from "./key-files.ts";
import { changeKeys, checkKeyId, nextKeyId, takenIdError, takenKeyIds } from "./key-ring.ts";
import { toMinisignPublicKey, toTauriPublicKey } from "./minisign.ts";

export interface UpdaterKeyOverview {
  readonly kind: UpdaterKeyKind;
  readonly keyId: string;
  /** The public key as in catalog.json. */
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
  const { privateKey } = generateKeyPairSync("ed25519");
  const raw = toRawPublicKey(privateKey);
  const publicKey = kind === "minisign" ? toMinisignPublicKey(raw) : raw.toString("base64");
  return (
    checkKeyId(id) ??
    addUpdaterKey(context, { kind, id, privateKey, publicKey, passphrase }, (_catalog, known) =>
      known === null ? null : existingKeyError(known),
    )
  );
}

export interface NewUpdaterKey {
  readonly kind: UpdaterKeyKind;
  readonly id: string | undefined;
  readonly privateKey: KeyObject;
  /** The public key as in catalog.json. */
  readonly publicKey: string;
  /** Seals the new key file; undefined leaves it unencrypted. */
  readonly passphrase: string | undefined;
}

/** Stores a private key, and its public key in catalog.json unless it is `known` there. */
export function addUpdaterKey(
  context: CatalogContext,
  { kind, id, privateKey, publicKey, passphrase }: NewUpdaterKey,
  check: (catalog: Catalog, known: UpdaterKey | null) => PublishingError | null,
): Promise<ChangeResult<CreatedUpdaterKey>> {
  return changeKeys(context, passphrase, async ({ catalog, now }, create) => {
    const { settings } = catalog;
    const known = findUpdaterKey(settings, kind);
    const wrong = check(catalog, known);
    if (wrong !== null) return wrong;
    const keyId = known?.keyId ?? chooseKeyId(catalog, kind, id, now);
    if (typeof keyId !== "string") return keyId;
    const key = await create(keyId, privateKey);
    if (key.kind === "refused") return key;
    const updaterKeys = { ...settings.updaterKeys, [kind]: { keyId, publicKey } };
    const changed: CatalogFile = { ...settings, updaterKeys };
    return {
      kind: "change",
      changes: known === null ? [{ file: CATALOG_FILE, content: formatJson(changed) }] : [],
      result: { ...describeKey({ kind, keyId, publicKey }), isHere: true, path: key.path },
    };
  });
}

/** Returns `id` unless it is taken; without an id, the next one of the kind. */
function chooseKeyId(
  catalog: Catalog,
  kind: UpdaterKeyKind,
  id: string | undefined,
  now: number,
): string | PublishingError {
  // The ids of the first signing keys are planned before those keys are made.
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

function describeKey({ kind, keyId, publicKey }: Omit<UpdaterKey, "ringKey">) {
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

export async function openUpdaterKey(
  settings: CatalogFile,
  kind: UpdaterKeyKind,
  keysFolder: string,
  askPassphrase: PassphraseSource,
): Promise<OpenedUpdaterKey | PublishingError> {
  const key = findUpdaterKey(settings, kind);
  if (key === null) {
    return publishingError(
      `The catalogue has no ${kind} key: create one with \`trellis release key new --kind ${kind}\`, or import the one that installed apps know with \`trellis release key import\``,
    );
  }
  const { keyId, ringKey } = key;
  const ring = { [keyId]: ringKey };
  const opened = await openKeyFile(keysFolder, keyId, ring, askPassphrase, SIGNED_ELSEWHERE[kind]);
  return opened.kind === "refused"
    ? opened
    : { kind: "opened", key, privateKey: opened.privateKey };
}
