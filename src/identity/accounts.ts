/**
 * Accounts of one realm and the sealed verifiers of their passwords. Whoever asks for a name that
 * does not exist gets a decoy: made from the instance key, the same at every asking, and never to be
 * matched.
 */
import { createHmac } from "node:crypto";
import { decodeBase64Url, encodeBase64Url } from "../rules/base64url.ts";
import { findPasswordError, parseUsername, type PasswordError } from "../rules/identity/grammar.ts";
import type { Bytes, IdentityPrimitives } from "../rules/identity/primitives.ts";
import {
  createVerifier,
  PASSWORD_ITERATIONS,
  PROOF_BYTES,
  SALT_BYTES,
  type PasswordVerifier,
} from "../rules/identity/scram.ts";
import type { AccountRecord, IdentityRecords } from "./identity-records.ts";
import type { InstanceKey } from "./instance-key.ts";
import { createSealer, type SealContext } from "./seal.ts";

export interface AccountSettings {
  readonly realm: string;
  readonly instanceKey: InstanceKey;
  readonly primitives: IdentityPrimitives;
  /** The same for every account of a realm and for its decoys, or the two could be told apart. */
  readonly iterations?: number;
}

export type Account = Omit<AccountRecord, "sealedVerifier">;

export interface Credentials {
  /** null for a decoy. */
  readonly accountId: string | null;
  readonly verifier: PasswordVerifier;
}

export type VerifierResult =
  | { readonly kind: "derived"; readonly verifier: PasswordVerifier }
  | { readonly kind: "refused"; readonly fault: PasswordError };

export type CreateAccountResult =
  | { readonly kind: "created"; readonly account: Account }
  | { readonly kind: "invalid-username" }
  /** The name is taken, or the realm has the only account it may have. */
  | { readonly kind: "account-exists" };

export interface Accounts {
  /** The slow part, so that it happens outside of any transaction. */
  deriveVerifier(password: string): Promise<VerifierResult>;
  create(
    records: IdentityRecords,
    username: string,
    verifier: PasswordVerifier,
    now: number,
  ): Promise<CreateAccountResult>;
  /** The account, or null when there is none of that name. Ending its sessions is up to the caller. */
  replaceVerifier(
    records: IdentityRecords,
    username: string,
    verifier: PasswordVerifier,
    now: number,
  ): Promise<Account | null>;
  list(records: IdentityRecords): Promise<Account[]>;
  /** Whether the account's verifier was sealed under this instance key. */
  canOpen(records: IdentityRecords, username: string): Promise<boolean>;
  /** Never fails to find somebody: the same questions and the same work for every name. */
  findCredentials(records: IdentityRecords, username: string): Promise<Credentials>;
}

type SealedVerifier = Pick<AccountRecord, "accountId" | "username" | "sealedVerifier">;

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

  const tryOpen = ({ accountId, username, sealedVerifier }: SealedVerifier) => {
    const sealed = decodeBase64Url(sealedVerifier) ?? new Uint8Array();
    const opened = sealer.open(sealed, context(accountId));
    return opened.kind === "opened" ? readVerifier(opened.bytes, username) : null;
  };

  const open = (sealed: SealedVerifier) => {
    const verifier = tryOpen(sealed);
    if (verifier === null) {
      throw new Error(
        `Cannot open the verifier of account "${sealed.accountId}": it was changed, or sealed under another instance key`,
      );
    }
    return verifier;
  };

  // Opened in place of an account that does not exist.
  const nobody = { accountId: "", username: "", sealedVerifier: seal("", "", deriveDecoy("")) };

  return {
    deriveVerifier: async (password) => {
      const fault = findPasswordError(password);
      if (fault !== null) return { kind: "refused", fault };
      return { kind: "derived", verifier: await createVerifier(primitives, password, iterations) };
    },
    create: async (records, username, verifier, now) => {
      const name = parseUsername(username);
      if (name === null) return { kind: "invalid-username" };
      const accountId = encodeBase64Url(primitives.randomBytes(ACCOUNT_ID_BYTES));
      const account = { accountId, username: name, createdAt: now, passwordChangedAt: now };
      const sealedVerifier = seal(accountId, name, verifier);
      return (await records.addAccount({ ...account, sealedVerifier }))
        ? { kind: "created", account }
        : { kind: "account-exists" };
    },
    replaceVerifier: async (records, username, verifier, now) => {
      const record = await records.findAccount(username.normalize("NFC"));
      if (record === null) return null;
      const { accountId, username: name } = record;
      await records.replaceVerifier(accountId, seal(accountId, name, verifier), now);
      return { ...toAccount(record), passwordChangedAt: now };
    },
    list: async (records) => (await records.listAccounts()).map(toAccount),
    canOpen: async (records, username) => {
      const record = await records.findAccount(username.normalize("NFC"));
      return record !== null && tryOpen(record) !== null;
    },
    findCredentials: async (records, username) => {
      const name = username.normalize("NFC");
      const record = await records.findAccount(name);
      const decoy = deriveDecoy(name);
      const verifier = open(record ?? nobody);
      return record === null
        ? { accountId: null, verifier: decoy }
        : { accountId: record.accountId, verifier };
    },
  };
}

function toAccount({ sealedVerifier: _sealed, ...account }: AccountRecord): Account {
  return account;
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
