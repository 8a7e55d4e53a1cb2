/**
 * Accounts of one realm and the sealed verifiers of their passwords. Whoever asks for a name that
 * does not exist gets a decoy: made from the instance key, the same at every asking, and never to be
 * matched.
 */
import { createHmac } from "node:crypto";
import type { Queryable } from "../database/database.ts";
import { decodeBase64Url, encodeBase64Url } from "../rules/base64url.ts";
import { findPasswordFault, parseUsername, type PasswordFault } from "../rules/identity/grammar.ts";
import type { Bytes, IdentityPrimitives } from "../rules/identity/primitives.ts";
import {
  createVerifier,
  PASSWORD_ITERATIONS,
  PROOF_BYTES,
  SALT_BYTES,
  type PasswordVerifier,
} from "../rules/identity/scram.ts";
import type { InstanceKey } from "./instance-key.ts";
import { createSealer, type SealContext } from "./seal.ts";

export interface AccountSettings {
  readonly realm: string;
  readonly instanceKey: InstanceKey;
  readonly primitives: IdentityPrimitives;
  /** The same for every account of a realm and for its decoys, or the two could be told apart. */
  readonly iterations?: number;
}

export interface Account {
  readonly accountId: string;
  readonly username: string;
  readonly createdAt: number;
  readonly passwordChangedAt: number;
}

export interface Credentials {
  /** null for a decoy. */
  readonly accountId: string | null;
  readonly verifier: PasswordVerifier;
}

export type VerifierOutcome =
  | { readonly kind: "derived"; readonly verifier: PasswordVerifier }
  | { readonly kind: "refused"; readonly fault: PasswordFault };

export type CreateOutcome =
  | { readonly kind: "created"; readonly account: Account }
  | { readonly kind: "invalid-username" }
  /** The name is taken, or the realm has the only account it may have. */
  | { readonly kind: "account-exists" };

export interface Accounts {
  /** The slow part, so that it happens outside of any transaction. */
  deriveVerifier(password: string): Promise<VerifierOutcome>;
  create(
    store: Queryable,
    username: string,
    verifier: PasswordVerifier,
    now: number,
  ): Promise<CreateOutcome>;
  /** The account, or null when there is none of that name. Ending its sessions is up to the caller. */
  replaceVerifier(
    store: Queryable,
    username: string,
    verifier: PasswordVerifier,
    now: number,
  ): Promise<Account | null>;
  list(store: Queryable): Promise<Account[]>;
  /** Never fails to find somebody: the same statements and the same work for every name. */
  findCredentials(store: Queryable, username: string): Promise<Credentials>;
}

interface AccountRow extends Record<string, unknown> {
  readonly account_id: string;
  readonly username: string;
  readonly sealed_verifier: string;
  readonly created_at: number;
  readonly password_changed_at: number;
}

const COLUMNS = "account_id, username, sealed_verifier, created_at, password_changed_at";
const ACCOUNT_ID_BYTES = 16;

