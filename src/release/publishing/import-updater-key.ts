/** Takes over the private key of an updater whose public key is in installed apps already. */
import { readFile, stat } from "node:fs/promises";
import type { CatalogFile } from "../../contract/release/catalog.ts";
import { CATALOG_FILE, KEYS_FILE } from "../../rules/release/catalog-files.ts";
import { parseMinisignPublicKey } from "../../rules/release/minisign.ts";
import {
  findUpdaterKey,
  toRingKey,
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
import type { ImportedKey } from "./imported-key.ts";
import { hasKeyFile, removeKeyFile, writeKeyFile, type CreatedKey } from "./key-files.ts";
import { checkKeyId } from "./key-ring.ts";
import { openMinisignSecret, readMinisignSecret } from "./read-minisign-secret.ts";
import { readSparkleSecret } from "./read-sparkle-secret.ts";
import {
  chooseUpdaterKeyId,
  describeKey,
  existingKeyError,
  type CreatedUpdaterKey,
} from "./updater-keys.ts";

export interface ImportRequest {
  readonly kind: UpdaterKeyKind;
  /** The file that the updater's own tool wrote. */
  readonly file: string;
  readonly id: string | undefined;
  /** The public key that the app has, as its configuration names it. */
  readonly appKey: string | undefined;
  /** Called for an encrypted file; undefined when there is no way to ask. */
  askPassword(): Promise<string | undefined>;
  /** Seals the new key file; undefined leaves it unencrypted. */
  readPassphrase(): Promise<string | undefined>;
}

export async function importUpdaterKey(
  context: CatalogContext,
  request: ImportRequest,
): Promise<ChangeResult<CreatedUpdaterKey>> {
  const wrong = checkKeyId(request.id) ?? checkAppKey(request);
  if (wrong !== null) return wrong;
  const key = await readSecretFile(request);
  if (key.kind === "refused") return key;
  const passphrase = await request.readPassphrase();
  const created: CreatedKey[] = [];
  const result = await changeCatalog<CreatedUpdaterKey>(context, (state) =>
    decideImport(context, state, request, key, passphrase, created),
  );
  if (result.kind === "refused") for (const file of created) removeKeyFile(file);
  return result;
}

/** As in catalog.json; null when the text is no public key of the kind. */
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

function checkAppKey({ kind, appKey }: ImportRequest): PublishingError | null {
  return appKey === undefined || parseAppKey(kind, appKey) !== null
    ? null
    : publishingError(`--public-key is no public key of ${kind}: give ${APP_KEYS[kind]}`);
}

type SecretFile = ({ readonly kind: "opened" } & ImportedKey) | PublishingError;

/** A key has one or two short lines. */
const MAX_FILE_BYTES = 64 * 1024;

async function readSecretFile(request: ImportRequest): Promise<SecretFile> {
  const { file, kind } = request;
  let text: string;
  try {
    const stats = await stat(file);
    if (!stats.isFile()) return publishingError(`"${file}" is not a file`);
    if (stats.size > MAX_FILE_BYTES) return noSecretError(kind, file, "it is too large");
    text = await readFile(file, "utf8");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    return publishingError(
      code === "ENOENT" ? `There is no file "${file}"` : `Cannot read "${file}": ${message}`,
    );
  }
  return kind === "minisign" ? openMinisign(request, text) : openSparkle(file, text);
}

const MADE_BY = {
  minisign: "that `tauri signer generate -w` or `minisign -G` wrote",
  sparkle: "that Sparkle's `generate_keys -x` or `winsparkle-tool generate-key` wrote",
} as const satisfies Record<UpdaterKeyKind, string>;

function noSecretError(kind: UpdaterKeyKind, file: string, detail: string): PublishingError {
  return publishingError(
    `"${file}" is no private key of ${kind} (${detail}): give the file ${MADE_BY[kind]}`,
  );
}

async function openMinisign(request: ImportRequest, text: string): Promise<SecretFile> {
  const { file } = request;
  const secret = readMinisignSecret(text);
  if (secret.kind === "no-secret") return noSecretError("minisign", file, secret.detail);
  const password = secret.isEncrypted ? await request.askPassword() : undefined;
  // Tauri encrypts with an empty password when it is given none.
  const opened = await openMinisignSecret(secret, password ?? "");
  switch (opened.kind) {
    case "opened":
      return opened;
    case "wrong-limits":
      return noSecretError("minisign", file, "it names limits of scrypt that no such key has");
    case "wrong-password":
      if (!secret.isEncrypted) {
        return noSecretError("minisign", file, "its two halves do not belong together");
      }
      return publishingError(
        password === undefined
          ? `"${file}" is encrypted and no password was given: use a terminal, --password-stdin, or TAURI_SIGNING_PRIVATE_KEY_PASSWORD`
          : `The password does not open "${file}": try it again`,
      );
  }
}

function openSparkle(file: string, text: string): SecretFile {
  const secret = readSparkleSecret(text);
  switch (secret.kind) {
    case "opened":
      return secret;
    case "no-secret":
      return noSecretError("sparkle", file, secret.detail);
    case "hashed-seed":
      return publishingError(
        `"${file}" has Sparkle's older form of 96 bytes, which has no seed to import: keep it, sign with Sparkle's \`sign_update\`, and give the signature with \`add-artifact --ed-signature\``,
      );
  }
}

async function decideImport(
  context: CatalogContext,
  { catalog, now }: CatalogState,
  request: ImportRequest,
  { privateKey, publicKey }: ImportedKey,
  passphrase: string | undefined,
  created: CreatedKey[],
): Promise<Decision<CreatedUpdaterKey>> {
  const { settings } = catalog;
  const { kind } = request;
  const known = findUpdaterKey(settings, kind);
  const wrong =
    checkKnown(known, context, request, publicKey) ??
    checkPublicKey(request, known, publicKey) ??
    checkManifestKeys(catalog.keys, toRingKey(kind, publicKey));
  if (wrong !== null) return wrong;
  const keyId = known?.keyId ?? chooseUpdaterKeyId(catalog, kind, request.id, now);
  if (typeof keyId !== "string") return keyId;
  const file = await writeKeyFile(context.keysFolder, keyId, privateKey, passphrase);
  if (file.kind === "refused") return file;
  created.push(file);
  const updaterKeys = { ...settings.updaterKeys, [kind]: { keyId, publicKey } };
  const changed: CatalogFile = { ...settings, updaterKeys };
  return {
    kind: "change",
    changes: known === null ? [{ file: CATALOG_FILE, content: formatJson(changed) }] : [],
    result: { ...describeKey({ kind, keyId, publicKey }), isHere: true, path: file.path },
  };
}

/** The public key may be in the catalogue already, because it verifies signatures made elsewhere. */
function checkKnown(
  known: UpdaterKey | null,
  { keysFolder }: CatalogContext,
  { file, id }: ImportRequest,
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
  { kind, file, appKey }: ImportRequest,
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

/** One key in two protocols could be made to sign in one what means something in the other. */
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
