/**
 * The key of a host whose instances are in one PostgreSQL database: their keys are in it too, sealed under this
 * one. Each machine of the host has it in a file; the database remembers its id, never the key.
 */
import type { Queryable, Row } from "../database/database.ts";
import { decodeBase64Url, encodeBase64Url } from "../rules/base64url.ts";
import { randomBytes, type Bytes } from "../rules/web-crypto.ts";
import { KeyFileError, placeKeyRing, readKeyRing, replaceKeyRing } from "./instance-key.ts";
import {
  createDerivation,
  encodeKeyRing,
  INSTANCE_KEY_BYTES,
  instanceKeyId,
  newKeyRing,
  parseKeyRing,
  rotateKeyRing,
  type InstanceKeyRing,
} from "./key-ring.ts";
import { createSecretSealer, type SealContext } from "./seal.ts";

const NOUN = "host's key";

/** The file of the host's key is missing, or has other keys than the database was sealed with. */
class HostKeyError extends KeyFileError {}

/** Fails when the file has a key that cannot be used; a missing one may not be needed. */
export function expectHostKeyFile(path: string): void {
  readKeyRing(path, NOUN);
}

/** The id of the key under which the keys of the instances are sealed; null while there is none. */
export async function readHostKeyId(store: Queryable): Promise<string | null> {
  const [row] = await store.query<{ key_id: string }>("select key_id from trellis_host_key");
  return row?.key_id ?? null;
}

/** Fails when this machine does not have the key of the host. Changes nothing. */
export async function expectHostKey(store: Queryable, path: string): Promise<void> {
  const id = await readHostKeyId(store);
  if (id === null) expectHostKeyFile(path);
  else findSecret(path, id);
}

/**
 * Makes the file, and the database remember its key, unless the database has one already: then it must be in
 * the file. Until the commit it stays that one. Returns its id.
 */
export async function claimHostKey(tx: Queryable, path: string): Promise<string> {
  const claim = "select key_id from trellis_host_key for share";
  const [known] = await tx.query<{ key_id: string }>(claim);
  if (known === undefined) {
    const { secret } =
      readKeyRing(path, NOUN) ??
      placeKeyRing(path, newKeyRing(randomBytes(INSTANCE_KEY_BYTES), Date.now()), NOUN);
    await tx.query(
      "insert into trellis_host_key (id, key_id) values (1, $1) on conflict (id) do nothing",
      [instanceKeyId(secret)],
    );
  }
  // Another machine may have been first.
  const [{ key_id: id } = { key_id: "" }] = await tx.query<{ key_id: string }>(claim);
  findSecret(path, id);
  return id;
}

interface SealedRow extends Row {
  readonly instance: number;
  readonly sealed_key: string | null;
  readonly key_id: string | null;
}

const SEALED = `select i.instance, i.sealed_key, h.key_id from trellis_instances i
  left join trellis_host_key h on h.id = 1`;

/** The key of the instance whose database it is; null when it has none yet. */
export async function readSealedKey(
  store: Queryable,
  path: string,
): Promise<InstanceKeyRing | null> {
  const [row] = await store.query<SealedRow>(`${SEALED} where i.instance = $instance`);
  if (row === undefined || row.sealed_key === null || row.key_id === null) return null;
  return openRing(findSecret(path, row.key_id), row.instance, row.sealed_key);
}

/** Writes the key of the instance whose database it is. */
export async function writeSealedKey(
  tx: Queryable,
  path: string,
  ring: InstanceKeyRing,
): Promise<void> {
  const secret = findSecret(path, await claimHostKey(tx, path));
  const [row] = await tx.query<SealedRow>(`${SEALED} where i.instance = $instance`);
  if (row === undefined) throw new HostKeyError("The instance was removed meanwhile");
  await tx.query("update trellis_instances set sealed_key = $1 where instance = $instance", [
    sealRing(secret, row.instance, ring),
  ]);
}

