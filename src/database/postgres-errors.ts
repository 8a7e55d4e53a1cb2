/** Turns errors of PostgreSQL and of its client library into those of the database port. */
import postgres from "postgres";
import {
  ConstraintError,
  readOnlyError,
  StorageUnavailableError,
  TransactionConflictError,
  type ConstraintKind,
} from "./database.ts";
import { USE_POOL_PARAMETER } from "./postgres-session.ts";

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const CONFLICTS = new Set(["40001", "40P01"]);
/** A table changed between a statement and its values, which another connection did: nothing was run. */
const STALE_PLAN = { code: "0A000", routine: "RevalidateCachedQuery" };
/** The server ends the connection after such an error: class 08, and its own end or start. */
const ENDINGS = /^(?:08|57P0[123])/;
const READ_ONLY_TRANSACTION = "25006";
/** A standby refuses to begin a transaction that writes; a proxy may lead to one for a moment. */
const STANDBY = { code: "0A000", routine: "call_bool_check_hook" };
/** Codes of the library that only a bug of ours can cause. */
const MISUSES = new Set(["UNDEFINED_VALUE", "MAX_PARAMETERS_EXCEEDED", "UNSAFE_TRANSACTION"]);

const CONSTRAINT_KINDS: Readonly<Record<string, ConstraintKind>> = {
  "23502": "not null",
  "23503": "foreign key",
  "23505": "unique",
  "23514": "check",
};

/** Why the store is unavailable, by the code of the error or else by its class, the first two characters. */
const UNAVAILABLE: Readonly<Record<string, string>> = {
  "08": "the connection failed",
  "08P01":
    "the address leads to a pooler: add `pool=transaction` to the address if it is not there, and see whether the pooler reaches its server",
  "26000": USE_POOL_PARAMETER,
  "25P03": "a transaction was left open for too long",
  "28": "the server refused the sign-in",
  "3D000": "the server has no such database",
  "3F000": "the schema that `search_path` names does not exist",
  "53": "the server is out of resources",
  "53100": "the server's disk is full",
  "53300": "the server has too many connections",
  "42501": "the role of the address lacks a right on the database, its schema or a table",
  "55000": "the database does not accept connections, or is in a state that forbids a statement",
  "55P03": "other writers hold it for too long",
  "57": "the server is stopping, or ended a statement that took too long",
  "58": "the server failed to read or write",
};

/**
 * The errors of the port have no values, statements or addresses: the library's errors carry the
 * statement, its parameters and the server's address, and the server's messages quote values.
 */
export function toPostgresError(error: unknown): unknown {
  if (error instanceof postgres.PostgresError) return toServerError(error);
  const code = codeOf(error);
  if (code === null || error instanceof TypeError || error instanceof RangeError) return error;
  if (MISUSES.has(code)) return new Error(`A statement cannot be sent: ${code}`);
  return new StorageUnavailableError(`the connection failed (${code})`);
}

/** Whether the connection is unusable from now on. */
export function isConnectionFailure(error: unknown): boolean {
  if (error instanceof postgres.PostgresError) return ENDINGS.test(error.code);
  return toPostgresError(error) instanceof StorageUnavailableError;
}

function toServerError({ code, message, routine }: postgres.PostgresError): Error {
  if (CONFLICTS.has(code)) return new TransactionConflictError();
  if (code === STALE_PLAN.code && routine === STALE_PLAN.routine) {
    return new TransactionConflictError();
  }
  if (code === STANDBY.code && routine === STANDBY.routine) {
    return new StorageUnavailableError(
      `the server is a standby, which cannot be written (${code})`,
    );
  }
  if (code === READ_ONLY_TRANSACTION) return readOnlyError();
  if (code.startsWith("23")) return new ConstraintError(CONSTRAINT_KINDS[code] ?? "other");
  // Only messages about the statement itself (class 42: syntax, rights, unknown names) contain no values.
  const text = code.startsWith("42") ? `: ${message}` : "";
  const reason = UNAVAILABLE[code] ?? UNAVAILABLE[code.slice(0, 2)];
  if (reason !== undefined) {
    return new StorageUnavailableError(`${reason} (PostgreSQL ${code}${text})`);
  }
  return new Error(`PostgreSQL refused a statement (${code})${text}`);
}

function codeOf(error: unknown): string | null {
  if (!(error instanceof Error) || !("code" in error)) return null;
  return typeof error.code === "string" ? error.code : null;
}
