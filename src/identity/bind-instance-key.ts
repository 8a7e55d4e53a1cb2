/**
 * A store belongs to one instance key and remembers it, by a value that only this key can make. With
 * another key no password could be verified, and the responses would tell which name has an account.
 */
import { randomBytes } from "../rules/web-crypto.ts";
import type { Database, Queryable } from "../database/database.ts";
import type { StoreKey } from "../database/open-store.ts";
import type { AccountRecord } from "./identity-records.ts";
import {
  createInstanceKey,
  createKeyedHash,
  listInstanceKeys,
  type InstanceKey,
} from "./instance-key.ts";
import {
  expectUsableKey,
  nameKey,
  nameMissingKey,
  placeKey,
  readKey,
  type KeyPlace,
} from "./key-place.ts";
import { INSTANCE_KEY_BYTES, newKeyRing, type InstanceKeyRing } from "./key-ring.ts";
import { isSameSecret } from "./one-time-secrets.ts";
import { openWithFirst, resealAccounts, type Reseal } from "./reseal.ts";
import { createVerifierCipher } from "./password-verifier.ts";
import { createSqlIdentityRecords } from "./sql-identity-records.ts";

export interface KeyLocation {
  readonly realm: string;
  readonly place: KeyPlace;
}

/**
 * Tells which stores may take the key of the file as theirs: one without accounts that has no key
 * yet; also one whose key is not known, such as a restored one; or also one that belongs to another
 * key.
 */
export type KeyAdoption = "new-store" | "unbound-store" | "any-store";

/** The key is missing, or is not the one of the store. Nothing was changed. */
export class InstanceKeyError extends Error {
  constructor({ realm, place }: KeyLocation, isMissing: boolean, hasAccounts: boolean) {
    const [copy, right] =
      typeof place === "string"
        ? ["put back your copy", "put the right file back, from the server on which it was rotated"]
        : [
            "if a machine of this host has it in a file of an earlier version, run `trellis store migrate` there",
            "restore the database from a backup",
          ];
    const problem = isMissing
      ? `${nameMissingKey(place)}, but the ${realm} store belongs to one: ${copy}`
      : `The ${nameKey(place)} is not the one that the ${realm} store belongs to: ${right}`;
    const command = `trellis ${realm} account ${hasAccounts ? "password" : "create"} --new-instance-key`;
    super(
      `${problem}, or that of a backup that was made with --with-key. If it is lost for good, run \`${command}\``,
    );
    this.name = "InstanceKeyError";
  }
}

export type Keyed<S> = S & { readonly instanceKey: InstanceKey };

/** The key at the place as that of the store which is opened: both must belong to each other. */
export function instanceKeyOf(
  { name: realm, reseal }: { readonly name: string; readonly reseal?: Reseal },
  place: KeyPlace,
  adoption?: KeyAdoption,
): StoreKey<Keyed<object>> {
  const location = { realm, place };
  return {
    expectUsable: () => expectUsableKey(place),
    bind: async (database, access) => ({
      instanceKey:
        access === "read"
          ? await readBoundKey(database, location)
          : await bindInstanceKey(database, location, adoption, reseal),
    }),
  };
}

/**
 * The key at the place, which is made for a store that may adopt a new one. A store that belongs to a
 * retired key of the ring is sealed with the one in force, in the same transaction: a rotation that was
 * interrupted ends here. `reseal` does that for what the service has beside accounts.
 */
export function bindInstanceKey(
  database: Database,
  location: KeyLocation,
  adoption: KeyAdoption = "new-store",
  reseal?: Reseal,
): Promise<InstanceKey> {
  const { realm, place } = location;
  return database.transaction(async (tx) => {
    const { ring, state } = await readKeyState(tx, location);
    if (ring !== null && state === "bound") return createInstanceKey(ring);
    if (!isAdoptable(state, adoption)) throw await explainKey(tx, location, ring);
    const made = () => newKeyRing(randomBytes(INSTANCE_KEY_BYTES), Date.now());
    const adopted = ring ?? (await placeKey(place, tx, made()));
    const keys = listInstanceKeys(adopted);
    const [key] = keys;
    if (key.retired.length > 0) {
      await resealAccounts(tx, realm, keys);
      await reseal?.(tx, keys);
    }
    await tx.query(
      `INSERT INTO identity_instance_keys (instance, realm, check_value)
       VALUES ($instance, $1, $2) ON CONFLICT (instance, realm) DO UPDATE SET check_value = excluded.check_value`,
      [realm, checkValue(key, realm)],
    );
    return key;
  });
}