export function createAccounts(settings: AccountSettings): Accounts {
  const { realm, instanceKey, primitives, iterations = PASSWORD_ITERATIONS } = settings;
  const sealer = createSealer(instanceKey.derive("identity/seal"), primitives.randomBytes);
  const deriveDecoy = createDecoys(instanceKey.derive("identity/decoy"), realm, iterations);
  const context = (account: string): SealContext => ({
    realm,
    account,
    purpose: "password-verifier",
  });

  const seal = (accountId: string, username: string, verifier: PasswordVerifier) =>
    encodeBase64Url(sealer.seal(writeVerifier(username, verifier), context(accountId)));

  const open = (row: Pick<AccountRow, "account_id" | "username" | "sealed_verifier">) => {
    const sealed = decodeBase64Url(row.sealed_verifier) ?? new Uint8Array();
    const opened = sealer.open(sealed, context(row.account_id));
    const verifier = opened.kind === "opened" ? readVerifier(opened.bytes, row.username) : null;
    if (verifier === null) {
      throw new Error(
        `Cannot open the verifier of account "${row.account_id}": it was changed, or sealed under another instance key`,
      );
    }
    return verifier;
  };

  // Opened in place of an account that does not exist.
  const nobody = { account_id: "", username: "" };
  const empty = { ...nobody, sealed_verifier: seal("", "", deriveDecoy("")) };

  return {
    deriveVerifier: async (password) => {
      const fault = findPasswordFault(password);
      if (fault !== null) return { kind: "refused", fault };
      return { kind: "derived", verifier: await createVerifier(primitives, password, iterations) };
    },
    create: async (store, username, verifier, now) => {
      const name = parseUsername(username);
      if (name === null) return { kind: "invalid-username" };
      const accountId = encodeBase64Url(primitives.randomBytes(ACCOUNT_ID_BYTES));
      const [row] = await store.query<AccountRow>(
        `INSERT INTO identity_accounts
           (account_id, realm, username, sealed_verifier, created_at, password_changed_at)
         VALUES ($1, $2, $3, $4, $5, $5)
         ON CONFLICT DO NOTHING RETURNING ${COLUMNS}`,
        [accountId, realm, name, seal(accountId, name, verifier), now],
      );
      return row === undefined
        ? { kind: "account-exists" }
        : { kind: "created", account: toAccount(row) };
    },
    replaceVerifier: async (store, username, verifier, now) => {
      const row = await findRow(store, realm, username);
      if (row === null) return null;
      await store.query(
        `UPDATE identity_accounts SET sealed_verifier = $2, password_changed_at = $3
         WHERE account_id = $1`,
        [row.account_id, seal(row.account_id, row.username, verifier), now],
      );
      return { ...toAccount(row), passwordChangedAt: now };
    },
    list: async (store) => {
      const rows = await store.query<AccountRow>(
        `SELECT ${COLUMNS} FROM identity_accounts WHERE realm = $1 ORDER BY created_at, account_id`,
        [realm],
      );
      return rows.map(toAccount);
    },
    findCredentials: async (store, username) => {
      const row = await findRow(store, realm, username);
      const decoy = deriveDecoy(username.normalize("NFC"));
      const verifier = open(row ?? empty);
      return row === null
        ? { accountId: null, verifier: decoy }
        : { accountId: row.account_id, verifier };
    },
  };
}

async function findRow(
  store: Queryable,
  realm: string,
  username: string,
): Promise<AccountRow | null> {
  const [row] = await store.query<AccountRow>(
    `SELECT ${COLUMNS} FROM identity_accounts WHERE realm = $1 AND username = $2`,
    [realm, username.normalize("NFC")],
  );
  return row ?? null;
}

function toAccount(row: AccountRow): Account {
  return {
    accountId: row.account_id,
    username: row.username,
    createdAt: row.created_at,
    passwordChangedAt: row.password_changed_at,
  };
}

function createDecoys(key: Bytes, realm: string, iterations: number) {
  return (username: string): PasswordVerifier => {
    const bytes = (part: string, length: number): Bytes => {
      const text = JSON.stringify([realm, username, part]);
      return Uint8Array.from(createHmac("sha256", key).update(text).digest().subarray(0, length));
    };
    return {
      salt: bytes("salt", SALT_BYTES),
      iterations,
      storedKey: bytes("stored key", PROOF_BYTES),
      serverKey: bytes("server key", PROOF_BYTES),
    };
  };
}

/** The name is sealed too, so that a verifier moved to another name is noticed. */
function writeVerifier(username: string, verifier: PasswordVerifier): Uint8Array {
  const { salt, iterations, storedKey, serverKey } = verifier;
  const parts = [salt, storedKey, serverKey].map(encodeBase64Url);
  return Buffer.from(JSON.stringify([username, iterations, ...parts]), "utf8");
}

function readVerifier(bytes: Uint8Array, username: string): PasswordVerifier | null {
  const [name, iterations, ...parts] = JSON.parse(Buffer.from(bytes).toString("utf8")) as [
    string,
    number,
    string,
    string,
    string,
  ];
  const [salt, storedKey, serverKey] = parts.map(decodeBase64Url);
  if (name !== username || !salt || !storedKey || !serverKey) return null;
  return { salt, iterations, storedKey, serverKey };
}
