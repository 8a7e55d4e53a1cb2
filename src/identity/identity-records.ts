/**
 * The port of a store for accounts and sign-in: queries and changes of one realm, inside one
 * transaction. A store needs neither rules nor cryptography.
 */
import type { FailureRecord } from "../rules/identity/throttle.ts";
import type { SecurityCount, SecurityEventKind } from "./security-event.ts";

export interface IdentityRecords {
  findAccount(username: string): Promise<AccountRecord | null>;
  /** Oldest first. */
  listAccounts(): Promise<AccountRecord[]>;
  /** False when the name is taken, or the realm has as many accounts as it allows. */
  addAccount(account: AccountRecord): Promise<boolean>;
  replaceVerifier(accountId: string, sealedVerifier: string, changedAt: number): Promise<void>;

  /** Keeps the newest `maxLive` challenges, this one included. */
  addChallenge(challenge: ChallengeRecord, maxLive: number): Promise<void>;
  /** Removes the challenge and returns it. */
  takeChallenge(challengeId: string): Promise<ChallengeRecord | null>;

  addSecret(secret: SecretRecord): Promise<void>;
  /** Marks the secret as used at `now`, unless it was used before. Null when there is none. */
  consumeSecret(hash: string, purpose: string, now: number): Promise<SecretUse | null>;

  readFailures(subjects: readonly string[]): Promise<ReadonlyMap<string, FailureRecord>>;
  /** Inserts or replaces. */
  writeFailure(subject: string, record: FailureRecord): Promise<void>;
  clearFailures(subjects: readonly string[]): Promise<void>;

  /** Adds one to the count of this kind, which pruning does not remove. */
  countSecurityEvent(kind: SecurityEventKind, at: number): Promise<void>;
  /** Those that happened, in no particular order. */
  listSecurityCounts(): Promise<SecurityCount[]>;
}

/** Times are milliseconds since 1970. */
export interface AccountRecord {
  readonly accountId: string;
  readonly username: string;
  readonly sealedVerifier: string;
  readonly createdAt: number;
  readonly passwordChangedAt: number;
}

export interface ChallengeRecord {
  readonly challengeId: string;
  readonly username: string;
  /** In a format of the issuer. */
  readonly attempt: string;
  readonly salt: string;
  readonly iterations: number;
  readonly serverNonce: string;
  readonly createdAt: number;
  readonly expiresAt: number;
}

export interface SecretRecord {
  readonly hash: string;
  readonly purpose: string;
  /** In a format of the issuer. */
  readonly bound: string;
  readonly expiresAt: number;
  /** Until then a second use is recognised; then pruning removes the record. */
  readonly keepUntil: number;
}

export interface SecretUse {
  readonly bound: string;
  readonly expiresAt: number;
  /** Time of the first use; null when this is the first. */
  readonly usedBefore: number | null;
}
