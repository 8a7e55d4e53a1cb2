/** The passkeys of all accounts in a transaction of a store; `IdentityRecords` includes them. */
export interface PasskeyRecords {
  /** With the name of its account, which is of this realm. */
  findPasskey(credentialId: string): Promise<KnownPasskey | null>;
  /** Lists the oldest passkey first. */
  listPasskeys(accountId: string): Promise<PasskeyRecord[]>;
  /** False when the credential id is taken. */
  addPasskey(passkey: PasskeyRecord): Promise<boolean>;
  /** Notes a sign-in with the passkey. */
  usePasskey(credentialId: string, counter: number, usedAt: number): Promise<void>;
  /** False when the account has no such passkey. */
  renamePasskey(accountId: string, credentialId: string, name: string): Promise<boolean>;
  /** False when the account has no such passkey. */
  removePasskey(accountId: string, credentialId: string): Promise<boolean>;
  /** Returns how many passkeys there were. */
  removePasskeys(accountId: string): Promise<number>;
}

/** A passkey as a store has it. Times are milliseconds since 1970, ids and keys unpadded Base64URL. */
export interface PasskeyRecord {
  /** The id that the authenticator gave it, in Base64URL. */
  readonly credentialId: string;
  /** The account that it signs in to. */
  readonly accountId: string;
  /** A COSE key (RFC 9052 7). */
  readonly publicKey: string;
  /** Of the last signature; always 0 where the authenticator does not count. */
  readonly counter: number;
  /** The name that the owner sees. */
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** Milliseconds since 1970; null before its first use. */
  readonly lastUsedAt: number | null;
}

/** A passkey with the name of its account, as a sign-in finds it. */
export interface KnownPasskey extends PasskeyRecord {
  /** The present name of the account. */
  readonly username: string;
}
