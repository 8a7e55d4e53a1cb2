import assert from "node:assert/strict";
import { test } from "node:test";
import type { Database, Row, SqlValue } from "../../../src/database/database.ts";
import { checkStore } from "../../../src/sync/maintenance/check-store.ts";
import { createOperation } from "../../fixtures/sync-operation.ts";
import { pushTo } from "./device.ts";
import { createPlace } from "./on-both-stores.ts";

const OPERATIONS = 600;

test("the work of a check grows with the log, not with its square", async (t) => {
  const store = await (await createPlace(t, "SQLite")).open();
  const { database } = store;
  // The state has a field more after each operation.
  const operations = Array.from({ length: OPERATIONS }, (_, index) =>
    createOperation({
      kind: index === 0 ? "create" : "patch",
      sequence: index + 1,
      entityId: "note/1",
      payload: { [`field-${index}`]: index },
    }),
  );
  for (let first = 0; first < OPERATIONS; first += 100) {
    await pushTo(store, operations.slice(first, first + 100));
  }
  const [stored] = await database.query<{ characters: number }>(
    `SELECT (SELECT sum(length(body) + length(entity_id)) FROM sync_operations) +
       (SELECT sum(length(state) + length(entity_id)) FROM sync_entities) AS characters`,
  );
  let characters = 0;
  async function* stream<T extends Row>(sql: string, params?: readonly SqlValue[]) {
    for await (const row of database.stream<T>(sql, params)) {
      for (const value of Object.values(row)) characters += String(value).length;
      yield row;
    }
  }
  const counted: Database = { ...database, stream };
  // A copy of a map sets each of its entries.
  const set = t.mock.method(Map.prototype, "set");
  assert.equal((await checkStore(counted)).kind, "sound");
  const sets = set.mock.callCount();
  set.mock.restore();
  assert.ok(sets < 10 * OPERATIONS, `${sets} entries were set`);
  assert.ok(characters < 2 * (stored?.characters ?? 0), `${characters} characters were read`);
});