/** Adds a key to the file; the database goes on with the former one until `applyHostKey`. Returns both ids. */
export async function rotateHostKey(store: Queryable, path: string) {
  const ring = readKeyRing(path, NOUN);
  const id = await readHostKeyId(store);
  if (ring === null || id === null) {
    throw new HostKeyError(
      `There is no host's key to replace at "${path}": make it with \`trellis sync host-key create\``,
    );
  }
  findSecret(path, id);
  // A rotation that was not applied yet goes on: each machine may have its key already.
  if (instanceKeyId(ring.secret) !== id) return { former: id, next: instanceKeyId(ring.secret) };
  const now = Date.now();
  const rotated = rotateKeyRing(ring, now, now);
  replaceKeyRing(path, rotated, NOUN);
  return { former: id, next: instanceKeyId(rotated.secret) };
}

/** Seals the keys of all instances with the newest key of the file, and returns its id and how many they are. */
export async function applyHostKey(tx: Queryable, path: string) {
  const [known] = await tx.query<{ key_id: string }>(
    "select key_id from trellis_host_key for update",
  );
  if (known === undefined) return { id: await claimHostKey(tx, path), sealed: 0 };
  const former = findSecret(path, known.key_id);
  const newest = readKeyRing(path, NOUN)?.secret ?? former;
  const id = instanceKeyId(newest);
  if (id === known.key_id) return { id, sealed: 0 };
  const found = await tx.query<SealedRow>(`${SEALED} where i.sealed_key is not null`);
  await tx.queryRows(
    `update trellis_instances set sealed_key = r.sealed_key from {rows} as r
     where trellis_instances.instance = r.instance`,
    {
      columns: { instance: "integer", sealed_key: "text" },
      rows: found.map(({ instance, sealed_key: sealed }) => [
        instance,
        sealRing(newest, instance, openRing(former, instance, sealed ?? "")),
      ]),
    },
  );
  await tx.query("update trellis_host_key set key_id = $1", [id]);
  return { id, sealed: found.length };
}

/** The key of this id in the file, in force or retired. */
function findSecret(path: string, id: string): Bytes {
  const ring = readKeyRing(path, NOUN);
  if (ring === null) {
    throw new HostKeyError(
      `There is no host's key at "${path}", but the keys of the instances are sealed under ${id}: copy the file from another machine of this host, or put back your copy`,
    );
  }
  const found = [ring, ...ring.retired].find(({ secret }) => instanceKeyId(secret) === id);
  if (found !== undefined) return found.secret;
  throw new HostKeyError(
    `The host's key "${path}" is ${instanceKeyId(ring.secret)}, but the keys of the instances are sealed under ${id}: copy the file from another machine of this host, or put back your copy`,
  );
}

/** A key that is moved to the row of another instance opens for none. */
function contextOf(instance: number): SealContext {
  return { realm: "host", account: String(instance), purpose: "instance-key" };
}

function sealerOf(secret: Bytes) {
  return createSecretSealer(createDerivation(secret)("host/instance-keys"));
}

function sealRing(secret: Bytes, instance: number, ring: InstanceKeyRing): string {
  const { createdAt } = ring;
  const bytes = sealerOf(secret).seal(encodeKeyRing(ring), contextOf(instance));
  return JSON.stringify({ createdAt, key: encodeBase64Url(bytes) });
}

function openRing(secret: Bytes, instance: number, text: string): InstanceKeyRing {
  const { createdAt, key } = JSON.parse(text) as { createdAt: number | null; key: string };
  const opened = sealerOf(secret).open(
    decodeBase64Url(key) ?? new Uint8Array(),
    contextOf(instance),
  );
  const ring = opened.kind === "opened" ? parseKeyRing(opened.bytes, createdAt) : null;
  if (ring !== null) return ring;
  throw new HostKeyError(
    "The key of the instance in the database was changed, or is that of another one: restore the database from a backup",
  );
}
