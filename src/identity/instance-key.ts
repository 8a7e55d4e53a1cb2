/** The secret of an instance, and of a host, which a file holds, and the keys derived from it. */
import { createHmac } from "node:crypto";
import {
  chownSync,
  closeSync,
  fstatSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  type Stats,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { encodeBase64Url } from "../rules/base64url.ts";
import { randomBytes } from "../rules/web-crypto.ts";
import {
  createDerivation,
  DECOY_PURPOSE,
  encodeKeyRing,
  INSTANCE_KEY_BYTES,
  newKeyRing,
  parseKeyRing,
  type Derive,
  type InstanceKeyRing,
} from "./key-ring.ts";

export interface InstanceKey {
  readonly derive: Derive;
  /** The keys that this one replaced, the newest first. */
  readonly retired: readonly Pick<InstanceKey, "derive">[];
}

export function createInstanceKey(given: Uint8Array | InstanceKeyRing): InstanceKey {
  const { secret, retired, decoyKey } =
    given instanceof Uint8Array ? newKeyRing(Uint8Array.from(given)) : given;
  if (secret.length !== INSTANCE_KEY_BYTES) {
    throw new Error(`An instance key has ${INSTANCE_KEY_BYTES} bytes, not ${secret.length}`);
  }
  const derive = createDerivation(secret);
  return {
    derive: (purpose) =>
      purpose === DECOY_PURPOSE && decoyKey !== null ? decoyKey.slice() : derive(purpose),
    retired: retired.map((old) => ({ derive: createDerivation(old.secret) })),
  };
}

/** Each key of the ring as if it were in force; the first one is. */
export function listInstanceKeys(ring: InstanceKeyRing): [InstanceKey, ...InstanceKey[]] {
  const older = ring.retired.map(({ secret }, index) =>
    createInstanceKey({ ...ring, secret, retired: ring.retired.slice(index + 1) }),
  );
  return [createInstanceKey(ring), ...older];
}

export function toInstanceKey(given: Uint8Array | InstanceKey): InstanceKey {
  return given instanceof Uint8Array ? createInstanceKey(given) : given;
}

/** Hashes lists of texts with a key of its own, so that no value can be found by hashing guesses. */
export function createKeyedHash(instanceKey: InstanceKey, purpose: string) {
  const key = instanceKey.derive(purpose);
  return (...values: readonly string[]): string =>
    createHmac("sha256", key).update(JSON.stringify(values)).digest("base64url");
}

export class KeyFileError extends Error {
  override readonly name = "KeyFileError";
}

/** Reads the key file, or creates it. */
export function openInstanceKey(path: string): InstanceKey {
  return createInstanceKey(openKeyRing(path));
}

/** What messages call the key of a file: the host's is that under which the keys of its instances are sealed. */
export type KeyNoun = "instance key" | "host's key";

export function openKeyRing(path: string): InstanceKeyRing {
  return (
    readKeyRing(path) ?? placeKeyRing(path, newKeyRing(randomBytes(INSTANCE_KEY_BYTES), Date.now()))
  );
}

/** Null when there is no such file. Throws when it is no key, or when others may read it. */
export function readKeyRing(path: string, noun: KeyNoun = "instance key"): InstanceKeyRing | null {
  const file = openToRead(path, noun);
  if (file === null) return null;
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) throw new KeyFileError(`The ${noun} "${path}" is not a file`);
    // On Windows, `mode` shows every file as readable by all.
    if (process.platform !== "win32" && (stats.mode & othersRights(stats, noun)) !== 0) {
      const mode = (stats.mode & 0o777).toString(8).padStart(4, "0");
      throw new KeyFileError(
        `The ${noun} "${path}" can be read by others (mode ${mode}): run chmod 600 on it`,
      );
    }
    const ring =
      stats.size > MAX_FILE_BYTES
        ? null
        : parseKeyRing(readFileSync(file), Math.trunc(stats.mtimeMs));
    if (ring !== null) return ring;
    throw new KeyFileError(
      `The ${noun} "${path}" is damaged: it has ${stats.size} bytes and is not a key file; put back the right file from a backup`,
    );
  } finally {
    closeSync(file);
  }
}

/**
 * The bits of a mode that a key file must not have. A cluster gives the host's key to each machine as a file of
 * root, which the group of the process may read.
 */
