/**
 * The file of a backup: gzip around lines of JSON. The first line says what it is, then comes one
 * line for each row, `["table", …values]`, and the last line says what must have been there.
 * Each service has a format of its own: which tables, and what else it says of them.
 */
import type { ColumnType } from "../rows.ts";

export interface BackupFormat<Name extends string = string> {
  readonly name: string;
  readonly version: number;
  /** For messages: "a sync service". */
  readonly owner: string;
  /** A row comes after the rows that it refers to, so the order is that of the references. */
  readonly tables: readonly BackupTable<Name>[];
  /** What the last line says beside counts and digest, and from which rows that is. */
  readonly facts: Readonly<Record<string, "text" | "integer">>;
  factsOf(row: BackupRow<Name>): Readonly<Record<string, unknown>>;
}

export interface BackupTable<Name extends string = string> {
  readonly name: Name;
  readonly columns: Readonly<Record<string, Extract<ColumnType, "text" | "integer">>>;
  /** Columns that may be null. */
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
  /** What only the service understands. */
  readonly [attached: string]: unknown;
}

export interface BackupTrailer<Name extends string = string> {
  readonly counts: Readonly<Record<Name, number>>;
  /** Of every byte of the lines before this one, in hexadecimal. */
  readonly sha256: string;
  /** The facts of the format. */
  readonly [fact: string]: unknown;
}

/** The file cannot be used; the message says why. */
export class BackupRefusedError extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = "BackupRefusedError";
  }
}

export function describeTables({ tables }: BackupFormat): Record<string, readonly string[]> {
  return Object.fromEntries(tables.map(({ name, columns }) => [name, Object.keys(columns)]));
}
