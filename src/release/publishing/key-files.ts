/**
 * Private signing keys: Ed25519, one file each in a folder that only its owner can enter. A file holds
 * PKCS#8 PEM, or a key that is sealed under a passphrase. No function prints or returns private
 * material as text.
 */
import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
} from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { publishingError, type PublishingError } from "./change-catalog.ts";
import { explainLostLineEnds, readEncryptedPem } from "./pem-damage.ts";
import { isSealed, openSealedFile, readSealedFile, sealPrivateKey } from "./sealed-key-file.ts";

/** Called only for an encrypted key; undefined when there is no way to ask. */
export type PassphraseSource = (keyId: string) => Promise<string | undefined>;

export function keyPath(keysFolder: string, keyId: string): string {
  return join(keysFolder, `${keyId}.pem`);
}

export function hasKeyFile(keysFolder: string, keyId: string): boolean {
  return existsSync(keyPath(keysFolder, keyId));
}

export interface CreatedKey {
  readonly kind: "created";
  readonly keyId: string;
  readonly path: string;
  /** In Base64URL, as in the key ring. */
  readonly publicKey: string;
}

/** Without a passphrase the key is not encrypted. */
export async function createKeyFile(
  keysFolder: string,
  keyId: string,
  passphrase: string | undefined,
  privateKey = generateKeyPairSync("ed25519").privateKey,
): Promise<CreatedKey | PublishingError> {
  const path = keyPath(keysFolder, keyId);
  const text =
    passphrase === undefined
      ? privateKey.export({ type: "pkcs8", format: "pem" })
      : await sealPrivateKey(privateKey, keyId, passphrase);
  mkdirSync(keysFolder, { recursive: true, mode: 0o700 });
  chmodSync(keysFolder, 0o700);
  try {
    // "wx": an existing key is never overwritten.
    writeFileSync(path, text, { mode: 0o600, flag: "wx", flush: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return publishingError(
      `There is already a key file "${path}", although the catalogue does not list "${keyId}": move it away, or choose another id with --id`,
    );
  }
  return { kind: "created", keyId, path, publicKey: publicText(createPublicKey(privateKey)) };
}

export function removeKeyFile(key: CreatedKey): void {
  rmSync(key.path, { force: true });
}

export interface SigningKey {
  readonly keyId: string;
  readonly privateKey: KeyObject;
}

export async function openKeyFile(
  keysFolder: string,
  keyId: string,
  ring: Readonly<Record<string, string>>,
  askPassphrase: PassphraseSource,
  /** Continues the advice to restore the file. */
  ifLost = "",
): Promise<({ readonly kind: "opened" } & SigningKey) | PublishingError> {
  const path = keyPath(keysFolder, keyId);
  const text = readKeyFile(path, keyId, ifLost);
  if (typeof text !== "string") return text;
  const file = { path, keyId, text, ifLost };
  // Before the passphrase is asked for, because no passphrase opens such a file.
  const error = findDamage(file);
  if (error !== null) return error;
  const passphrase = isEncrypted(text) ? await askPassphrase(keyId) : undefined;
  if (isEncrypted(text) && passphrase === undefined) {
    return publishingError(
      `The signing key "${keyId}" is encrypted and no passphrase was given: use a terminal, --passphrase-stdin, or TRELLIS_RELEASE_KEY_PASSPHRASE`,
    );
  }
  const privateKey = await parseKey(file, passphrase);
  if ("kind" in privateKey) return privateKey;
  if (publicText(createPublicKey(privateKey)) !== ring[keyId]) {
    return publishingError(
      `The key file "${path}" does not belong to the public key "${keyId}" of the catalogue: restore the right file from your backup${ifLost}`,
    );
  }
  return { kind: "opened", keyId, privateKey };
}

/** Sealed, or in the form that Trellis wrote before: PKCS#8 with the cipher of a PEM file. */
function isEncrypted(text: string): boolean {
  return isSealed(text) || text.includes("ENCRYPTED");
}

/** Whether a key file is usable, as far as that shows without decrypting it. */
export async function inspectKeyFile(
  keysFolder: string,
  keyId: string,
  ring: Readonly<Record<string, string>>,
  ifLost = "",
): Promise<{ readonly kind: "usable"; readonly isEncrypted: boolean } | PublishingError> {
  const path = keyPath(keysFolder, keyId);
  const text = readKeyFile(path, keyId, ifLost);
  if (typeof text !== "string") return text;
  if (isEncrypted(text)) {
    return findDamage({ path, keyId, text, ifLost }) ?? { kind: "usable", isEncrypted: true };
  }
  const opened = await openKeyFile(keysFolder, keyId, ring, async () => undefined, ifLost);
  return opened.kind === "refused" ? opened : { kind: "usable", isEncrypted: false };
}

function readKeyFile(path: string, keyId: string, ifLost: string): string | PublishingError {
  let text: string;
  try {
    const stats = statSync(path);
    if (!stats.isFile()) return publishingError(`The signing key "${path}" is not a regular file`);
    if (process.platform !== "win32" && (stats.mode & 0o077) !== 0) {
      const mode = (stats.mode & 0o777).toString(8).padStart(4, "0");
      return publishingError(
        `Others may read the signing key "${path}" (mode ${mode}): run \`chmod 600 ${path}\`, and replace the key if it may have been copied`,
      );
    }
    text = readFileSync(path, "utf8");
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT"
      ? publishingError(`The signing key "${keyId}" is not here: put it at "${path}"${ifLost}`)
      : publishingError(`Cannot read the signing key "${path}": ${(error as Error).message}`);
  }
  if (text.startsWith("\uFEFF")) {
    return publishingError(
      `The signing key "${path}" begins with a byte order mark: save it as UTF-8 without one`,
    );
  }
  return text;
}

interface KeyFile {
  readonly path: string;
  readonly keyId: string;
  readonly text: string;
  readonly ifLost: string;
}

/** What is wrong with a file, as far as that shows without its passphrase. */
function findDamage({ path, keyId, text, ifLost }: KeyFile): PublishingError | null {
  const repair = explainLostLineEnds(text, !isSealed(text));
  if (repair !== null) {
    return publishingError(`The signing key "${path}" has lost its line ends: ${repair}`);
  }
  if (!isEncrypted(text)) return null;
  const read = isSealed(text) ? readSealedFile(text, keyId) : readEncryptedPem(text);
  if (read.kind === "damaged") {
    return publishingError(
      `The signing key "${path}" is damaged (${read.detail}): restore it from your backup`,
    );
  }
  return read.kind === "other-key"
    ? publishingError(
        `The file "${path}" holds the key "${read.keyId}", not "${keyId}": put the file of "${keyId}" there${ifLost}`,
      )
    : null;
}

async function parseKey(
  file: KeyFile,
  passphrase: string | undefined,
): Promise<KeyObject | PublishingError> {
  const { path } = file;
  const key = await decodeKey(file, passphrase);
  if (key === null) return publishingError(explainUnopened(file, passphrase));
  return key.asymmetricKeyType === "ed25519"
    ? key
    : publishingError(
        `The signing key "${path}" is of type "${key.asymmetricKeyType}": only Ed25519 keys sign releases, make one with \`trellis release key new\``,
      );
}

function explainUnopened({ path, keyId, text }: KeyFile, passphrase: string | undefined): string {
  if (passphrase === undefined) {
    return `The signing key "${path}" is no PEM private key: restore it from your backup`;
  }
  const file = isSealed(text) ? readSealedFile(text, keyId) : null;
  return file?.kind === "sealed" && file.isIntact
    ? `The passphrase does not open the signing key "${path}", and the file is undamaged: try the passphrase again`
    : `The passphrase does not open the signing key "${path}": it is wrong, or the file was changed or is that of another key; try the passphrase again, then restore the file from your backup`;
}

/** Null for what is no key, and for a wrong passphrase. */
async function decodeKey(
  { keyId, text }: KeyFile,
  passphrase: string | undefined,
): Promise<KeyObject | null> {
  try {
    if (passphrase === undefined) return createPrivateKey({ key: text, format: "pem" });
    if (!isSealed(text)) return createPrivateKey({ key: text, format: "pem", passphrase });
    const file = readSealedFile(text, keyId);
    return file.kind === "sealed" ? await openSealedFile(file, keyId, passphrase) : null;
  } catch {
    return null;
  }
}

function publicText(publicKey: KeyObject): string {
  return publicKey.export({ format: "jwk" }).x ?? "";
}
