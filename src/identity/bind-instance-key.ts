/**
 * A store belongs to one instance key and remembers it, by a value that only this key can make. With
 * another key no password could be verified, and the responses would tell which name has an account.
 */
import { randomBytes, timingSafeEqual } from "node:crypto";
import type { Database, Queryable } from "../database/database.ts";
import { createAccounts } from "./accounts.ts";
import {
  createInstanceKey,
  createKeyedHash,
  INSTANCE_KEY_BYTES,
  openInstanceKey,
  readInstanceSecret,
  type InstanceKey,
} from "./instance-key.ts";
import { createSqlIdentityRecords } from "./sql-identity-records.ts";

export interface KeyLocation {
  readonly realm: string;
  /** The key file. */
  readonly path: string;
}

/**
 * Which stores may take the key of the file as theirs: one without accounts that has no key yet; also
 * one whose key is not known, such as a restored one; or also one that belongs to another key.
 */
export type KeyAdoption = "new-store" | "unbound-store" | "any-store";

/** The key file is missing, or is not the one of the store. Nothing was changed. */
export class InstanceKeyError extends Error {
  constructor({ realm, path }: KeyLocation, isMissing: boolean, hasAccounts: boolean) {
    const fault = isMissing
      ? `There is no instance key at "${path}", but the ${realm} store belongs to one`
      : `The instance key "${path}" is not the one that the ${realm} store belongs to`;
    const command = `trellis ${realm} account ${hasAccounts ? "password" : "create"} --new-instance-key`;
    super(
      `${fault}: put the right file back, for example from a backup that was made with --with-key. If it is lost for good, run \`${command}\``,
    );
    this.name = "InstanceKeyError";
  }
}

/** The key in the file, which is made for a store that may adopt a new one. */
export function bindInstanceKey(
  database: Database,
  location: KeyLocation,
  adoption: KeyAdoption = "new-store",
): Promise<InstanceKey> {
  const { realm, path } = location;
  return database.transaction(async (tx) => {
    const { key, state } = await readKeyState(tx, location);
    if (key !== null && state === "bound") return key;
    if (!isAdoptable(state, adoption)) throw await explainKey(tx, location, key);
    const adopted = key ?? openInstanceKey(path);
    await tx.query(
      `INSERT INTO identity_instance_keys (realm, check_value) VALUES ($1, $2)
       ON CONFLICT (realm) DO UPDATE SET check_value = excluded.check_value`,
      [realm, checkValue(adopted, realm)],
    );
    return adopted;
  });
}

/**
 * The key in the file, for a reader: the store is not bound to it, and no file is made. A store without
 * a key has nothing that is encrypted, so any key will do.
 */
export async function readBoundKey(
  database: Database,
  location: KeyLocation,
): Promise<InstanceKey> {
  const { key, state } = await readKeyState(database, location);
  if (!isAdoptable(state, "new-store")) throw await explainKey(database, location, key);
  return key ?? createInstanceKey(randomBytes(INSTANCE_KEY_BYTES));
}

async function explainKey(
  store: Queryable,
  location: KeyLocation,
  key: InstanceKey | null,
): Promise<InstanceKeyError> {
  const accounts = await createSqlIdentityRecords(store, location.realm).listAccounts();
  return new InstanceKeyError(location, key === null, accounts.length > 0);
}

/** Whether the store belongs to another key than that of the file. */
export async function belongsToAnotherKey(
  database: Database,
  location: KeyLocation,
): Promise<boolean> {
  const { state } = await readKeyState(database, location);
  return state === "foreign";
}

/** For a store whose accounts come from elsewhere: the next key that opens them is theirs. */
export async function unbindInstanceKey(tx: Queryable, realm: string): Promise<void> {
  await tx.query("DELETE FROM identity_instance_keys WHERE realm = $1", [realm]);
}

/**
 * `bound`: to this key. `foreign`: to another one. Otherwise the store remembers none: `new` has no
 * account either, `opened` has one that this key opens, `locked` has only others.
 */
type KeyState = "bound" | "foreign" | "new" | "opened" | "locked";

/** The key of the file, null when there is none, and how the store relates to it. */
async function readKeyState(
  store: Queryable,
  { realm, path }: KeyLocation,
): Promise<{ readonly key: InstanceKey | null; readonly state: KeyState }> {
  const [row] = await store.query<{ check_value: string }>(
    "SELECT check_value FROM identity_instance_keys WHERE realm = $1",
    [realm],
  );
  // After the first statement, which waits for other writers: of two processes that start together the
  // second then finds the file that the first one made.
  const secret = readInstanceSecret(path);
  const key = secret === null ? null : createInstanceKey(secret);
  if (row !== undefined) {
    const isBound = key !== null && isSame(row.check_value, checkValue(key, realm));
    return { key, state: isBound ? "bound" : "foreign" };
  }
  const records = createSqlIdentityRecords(store, realm);
  const accounts = await records.listAccounts();
  if (accounts.length === 0) return { key, state: "new" };
  if (key === null) return { key, state: "locked" };
  const locked = await createAccounts({ realm, instanceKey: key }).listLocked(records);
  return { key, state: locked.length < accounts.length ? "opened" : "locked" };
}

function isAdoptable(state: KeyState, adoption: KeyAdoption): boolean {
  switch (state) {
    case "bound":
    case "new":
    case "opened":
      return true;
    case "locked":
      return adoption !== "new-store";
    case "foreign":
      return adoption === "any-store";
  }
}

function checkValue(key: InstanceKey, realm: string): string {
  return createKeyedHash(key, "identity/key-check")(realm);
}

function isSame(stored: string, made: string): boolean {
  const [left, right] = [Buffer.from(stored), Buffer.from(made)];
  return left.length === right.length && timingSafeEqual(left, right);
}
