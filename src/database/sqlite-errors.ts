/** Turns SQLite's errors into those of the database port. */
import {
  ConstraintError,
  readOnlyError,
  StorageUnavailableError,
  type ConstraintKind,
} from "./database.ts";

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
  11: "its file is damaged, or its -wal file belongs to another state of it; restore a backup",
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
  const code = codesOf(error)?.primary;
  return code === BUSY || code === LOCKED;
}

/** An error that is not SQLite's is returned as it is. */
export function toSqliteError(error: unknown): unknown {
  const codes = codesOf(error);
  if (codes === null) return error;
  const { primary, extended } = codes;
  if (primary === CONSTRAINT) return new ConstraintError(CONSTRAINT_KINDS[extended] ?? "other");
  const reason = UNAVAILABLE[primary];
  return reason === undefined
    ? error
    : new StorageUnavailableError(`${reason} (SQLite ${extended})`);
}

/** Like `toSqliteError`, for a connection with `query_only`, where a write is a bug of the caller. */
export function toReadError(error: unknown): unknown {
  return codesOf(error)?.extended === READONLY ? readOnlyError() : toSqliteError(error);
}

function codesOf(error: unknown): { readonly primary: number; readonly extended: number } | null {
  if (!(error instanceof Error) || !("errcode" in error)) return null;
  const { errcode } = error;
  return typeof errcode === "number" ? { primary: errcode & 0xff, extended: errcode } : null;
}
