/**
 * A backup file: gzip around lines of JSON. The first line is the header, then comes one line for each
 * row, `["table", …values]`, then the trailer with counts and a digest, and last the HMAC of all these
 * lines. Each service defines its own format: its tables, and further facts of the trailer.
 */
import type { BackupTable } from "../../database/table-columns.ts";
import type { SealedKey } from "../../contract/sealed-key.ts";

export const AGE_MAGIC = "age-encryption.org/v1\n";
/** What a backup file begins with: gzip, or age around it. */
export const BACKUP_MAGICS: readonly string[] = ["\x1f\x8b", AGE_MAGIC];

export interface BackupFormat<Name extends string = string> {
  readonly name: string;
  readonly version: number;
  /** The first version that is read; from it on, every version is. */
  readonly firstVersion: number;
  /** The owner of the backup, for messages: "a sync service". */
  readonly owner: string;
  /** A row comes after the rows that it references, so the tables are in the order of references. */
  readonly tables: readonly BackupTable<Name>[];
  /** Members of the trailer beside counts and digest, with their types. */
  readonly facts: Readonly<Record<string, "text" | "integer">>;
  /** The facts that a row decides. */
  factsOf(row: BackupRow<Name>): Readonly<Record<string, unknown>>;
}

export interface BackupRow<Name extends string = string> {
  readonly table: BackupTable<Name>;
  /** The values in the order of the table's columns. */
  readonly values: readonly (string | number | null)[];
}

export interface BackupHeader {
  readonly format: string;
  readonly version: number;
  readonly createdAt: string;
  /** The version and the build of the program that wrote the backup. */
  readonly product: string;
  /** The columns of each table, in the order of the values. */
  readonly tables: Readonly<Record<string, readonly string[]>>;
  readonly instanceKey: SealedKey | null;
  /** How the file is authenticated; null for that of an instance without a key. */
  readonly authentication: BackupAuthentication | null;
}

export interface BackupAuthentication {
  readonly algorithm: "hmac-sha256";
  /** Tells a backup of another instance from a forged one. */
  readonly keyId: string;
}

/** The key that authenticates backups, derived from the instance key. */
export interface BackupKey {
  readonly id: string;
  readonly secret: Uint8Array;
}

/** Whether the file is as the instance wrote it. A file that certainly was changed is refused. */
export type Authenticity =
  | { readonly kind: "authentic" }
  /** There is no key to check it with. */
  | { readonly kind: "unchecked"; readonly reason: "no-key" | "written-without-key" }
  /** There is a key, and it does not vouch for the file: anyone can make one like it. */
  | { readonly kind: "unauthentic"; readonly reason: "other-key" | "written-without-key" };

export interface BackupTrailer<Name extends string = string> {
  readonly counts: Readonly<Record<Name, number>>;
  /** The digest of all bytes of the lines before the trailer, in hexadecimal. */
  readonly sha256: string;
  readonly [fact: string]: unknown;
}

/** What is known about a verified backup; each service adds facts about its contents. */
export interface BackupManifest<Name extends string = string> {
  readonly createdAt: string;
  readonly product: string;
  /** The sealed instance key; null when the backup has none. */
  readonly instanceKey: SealedKey | null;
  readonly counts: BackupTrailer<Name>["counts"];
  readonly sha256: string;
  readonly authenticity: Authenticity;
  /** Whether the file is encrypted with age. */
  readonly isEncrypted: boolean;
  readonly fileBytes: number;
}

/** The file cannot be used; the message has the reason. */
export class BackupRefusedError extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = "BackupRefusedError";
  }
}

/** The file may be a good backup, but it cannot be read here: the message says what it takes. */
export class BackupEncryptedError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "BackupEncryptedError";
  }
}

/** The file may be a good backup, but the disk has no space for what it unpacks to. */
export class BackupTooLargeError extends Error {
  override readonly name = "BackupTooLargeError";
}

/** The tables of a version of the format, which is the current one if none is given. */
export function describeTables(
  format: BackupFormat,
  version = format.version,
): Record<string, readonly string[]> {
  const tables = format.tables.filter(({ since = 0 }) => since <= version);
  return Object.fromEntries(tables.map(({ name, columns }) => [name, Object.keys(columns)]));
}
