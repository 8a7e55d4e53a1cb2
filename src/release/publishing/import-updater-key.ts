/** Takes over the private key of an updater whose public key is in installed apps already. */
import { CATALOG_FILE, KEYS_FILE } from "../../rules/release/catalog-files.ts";
import { parseMinisignPublicKey } from "../../rules/release/minisign.ts";
import {
  toRingKey,
  type UpdaterKey,
  type UpdaterKeyKind,
} from "../../rules/release/updater-keys.ts";
import {
  publishingError,
  type CatalogContext,
  type ChangeResult,
  type PublishingError,
} from "./change-catalog.ts";
import { hasKeyFile } from "./key-files.ts";
import { checkKeyId } from "./key-ring.ts";
import { readUpdaterSecret, type SecretFile } from "./read-updater-secret.ts";
import { addUpdaterKey, existingKeyError, type CreatedUpdaterKey } from "./updater-keys.ts";

export interface UpdaterKeyImport extends SecretFile {
  readonly id: string | undefined;
  /** The public key that the app has, as its configuration names it. */
  readonly appKey: string | undefined;
  /** Seals the new key file; undefined leaves it unencrypted. */
  readPassphrase(): Promise<string | undefined>;
}

export async function importUpdaterKey(
  context: CatalogContext,
  request: UpdaterKeyImport,
): Promise<ChangeResult<CreatedUpdaterKey>> {
  const wrong = checkKeyId(request.id) ?? checkAppKey(request);
  if (wrong !== null) return wrong;
  const secret = await readUpdaterSecret(request);
  if (secret.kind === "refused") return secret;
  const { privateKey, publicKey } = secret;
  const passphrase = await request.readPassphrase();
  const { kind, id } = request;
  const key = { kind, id, privateKey, publicKey, passphrase };
  return addUpdaterKey(
    context,
    key,
    ({ keys }, known) =>
      checkKnown(known, context, request, publicKey) ??
      checkPublicKey(request, known, publicKey) ??
      checkManifestKeys(keys, toRingKey(kind, publicKey)),
  );
}

/** Parses a public key to the form of catalog.json; null when the text is no public key of the kind. */
function parseAppKey(kind: UpdaterKeyKind, text: string): string | null {
  if (kind === "sparkle") return /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/.test(text) ? text : null;
  const lines = text.startsWith("RW") ? text : Buffer.from(text, "base64").toString("utf8");
  const line = lines.trim().split(/\r?\n/).at(-1) ?? "";
  return parseMinisignPublicKey(line) === null ? null : line;
}

const APP_KEYS = {
  minisign: "plugins.updater.pubkey of tauri.conf.json",
  sparkle: "SUPublicEDKey of Info.plist, or the resource EdDSAPub",
} as const satisfies Record<UpdaterKeyKind, string>;

function checkAppKey({ kind, appKey }: UpdaterKeyImport): PublishingError | null {
  return appKey === undefined || parseAppKey(kind, appKey) !== null
    ? null
    : publishingError(`--public-key is not a public key of ${kind}: give ${APP_KEYS[kind]}`);
}

/** The public key may be in the catalogue already, because it verifies signatures made elsewhere. */
function checkKnown(
  known: UpdaterKey | null,
  { keysFolder }: CatalogContext,
  { file, id }: UpdaterKeyImport,
  publicKey: string,
): PublishingError | null {
  if (known === null) return null;
  if (hasKeyFile(keysFolder, known.keyId)) return existingKeyError(known);
  if (known.publicKey !== publicKey) {
    return publishingError(
      `"${file}" holds another key than "${known.keyId}" of ${CATALOG_FILE}, whose public key is ${known.publicKey}: give the private key of that one, or correct updaterKeys.${known.kind}`,
    );
  }
  return id === undefined || id === known.keyId
    ? null
    : publishingError(`The key is "${known.keyId}" in ${CATALOG_FILE}: leave --id out`);
}

function checkPublicKey(
  { kind, file, appKey }: UpdaterKeyImport,
  known: UpdaterKey | null,
  publicKey: string,
): PublishingError | null {
  if (appKey === undefined) {
    // A private and a public key are both 32 bytes, so only the pair shows which one was given.
    return kind === "minisign" || known !== null
      ? null
      : publishingError(
          `Give the app's public key with --public-key (${APP_KEYS.sparkle}): only with it can the private key be told from another one`,
        );
  }
  const expected = parseAppKey(kind, appKey);
  return expected === publicKey
    ? null
    : publishingError(
        `"${file}" does not belong to the public key ${expected}, so installed apps would refuse what it signs: give the private key of the app, not its public key or that of another app`,
      );
}

/** A key that two protocols share could be made to sign in one what means something in the other. */
function checkManifestKeys(
  ring: Readonly<Record<string, string>>,
  ringKey: string,
): PublishingError | null {
  const [keyId] = Object.entries(ring).find(([, publicKey]) => publicKey === ringKey) ?? [];
  return keyId === undefined
    ? null
    : publishingError(
        `This key is "${keyId}" of ${KEYS_FILE}, which signs manifests: a key signs for one purpose only`,
      );
}
