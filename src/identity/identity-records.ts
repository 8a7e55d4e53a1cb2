/** The port for accounts and sign-in of a realm, in one transaction; it needs no rules or cryptography. */
import type { SignInItem } from "../contract/identity.ts";
import type { FailureRecord } from "../rules/identity/throttle.ts";
import type { PasskeyRecords } from "./passkeys/passkey-records.ts";
import type { SecurityCount, SecurityEventKind } from "./security-event.ts";

/**
 * The accounts of a service and everything about signing in to them, in a transaction of a store. A store
 * saves these records as they are and decides nothing.
 */
export interface IdentityRecords extends PasskeyRecords {
  /** Finds the account of this exact name. */
  findAccount(username: string): Promise<AccountRecord | null>;
  /** Lists the oldest account first. */
  listAccounts(): Promise<AccountRecord[]>;
  /** False when the name is taken, or the realm has as many accounts as it allows. */
  addAccount(account: AccountRecord): Promise<boolean>;
  /** The account has a password from then on, unless `hasPassword` is false. */
  replaceVerifier(
    accountId: string,
    sealedVerifier: string,
    changedAt: number,
    hasPassword?: boolean,
  ): Promise<void>;

  /**
   * Keeps the bounds, this challenge included. Beyond `maxKnown` it evicts a challenge of a known browser,
   * beyond `maxLive` one of another client, as long as there is one. Of the widest groups it takes the one
   * that has most, in it the next narrower one that has most, and so on; of the last group the challenge
   * that was added first, whatever the clock says.
   */
  addChallenge(challenge: NewChallenge, bounds: ChallengeBounds): Promise<void>;
  /** Removes the challenge and returns it. */
  takeChallenge(challengeId: string): Promise<ChallengeRecord | null>;
  /** Removes the challenges of this name. */
  removeChallenges(username: string): Promise<void>;

  /** Adds a secret that was not used yet. */
  addSecret(secret: SecretRecord): Promise<void>;
  /** Adds a secret that counts as used at `now`. False when it was added before. */
  addUsedSecret(secret: SecretRecord, now: number): Promise<boolean>;
  /** Marks the secret as used at `now`, unless it was used before. Null when there is none. */
  consumeSecret(hash: string, purpose: string, now: number): Promise<SecretUse | null>;
  /** Finds a secret that was not used yet; null when there is none. */
  findSecret(hash: string, purpose: string): Promise<SecretRecord | null>;
  /** Lists the secrets of a purpose that were not used yet, the first to expire first. */
  listSecrets(purpose: string): Promise<SecretRecord[]>;
  /** Removes a secret that was not used yet. False when there is none. */
  removeSecret(hash: string, purpose: string): Promise<boolean>;
  /** Removes all secrets of a purpose that were not used yet. */
  removeUnusedSecrets(purpose: string): Promise<void>;

  /** Finds the known browsers of these hashes that are live at `now`. */
  findKnownBrowsers(hashes: readonly string[], now: number): Promise<KnownBrowserRecord[]>;
  /**
   * Adds a token to a browser, which is a new one when it has no other token. Of more than `maxTokens` of a
   * browser the first one and the latest stay. Of more than `maxUnconfirmed` new browsers of the account,
   * as many of the first as of the latest stay, whatever the clock says: a flood of sign-ins that keep no
   * token evicts its own.
   */
  addKnownBrowser(browser: NewKnownBrowser, bounds: KnownBrowserBounds): Promise<void>;
  /**
   * The browser came back with this token: its earlier ones go. Of more than `maxConfirmed` such browsers
   * of the account, the one that came back least recently goes, with all its tokens.
   */
  confirmKnownBrowser(browser: KnownBrowserRecord, bounds: KnownBrowserBounds): Promise<void>;
  /** Makes the token expire at this time, unless it does so before. */
  limitKnownBrowser(hash: string, expiresAt: number): Promise<void>;
  /** Removes all known browsers of the account. */
  removeKnownBrowsers(accountId: string): Promise<void>;

  /** Reads the records of these subjects; one without failures is not in the map. */
  readFailures(subjects: readonly string[]): Promise<ReadonlyMap<string, FailureRecord>>;
  /** Inserts or replaces the record. */
  writeFailure(subject: string, record: FailureRecord): Promise<void>;
  /** Removes the records of these subjects. */
  clearFailures(subjects: readonly string[]): Promise<void>;

  /**
   * Keeps the latest `maxEach` of each result, whatever the clock says. Refused attempts of one network are one
   * record, with their count, until `windowMs` after the first. Notes nothing for an account that does not exist.
   */
  noteSignIn(accountId: string, signIn: NewSignIn, bounds: SignInBounds): Promise<void>;
  /** Lists the latest first. */
  listSignIns(accountId: string): Promise<SignInItem[]>;

