/**
 * What sign-in keeps in a store: questions and changes of one realm, inside one transaction. There
 * is no rule and no cryptography in it, so that whoever writes a store needs to know neither.
 */
import type { FailureRecord } from "../rules/identity/throttle.ts";

export type { FailureRecord };

export interface IdentityRecords {
  /** By the exact name. */
  findAccount(username: string): Promise<AccountRecord | null>;
  /** Oldest first. */
  listAccounts(): Promise<AccountRecord[]>;
  /** False when the name is taken, or the realm has as many accounts as it may have. */
  addAccount(account: AccountRecord): Promise<boolean>;
  replaceVerifier(accountId: string, sealedVerifier: string, changedAt: number): Promise<void>;

  /** Keeps the `maxLive` challenges that were made last, this one among them. */
  addChallenge(challenge: ChallengeRecord, maxLive: number): Promise<void>;
  /** Removes the challenge and gives it, so that nobody gets it again. */
  takeChallenge(challengeId: string): Promise<ChallengeRecord | null>;

  addSecret(secret: SecretRecord): Promise<void>;
  /** Marks the secret as used at `now`, unless it was used before. Null when there is none. */
  consumeSecret(hash: string, purpose: string, now: number): Promise<SecretUse | null>;

  readFailures(subjects: readonly string[]): Promise<ReadonlyMap<string, FailureRecord>>;
  /** Replaces what there was. */
  writeFailure(subject: string, record: FailureRecord): Promise<void>;
  clearFailures(subjects: readonly string[]): Promise<void>;
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
  /** Text that only its issuer understands. */
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
  /** Text that only its issuer understands. */
  readonly bound: string;
  readonly expiresAt: number;
  /** Until then a second use is recognised; pruning removes the record afterwards. */
  readonly keepUntil: number;
}

export interface SecretUse {
  readonly bound: string;
  readonly expiresAt: number;
  /** When the first use was, or null when this is it. */
  readonly usedBefore: number | null;
}
