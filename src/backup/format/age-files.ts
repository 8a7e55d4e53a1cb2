/** Files in the format of age (https://age-encryption.org/v1), which any `age` tool opens. */
import { Readable } from "node:stream";
import type { Identity } from "age-encryption";
import { AGE_MAGIC, BackupEncryptedError, BackupRefusedError } from "./backup-format.ts";
import { readFileStart } from "./file-start.ts";

/** A text that begins with `AGE-SECRET-KEY-`, or the key of one file. */
export type AgeIdentity = string | Identity;

/** Only encrypted backups need the library, and loading it takes longer than a short command. */
const loadAge = () => import("age-encryption");

export interface AgeEncryption {
  encrypt(chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
  /** Opens what `encrypt` wrote. It is kept in memory, so that the file can be read back and verified. */
  readonly fileIdentity: Identity;
}

export async function createAgeEncryption(recipients: readonly string[]): Promise<AgeEncryption> {
  const { Encrypter } = await loadAge();
  const encrypter = new Encrypter();
  for (const recipient of recipients) encrypter.addRecipient(recipient);
  let fileKey: Uint8Array | null = null;
  encrypter.addRecipient({
    wrapFileKey(key) {
      fileKey = Uint8Array.from(key);
      // The header names the recipients alone.
      return [];
    },
  });
  return {
    async *encrypt(chunks) {
      yield* await encrypter.encrypt(toWebStream(chunks));
    },
    fileIdentity: { unwrapFileKey: () => fileKey },
  };
}

export async function isAgeIdentity(identity: string): Promise<boolean> {
  const { Decrypter } = await loadAge();
  try {
    new Decrypter().addIdentity(identity);
    return true;
  } catch {
    return false;
  }
}

/** False for a file that cannot be read. Throws a BackupRefusedError when its header has no end. */
export async function isAgeFile(path: string): Promise<boolean> {
  const start = await readFileStart(path);
  if (!start.startsWith(AGE_MAGIC)) return false;
  if (start.includes("\n--- ")) return true;
  throw new BackupRefusedError("It is not complete, or it was changed: its age header has no end");
}

/** Throws a BackupEncryptedError when no identity opens it, and a BackupRefusedError when it is damaged. */
export async function* decryptAge(
  chunks: AsyncIterable<Uint8Array>,
  identities: readonly AgeIdentity[],
): AsyncGenerator<Uint8Array> {
  const { Decrypter } = await loadAge();
  const decrypter = new Decrypter();
  for (const identity of identities) decrypter.addIdentity(identity);
  // Identities are tried in their order, so the last one is asked when no other fits.
  decrypter.addIdentity({
    unwrapFileKey() {
      throw new BackupEncryptedError(
        "The backup is encrypted to other public keys: none of the identities that were given opens it",
      );
    },
  });
  try {
    yield* await decrypter.decrypt(toWebStream(chunks));
  } catch (error) {
    if (error instanceof BackupEncryptedError || isSystemError(error)) throw error;
    throw new BackupRefusedError(
      "It cannot be decrypted: it is not complete, or it was damaged or changed",
    );
  }
}

function isSystemError(error: unknown): boolean {
  return error instanceof Error && "syscall" in error;
}

function toWebStream(chunks: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  return Readable.toWeb(Readable.from(chunks));
}
