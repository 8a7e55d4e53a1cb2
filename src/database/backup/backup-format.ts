/**
 * A backup file: gzip around lines of JSON. The first line is the header, then comes one line for each
 * row, `["table", …values]`, and the last line is the trailer with counts and a digest. Each service
 * defines its own format: its tables, and further facts of the trailer.
 */
import type { ColumnType } from "../database.ts";

export interface BackupFormat<Name extends string = string> {
  readonly name: string;
  readonly version: number;
  /** For messages: "a sync service". */
  readonly owner: string;
  /** A row comes after the rows that it references, so the tables are in the order of references. */
  readonly tables: readonly BackupTable<Name>[];
  /** Members of the trailer beside counts and digest, with their types. */
  readonly facts: Readonly<Record<string, "text" | "integer">>;
  /** The facts that a row decides. */
  factsOf(row: BackupRow<Name>): Readonly<Record<string, unknown>>;
}

export interface BackupTable<Name extends string = string> {
  readonly name: Name;
  readonly columns: Readonly<Record<string, Extract<ColumnType, "text" | "integer">>>;
  readonly nullable?: readonly string[];
  readonly where?: string;
}

export interface BackupRow<Name extends string = string> {
  readonly table: BackupTable<Name>;
  /** In the order of the table's columns. */
  readonly values: readonly (string | number | null)[];
}

export interface BackupHeader {
  readonly format: string;
  readonly version: number;
  readonly createdAt: string;
  /** The version of the program that wrote it. */
  readonly product: string;
  /** The columns of each table, in the order of the values. */
  readonly tables: Readonly<Record<string, readonly string[]>>;
  readonly instanceKey: SealedKey | null;
}

/** The instance key, sealed under a passphrase. */
export interface SealedKey {
  readonly kdf: "scrypt";
  readonly cost: number;
  readonly blockSize: number;
  readonly parallelization: number;
  readonly salt: string;
  /** In the format of identity/seal. */
  readonly sealed: string;
}

export interface BackupTrailer<Name extends string = string> {
  readonly counts: Readonly<Record<Name, number>>;
  /** Of all bytes of the lines before this one, in hexadecimal. */
  readonly sha256: string;
  readonly [fact: string]: unknown;
}

/** What is known about a verified backup; each service adds facts about its contents. */
export interface BackupManifest<Name extends string = string> {
  readonly createdAt: string;
  readonly product: string;
  /** Null when the backup has no instance key. */
  readonly instanceKey: SealedKey | null;
  readonly counts: BackupTrailer<Name>["counts"];
  readonly sha256: string;
  readonly fileBytes: number;
}

/** The file cannot be used; the message has the reason. */
export class BackupRefusedError extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = "BackupRefusedError";
  }
}

export function describeTables({ tables }: BackupFormat): Record<string, readonly string[]> {
  return Object.fromEntries(tables.map(({ name, columns }) => [name, Object.keys(columns)]));
}
