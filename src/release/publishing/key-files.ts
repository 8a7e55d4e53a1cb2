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
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { publishingError, type PublishingError } from "./change-catalog.ts";
import { explainLostLineEnds, readPem, type WholePem } from "./read-pem.ts";
import {
  isSealed,
  openSealedFile,
  readSealedFile,
  sealPrivateKey,
  type SealedKeyFile,
} from "./sealed-key-file.ts";

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
  /** The public key in Base64URL, as in the key ring. */
  readonly publicKey: string;
}

/** Creates a key file, which is encrypted only with a passphrase. */
export async function createKeyFile(
  keysFolder: string,
  keyId: string,
  passphrase: string | undefined,
  privateKey = generateKeyPairSync("ed25519").privateKey,
): Promise<CreatedKey | PublishingError> {
  const path = keyPath(keysFolder, keyId);
  // A link from version control would take the key to where others can read it.
  if (lstatSync(keysFolder, { throwIfNoEntry: false })?.isSymbolicLink() === true) {
    return publishingError(
      `The folder of the keys "${keysFolder}" is a link: put a folder in its place, or set \`dataDir\` to where it leads`,
    );
  }
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
  // Finds damage before the passphrase is asked for, because no passphrase opens such a file.
  const file = readKeyFile(path, keyId, ifLost);
  if (file.kind === "refused") return file;
  const passphrase = file.kind === "plain" ? undefined : await askPassphrase(keyId);
  if (file.kind !== "plain" && passphrase === undefined) {
    return publishingError(
      `The signing key "${keyId}" is encrypted and no passphrase was given: use a terminal, --passphrase-stdin, or TRELLIS_RELEASE_KEY_PASSPHRASE`,
    );
  }
  const privateKey = await decodeKey(file, keyId, passphrase);
  if (privateKey === null) return publishingError(explainUnopened(path, file));
  if (privateKey.asymmetricKeyType !== "ed25519") {
    return publishingError(
      `The signing key "${path}" is of type "${privateKey.asymmetricKeyType}": only Ed25519 keys sign releases, make one with \`trellis release key new\``,
    );
  }
  if (publicText(createPublicKey(privateKey)) !== ring[keyId]) {
    return publishingError(
      `The key file "${path}" does not belong to the public key "${keyId}" of the catalogue: restore the right file from your backup${ifLost}`,
    );
  }
  return { kind: "opened", keyId, privateKey };
}

/** Whether a key file is usable, as far as that shows without decrypting it. */
export async function inspectKeyFile(
  keysFolder: string,
  keyId: string,
  ring: Readonly<Record<string, string>>,
  ifLost = "",
): Promise<{ readonly kind: "usable"; readonly isEncrypted: boolean } | PublishingError> {
  const file = readKeyFile(keyPath(keysFolder, keyId), keyId, ifLost);
  if (file.kind === "refused") return file;
  if (file.kind !== "plain") return { kind: "usable", isEncrypted: true };
  const opened = await openKeyFile(keysFolder, keyId, ring, async () => undefined, ifLost);
  return opened.kind === "refused" ? opened : { kind: "usable", isEncrypted: false };
}

type KeyFile = WholePem | SealedKeyFile;

/** Refuses a file for what is wrong with it, as far as that shows without its passphrase. */
function readKeyFile(path: string, keyId: string, ifLost: string): KeyFile | PublishingError {
  const text = readKeyText(path, keyId, ifLost);
  if (typeof text !== "string") return text;
  const repair = explainLostLineEnds(text, !isSealed(text));
  if (repair !== null) {
    return publishingError(`The signing key "${path}" has lost its line ends: ${repair}`);
  }
  const file = isSealed(text) ? readSealedFile(text, keyId) : readPem(text);
  switch (file.kind) {
    case "damaged":
      return publishingError(
        `The signing key "${path}" is damaged (${file.detail}): restore it from your backup`,
      );
    case "other-key":
      return publishingError(
        `The file "${path}" holds the key "${file.keyId}", not "${keyId}": put the file of "${keyId}" there${ifLost}`,
      );
    default:
      return file;
  }
}

function readKeyText(path: string, keyId: string, ifLost: string): string | PublishingError {
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

function explainUnopened(path: string, file: KeyFile): string {
  if (file.kind === "plain") {
    return `The signing key "${path}" is not a PEM private key: restore it from your backup`;
  }
  return file.kind === "sealed" && file.isIntact
    ? `The passphrase does not open the signing key "${path}", and the file is undamaged: try the passphrase again`
    : `The passphrase does not open the signing key "${path}": it is wrong, or the file was changed or is that of another key; try the passphrase again, then restore the file from your backup`;
}

/** Null for what is no key, and for a wrong passphrase. */
async function decodeKey(
  file: KeyFile,
  keyId: string,
  passphrase: string | undefined,
): Promise<KeyObject | null> {
  try {
    return file.kind === "sealed"
      ? await openSealedFile(file, keyId, passphrase ?? "")
      : createPrivateKey({ key: file.text, format: "pem", passphrase });
  } catch {
    return null;
  }
}

function publicText(publicKey: KeyObject): string {
  return publicKey.export({ format: "jwk" }).x ?? "";
}
