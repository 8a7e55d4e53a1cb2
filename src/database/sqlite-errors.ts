import { ConstraintError, StorageUnavailableError } from "./database.ts";
import type { ConstraintKind } from "./database.ts";
import { WriteRefusedError } from "./lone-query.ts";

/** https://www.sqlite.org/rescode.html: the low byte is the primary code. */
const BUSY = 5;
const LOCKED = 6;
const READONLY = 8;
const CONSTRAINT = 19;

const UNAVAILABLE: Readonly<Record<number, string>> = {
  [BUSY]: "it is locked by another process",
  [LOCKED]: "it is locked",
  [READONLY]: "it is read-only",
  3: "access to it is denied",
  7: "memory is exhausted",
  10: "the disk failed to read or write",
  11: "its file is damaged; restore a backup",
  13: "the disk is full",
  14: "its file cannot be opened",
  15: "its lock protocol failed",
  22: "its file is too large for this system",
  26: "its file is not a database",
};

const CONSTRAINT_KINDS: Readonly<Record<number, ConstraintKind>> = {
  275: "check",
  787: "foreign key",
  1299: "not null",
  1555: "unique",
  2067: "unique",
  2579: "unique",
};

export function isBusy(error: unknown): boolean {
  const code = primaryCode(error);
  return code === BUSY || code === LOCKED;
}

/** What the rest of the program may see of an error; anything that is not the store's fault stays as it is. */
export function toSqliteError(error: unknown): unknown {
  const extended = extendedCode(error);
  const code = primaryCode(error);
  if (extended === null || code === null) return error;
  if (code === CONSTRAINT) return new ConstraintError(CONSTRAINT_KINDS[extended] ?? "other");
  const reason = UNAVAILABLE[code];
  return reason === undefined
    ? error
    : new StorageUnavailableError(`${reason} (SQLite ${extended})`);
}

/** The same for a connection that may only read: being asked to write is not a fault of the store. */
export function toReadError(error: unknown): unknown {
  return extendedCode(error) === READONLY ? new WriteRefusedError() : toSqliteError(error);
}

function primaryCode(error: unknown): number | null {
  const code = extendedCode(error);
  return code === null ? null : code & 0xff;
}

function extendedCode(error: unknown): number | null {
  if (!(error instanceof Error) || !("errcode" in error)) return null;
  return typeof error.errcode === "number" ? error.errcode : null;
}
