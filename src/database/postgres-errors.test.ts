import assert from "node:assert/strict";
import { test } from "node:test";
import postgres from "postgres";
import { TransactionConflictError } from "./database.ts";
import { toPostgresError } from "./postgres-errors.ts";

/** The library's types do not show that it takes the fields of the server's message. */
const refusal = (fields: Readonly<Record<string, string>>) =>
  Object.assign(Object.create(postgres.PostgresError.prototype) as Error, fields);

test("a statement whose table changed before it ran runs again, and another unsupported one does not", () => {
  const code = "0A000";
  const stale = toPostgresError(refusal({ code, routine: "RevalidateCachedQuery" }));
  assert.ok(stale instanceof TransactionConflictError);
  const other = toPostgresError(refusal({ code, routine: "transformInsertStmt" }));
  assert.match((other as Error).message, /^PostgreSQL refused a statement \(0A000\)$/);
});
