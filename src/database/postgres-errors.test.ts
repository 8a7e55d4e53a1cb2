import assert from "node:assert/strict";
import { test } from "node:test";
import postgres from "postgres";
import { StorageUnavailableError, TransactionConflictError } from "./database.ts";
import { toPostgresError } from "./postgres-errors.ts";

/** The library's types do not show that it takes the fields of the server's message. */
const refusal = (fields: Readonly<Record<string, string>>) =>
  Object.assign(Object.create(postgres.PostgresError.prototype) as Error, fields);

test("a standby that refuses to begin a transaction that writes makes the store unavailable", () => {
  const refused = toPostgresError(refusal({ code: "0A000", routine: "call_bool_check_hook" }));
  assert.ok(refused instanceof StorageUnavailableError);
  assert.match(refused.message, /is a standby/);
});

test("a statement whose table changed before it ran runs again, and another unsupported one does not", () => {
  const code = "0A000";
  const stale = toPostgresError(refusal({ code, routine: "RevalidateCachedQuery" }));
  assert.ok(stale instanceof TransactionConflictError);
  const other = toPostgresError(refusal({ code, routine: "transformInsertStmt" }));
  assert.match((other as Error).message, /^PostgreSQL refused a statement \(0A000\)$/);
});