/** For a reader: binds nothing, makes no file. Without a key nothing is encrypted, so any key will do. */
export async function readBoundKey(
  database: Database,
  location: KeyLocation,
): Promise<InstanceKey> {
  const { ring, state, key } = await readKeyState(database, location);
  if (!isAdoptable(state, "new-store")) throw await explainKey(database, location, ring);
  return key ?? createInstanceKey(randomBytes(INSTANCE_KEY_BYTES));
}

async function explainKey(
  store: Queryable,
  location: KeyLocation,
  ring: InstanceKeyRing | null,
): Promise<InstanceKeyError> {
  const accounts = await createSqlIdentityRecords(store, location.realm).listAccounts();
  return new InstanceKeyError(location, ring === null, accounts.length > 0);
}

export async function belongsToAnotherKey(
  database: Database,
  location: KeyLocation,
): Promise<boolean> {
  const { state } = await readKeyState(database, location);
  return state === "foreign";
}

/** Whether the store belongs to a retired key: the next start seals it with the one in force. */
export async function belongsToRetiredKey(
  database: Database,
  location: KeyLocation,
): Promise<boolean> {
  const { state } = await readKeyState(database, location);
  return state === "retired";
}

/** The names of the accounts that no key of the ring opens; without a key, of all. */
export async function listLockedAccounts(
  database: Database,
  { realm, place }: KeyLocation,
): Promise<string[]> {
  const ring = await readKey(place, database);
  const accounts = await createSqlIdentityRecords(database, realm).listAccounts();
  const locked = findLocked(accounts, realm, ring === null ? [] : listInstanceKeys(ring));
  return locked.map(({ username }) => username);
}

/** Finds the accounts that none of the keys opens. */
function findLocked(
  accounts: readonly AccountRecord[],
  realm: string,
  keys: readonly InstanceKey[],
): AccountRecord[] {
  const ciphers = keys.map((key) => createVerifierCipher(realm, key));
  return accounts.filter(
    (account) => openWithFirst(ciphers, (cipher) => cipher.open(account)) === null,
  );
}

/** Unbinds a store whose accounts come from elsewhere: the next key that opens them is theirs. */
export async function unbindInstanceKey(tx: Queryable, realm: string): Promise<void> {
  await tx.query("DELETE FROM identity_instance_keys WHERE instance = $instance AND realm = $1", [
    realm,
  ]);
}

/**
 * `bound`: to the key in force. `retired`: to one that it replaced. `foreign`: to another one. Otherwise
 * the store remembers none: `new` has no account either, `opened` has one that a key of the ring opens,
 * `locked` has only others.
 */
type KeyState = "bound" | "retired" | "foreign" | "new" | "opened" | "locked";

interface KeyFinding {
  /** Null when there is none. */
  readonly ring: InstanceKeyRing | null;
  readonly state: KeyState;
  /** The one of the ring that the store is bound to, or else the one in force. */
  readonly key: InstanceKey | null;
}

/** The value by which the store remembers its key; null when it remembers none. */
export async function readKeyCheck(store: Queryable, realm: string): Promise<string | null> {
  const [row] = await store.query<{ check_value: string }>(
    "SELECT check_value FROM identity_instance_keys WHERE instance = $instance AND realm = $1",
    [realm],
  );
  return row?.check_value ?? null;
}

/** Whether one of the keys, in force or retired, is that of the store which remembers this value. */
export function belongsToOneOf(
  keys: readonly InstanceKey[],
  realm: string,
  keyCheck: string,
): boolean {
  return findKey(keys, realm, keyCheck) !== -1;
}

function findKey(keys: readonly InstanceKey[], realm: string, keyCheck: string): number {
  return keys.findIndex((key) => isSameSecret(keyCheck, checkValue(key, realm)));
}

async function readKeyState(store: Queryable, { realm, place }: KeyLocation): Promise<KeyFinding> {
  const keyCheck = await readKeyCheck(store, realm);
  // The file is read after the first statement, which waits for other writers: of two processes
  // that start together the second then finds the file that the first one made.
  const ring = await readKey(place, store);
  const keys = ring === null ? [] : listInstanceKeys(ring);
  const [current = null] = keys;
  if (keyCheck !== null) {
    const index = findKey(keys, realm, keyCheck);
    const state = index === -1 ? "foreign" : index === 0 ? "bound" : "retired";
    return { ring, state, key: keys[index] ?? current };
  }
  const accounts = await createSqlIdentityRecords(store, realm).listAccounts();
  if (accounts.length === 0) return { ring, state: "new", key: current };
  const locked = findLocked(accounts, realm, keys);
  const state = locked.length < accounts.length ? "opened" : "locked";
  return { ring, state, key: current };
}

function isAdoptable(state: KeyState, adoption: KeyAdoption): boolean {
  switch (state) {
    case "bound":
    case "retired":
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