  /**
   * Removes the accounts of the realm, all that belongs to them, and everything that was begun or counted for a
   * sign-in. The counts of security events stay.
   */
  removeAll(): Promise<void>;

  /** Adds one to the count of this kind, which pruning does not remove. */
  countSecurityEvent(kind: SecurityEventKind, at: number): Promise<void>;
  /** Lists the kinds of events that happened, in no particular order. */
  listSecurityCounts(): Promise<SecurityCount[]>;
}

/**
 * An account as a store has it: its name and the sealed verifier of its password. Times are milliseconds
 * since 1970.
 */
export interface AccountRecord {
  /** A random id, which stays when the name changes. */
  readonly accountId: string;
  /** The name that the person signs in with. */
  readonly username: string;
  /** The password verifier, encrypted with the instance key. */
  readonly sealedVerifier: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** Milliseconds since 1970. */
  readonly passwordChangedAt: number;
  /** False when the account signs in with passkeys alone: no password matches its verifier. */
  readonly hasPassword: boolean;
}

/** How many sign-ins may be in progress at once, so that a flood of them stays small. */
export interface ChallengeBounds {
  /** The number of live challenges. */
  readonly maxLive: number;
  /** The number of live challenges that may be those of known browsers. */
  readonly maxKnown: number;
}

/**
 * Who began a sign-in, as keyed hashes: when too many are in progress, the store drops those of the client
 * that has most.
 */
export interface ChallengeClient {
  /** Whether the client is a known browser. */
  readonly isKnown: boolean;
  /** The client's networks or account as keyed hashes, widest first; the last one is the client itself. */
  readonly groups: readonly [string, string, string];
}

/** A challenge with its client, as `addChallenge` takes it. */
export interface NewChallenge extends ChallengeRecord {
  /** The client that began it, by which challenges are evicted. */
  readonly client: ChallengeClient;
}

/** A sign-in with a password that is in progress: the numbers that the proof must be made from. */
export interface ChallengeRecord {
  /** A random id, which the proof names. */
  readonly challengeId: string;
  /** The name that was typed; no account needs to have it. */
  readonly username: string;
  /** The attempt in a format of the issuer. */
  readonly attempt: string;
  /** The salt of PBKDF2, in Base64URL. */
  readonly salt: string;
  /** The iterations of PBKDF2. */
  readonly iterations: number;
  /** The random part that the proof covers, in Base64URL. */
  readonly serverNonce: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** A secret that can be used once, such as an authorization code or an invitation. The store has its hash. */
export interface SecretRecord {
  /** SHA-256 of the secret, in Base64URL. */
  readonly hash: string;
  /** What the secret is for: one of another purpose is not found. */
  readonly purpose: string;
  /** The bound data in a format of the issuer. */
  readonly bound: string;
  /** Milliseconds since 1970; the issuer refuses it from then on. */
  readonly expiresAt: number;
  /** A second use is recognised until then; afterwards pruning removes the record. */
  readonly keepUntil: number;
}

/** What a secret was bound to, and whether it was used before. */
export interface SecretUse {
  /** The bound data of the record. */
  readonly bound: string;
  /** Milliseconds since 1970; the issuer compares it. */
  readonly expiresAt: number;
  /** Time of the first use; null when this is the first. */
  readonly usedBefore: number | null;
}

/** How many tokens of known browsers an account may have, by how well the browsers are known. */
export interface KnownBrowserBounds {
  /** The number of tokens of one browser. */
  readonly maxTokens: number;
  /** The number of new browsers of an account. */
  readonly maxUnconfirmed: number;
  /** The number of browsers of an account that came back. */
  readonly maxConfirmed: number;
}

/**
 * A token by which the service recognises a browser that signed in before, so that a flood of guesses does
 * not delay it.
 */
export interface NewKnownBrowser {
  /** SHA-256 of the token, in Base64URL; the browser has the token itself. */
  readonly hash: string;
  /** The account that signed in. */
  readonly accountId: string;
  /** All tokens of one browser and account have the same browser id. */
  readonly browserId: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
  /** False for the token of a sign-in link, until the browser has signed in with it. */
  readonly hasSignedIn: boolean;
}

/** A known browser as the store finds it: its token with the name of the account. */
export interface KnownBrowserRecord extends NewKnownBrowser {
  /** The present name of the account. */
  readonly username: string;
}

/** How many sign-ins the history of an account has, and how long attempts of a network are one record. */
export interface SignInBounds {
  /** The number of records of each result. */
  readonly maxEach: number;
  /** How long refused attempts of one network are one record. */
  readonly windowMs: number;
}

/** A sign-in, or a refused attempt, for the history that the owner sees. */
export type NewSignIn = Omit<SignInItem, "tries">;
