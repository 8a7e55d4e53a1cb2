import assert from "node:assert/strict";
import { test } from "node:test";
import type { Row } from "../../database/database.ts";
import { checkClockOfServer } from "./check-clock.ts";

const NOW = Date.UTC(2026, 0, 31);

/** The findings when the clock of the database server shows `difference` milliseconds more. */
async function findAt(difference: number) {
  const database = {
    query: async <R extends Row>() => [{ at: NOW + difference }] as unknown as R[],
  };
  return checkClockOfServer(database, () => NOW);
}

test("a clock that differs from the database server's by a minute or more is an error", async () => {
  for (const difference of [0, 59_999, -59_999]) assert.deepEqual(await findAt(difference), []);
  for (const [difference, expected] of [
    [90_000, "it is 90 seconds behind that of the database server"],
    [-90_000, "it is 90 seconds ahead of that of the database server"],
  ] as const) {
    const [finding] = await findAt(difference);
    assert.equal(finding?.level, "error");
    assert.equal(finding.message, expected);
  }
});
