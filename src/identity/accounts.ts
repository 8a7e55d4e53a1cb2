/**
 * Accounts of one realm and the sealed verifiers of their passwords. A name without an account gets
 * a decoy verifier, derived from the instance key: the same for every request, and matched by no
 * password.
 */
import { createHmac } from "node:crypto";
import { encodeBase64Url } from "../rules/base64url.ts";
import {
  findPasswordError,
  parseNewUsername,
  type PasswordError,
} from "../rules/identity/grammar.ts";
import {
  createVerifier,
  PASSWORD_ITERATIONS,
  PROOF_BYTES,
  SALT_BYTES,
  type PasswordVerifier,
} from "../rules/identity/scram.ts";
import {
  randomBytes as strongRandomBytes,
  type Bytes,
  type RandomBytes,
} from "../rules/web-crypto.ts";
import type { AccountRecord, IdentityRecords } from "./identity-records.ts";
import type { InstanceKey } from "./instance-key.ts";
import { DECOY_PURPOSE } from "./key-ring.ts";
import { createVerifierCipher, type VerifierCipher } from "./password-verifier.ts";

export interface AccountSettings {
  readonly realm: string;
  readonly instanceKey: InstanceKey;
  readonly randomBytes?: RandomBytes;
  /** Accounts and decoys of a realm have equal iterations; otherwise a client could tell them apart. */
  readonly iterations?: number;
}

export type Account = Omit<AccountRecord, "sealedVerifier">;

export interface AccountCredentials {
  /** Null for a decoy. */
  readonly accountId: string | null;
  readonly verifier: PasswordVerifier;
}

export type VerifierResult =
  | { readonly kind: "derived"; readonly verifier: PasswordVerifier }
  | { readonly kind: "refused"; readonly error: PasswordError };

export type CreateAccountResult =
  | { readonly kind: "created"; readonly account: Account }
  | { readonly kind: "invalid-username" }
  /** The name is taken, or the realm allows one account and has it. */
  | { readonly kind: "account-exists" };

export type Accounts = ReturnType<typeof createAccounts>;

const ACCOUNT_ID_BYTES = 16;

export function createAccounts(settings: AccountSettings) {
  const { realm, instanceKey, iterations = PASSWORD_ITERATIONS } = settings;
  const { randomBytes = strongRandomBytes } = settings;
  const { seal, open } = createVerifierCipher(realm, instanceKey, randomBytes);
  const newAccountId = () => encodeBase64Url(randomBytes(ACCOUNT_ID_BYTES));
  const deriveDecoy = createDecoys(instanceKey.derive(DECOY_PURPOSE), realm, iterations);

  return {
    /** Deriving is slow, so call it outside of a transaction. */
    async deriveVerifier(password: string): Promise<VerifierResult> {
      const error = findPasswordError(password);
      if (error !== null) return { kind: "refused", error };
      return { kind: "derived", verifier: await createVerifier(password, iterations) };
    },
    newAccountId,
    create: (
      records: IdentityRecords,
      username: string,
      verifier: PasswordVerifier,
      now: number,
      accountId = newAccountId(),
    ): Promise<CreateAccountResult> => add(records, accountId, username, verifier, now),
    /** For a person who signs in with passkeys; on the wire nothing tells the account from others. */
    createWithoutPassword(
      records: IdentityRecords,
      accountId: string,
      username: string,
      now: number,
    ): Promise<CreateAccountResult> {
      return add(records, accountId, username, createUnmatched(), now, false);
    },
    /**
     * Null for an unknown name. Ends sign-ins and forgets known browsers; the caller ends the sessions. Without
     * a verifier the account has no password any more.
     */
    async replaceVerifier(
      records: IdentityRecords,
      username: string,
      verifier: PasswordVerifier | null,
      now: number,
    ): Promise<Account | null> {
      const record = await records.findAccount(username.normalize("NFC"));
      if (record === null) return null;
      const { accountId, username: name } = record;
      const hasPassword = verifier !== null;
      const sealed = seal(accountId, name, verifier ?? createUnmatched());
      await records.replaceVerifier(accountId, sealed, now, hasPassword);
      await records.removeChallenges(name);
      await records.removeKnownBrowsers(accountId);
      return { ...toAccount(record), passwordChangedAt: now, hasPassword };
    },
    list: async (records: IdentityRecords) => (await records.listAccounts()).map(toAccount),
    /** The verifier of an account, sealed for another name; null when it does not open. */
    sealForName(record: AccountRecord, username: string): string | null {
      const verifier = open(record);
      return verifier === null ? null : seal(record.accountId, username, verifier);
    },
    findCredentials: createCredentialsReader(open, deriveDecoy, seal("", "", deriveDecoy(""))),
  };

  /** No password matches it. */
  function createUnmatched(): PasswordVerifier {
    const [storedKey, serverKey] = [randomBytes(PROOF_BYTES), randomBytes(PROOF_BYTES)];
    return { salt: randomBytes(SALT_BYTES), iterations, storedKey, serverKey };
  }

  async function add(
    records: IdentityRecords,
    accountId: string,
    username: string,
    verifier: PasswordVerifier,
    now: number,
    hasPassword = true,
  ): Promise<CreateAccountResult> {
    const name = parseNewUsername(username);
    if (name === null) return { kind: "invalid-username" };
    const times = { createdAt: now, passwordChangedAt: now };
    const account = { accountId, username: name, ...times, hasPassword };
    const sealedVerifier = seal(accountId, name, verifier);
    return (await records.addAccount({ ...account, sealedVerifier }))
      ? { kind: "created", account }
      : { kind: "account-exists" };
  }
}

/**
 * A decoy for an unknown name, with the same queries and the same cryptography; also for an account
 * that was sealed under another instance key, because an error would reveal its name.
 */
function createCredentialsReader(
  open: VerifierCipher["open"],
  deriveDecoy: (username: string) => PasswordVerifier,
  sealedVerifier: string,
) {
  // The placeholder is opened for an unknown name, so that it costs as much as a known one.
  const placeholder = { accountId: "", username: "", sealedVerifier };
  return async (records: IdentityRecords, username: string): Promise<AccountCredentials> => {
    const name = username.normalize("NFC");
    const record = await records.findAccount(name);
    const decoy = deriveDecoy(name);
    const verifier = open(record ?? placeholder);
    return record === null || verifier === null
      ? { accountId: null, verifier: decoy }
      : { accountId: record.accountId, verifier };
  };
}

function toAccount({ sealedVerifier: _sealed, ...account }: AccountRecord): Account {
  return account;
}

function createDecoys(key: Bytes, realm: string, iterations: number) {
  return (username: string): PasswordVerifier => {
    const hmac = (part: string): Bytes => {
      const text = JSON.stringify([realm, username, part]);
      return Uint8Array.from(createHmac("sha256", key).update(text).digest());
    };
    return {
      salt: hmac("salt").slice(0, SALT_BYTES),
      iterations,
      storedKey: hmac("stored key"),
      serverKey: hmac("server key"),
    };
  };
}