function othersRights({ uid }: Stats, noun: KeyNoun): number {
  return noun === "host's key" && uid !== process.getuid?.() ? 0o037 : 0o077;
}

/** Room for hundreds of retired keys. */
const MAX_FILE_BYTES = 64 * 1024;
const DRAFT_ENDING = /^[\w-]{12}\.tmp$/;

function openToRead(path: string, noun: KeyNoun): number | null {
  try {
    return openSync(path, "r");
  } catch (error) {
    if (hasCode(error, "ENOENT")) return null;
    throw new KeyFileError(`Cannot read the ${noun} "${path}": ${(error as Error).message}`, {
      cause: error,
    });
  }
}

/**
 * Writes a temporary file and links it to its name: a crash leaves no partial key, and of two
 * processes that start together one creates the key and both use it. Returns what the file has.
 */
export function placeKeyRing(
  path: string,
  ring: InstanceKeyRing,
  noun: KeyNoun = "instance key",
): InstanceKeyRing {
  writeKeyFile({ what: `make the ${noun}`, path }, ring, (draft) => {
    ignorePrivateFiles(path);
    linkUnlessThere(draft, path);
    rmSync(draft);
  });
  const placed = readKeyRing(path, noun);
  if (placed === null) throw new KeyFileError(`The ${noun} "${path}" vanished after it was made`);
  return placed;
}

/** Whole or not at all. The file keeps its owner, which need not be the user of the command. */
export function replaceKeyRing(
  given: string,
  ring: InstanceKeyRing,
  noun: KeyNoun = "instance key",
): void {
  // A link to the file stays a link.
  const path = realpathSync(given);
  writeKeyFile({ what: `replace the ${noun}`, path }, ring, (draft) => {
    const { uid, gid } = statSync(path);
    const made = statSync(draft);
    if (made.uid !== uid || made.gid !== gid) chownSync(draft, uid, gid);
    renameSync(draft, path);
    removeDrafts(path);
  });
}

/** A command that was killed left them, and a key that is dropped would stay there. */
function removeDrafts(path: string): void {
  const folder = dirname(path);
  const start = `${basename(path)}.`;
  for (const name of readdirSync(folder)) {
    const isDraft = name.startsWith(start) && DRAFT_ENDING.test(name.slice(start.length));
    if (isDraft) rmSync(join(folder, name), { force: true });
  }
}

function writeKeyFile(
  { what, path }: { readonly what: string; readonly path: string },
  ring: InstanceKeyRing,
  place: (draft: string) => void,
): void {
  const folder = dirname(path);
  const draft = `${path}.${encodeBase64Url(randomBytes(9))}.tmp`;
  const content = encodeKeyRing(ring);
  if (content.length > MAX_FILE_BYTES) {
    throw new KeyFileError(
      `Cannot ${what} "${path}": it has ${ring.retired.length} retired keys, which is too many; drop old ones with \`key drop\` first`,
    );
  }
  try {
    mkdirSync(folder, { recursive: true });
    try {
      writeFileSync(draft, content, { flag: "wx", mode: 0o600, flush: true });
      place(draft);
    } catch (error) {
      rmSync(draft, { force: true });
      throw error;
    }
    syncFolder(folder);
  } catch (error) {
    throw new KeyFileError(`Cannot ${what} "${path}": ${(error as Error).message}`, {
      cause: error,
    });
  }
}

/**
 * Keeps the key, and what a data folder has beside it, out of version control. The folder may also have the
 * configuration, so not all of it is ignored. A file that is there is left as it is.
 */
function ignorePrivateFiles(path: string): void {
  const key = basename(path).replaceAll(/[\\[\]*?!# ]/g, "\\$&");
  const lines = [`/${key}*`, "/keys/", "/instances/", "/*.db*", "/*.highwater", "/*.backup"];
  try {
    const file = join(dirname(path), ".gitignore");
    writeFileSync(file, `${lines.join("\n")}\n`, { flag: "wx" });
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
  }
}

function linkUnlessThere(draft: string, path: string): void {
  try {
    linkSync(draft, path);
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
  }
}

function syncFolder(folder: string): void {
  // Windows cannot open a folder, and its file systems journal names.
  if (process.platform === "win32") return;
  const handle = openSync(folder, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
