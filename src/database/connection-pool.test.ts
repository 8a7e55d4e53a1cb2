import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { createPool, type Lane, type PoolSettings } from "./connection-pool.ts";

const LANES: Readonly<Record<Lane, number>> = { read: 2, write: 1, stream: 1, upkeep: 2 };

function createCounted(settings: Partial<PoolSettings> = {}) {
  const opened: { isDead: boolean }[] = [];
  const pool = createPool(
    async () => {
      const connection = {
        isDead: false,
        isLost: () => connection.isDead,
        close: async () => void (connection.isDead = true),
      };
      opened.push(connection);
      return connection;
    },
    { size: 2, lanes: LANES, waitTimeoutMs: 60_000, ...settings },
  );
  return { pool, opened };
}

test("instances that wait get a connection in turn, however many requests each has", async () => {
  const { pool, opened } = createCounted({ size: 1 });
  const first = await pool.acquire({ line: 1, lane: "read" });
  const served: number[] = [];
  const waiting = [1, 1, 1, 2, 3, 3].map((line) =>
    pool.use({ line, lane: "read" }, async () => void served.push(line)),
  );
  pool.release(first);
  await Promise.all(waiting);
  assert.deepEqual(served, [1, 2, 3, 1, 3, 1]);
  assert.equal(opened.length, 1);
});

test("what keeps the process alive goes before all others", async () => {
  const { pool } = createCounted({ size: 1 });
  const first = await pool.acquire({ line: 1, lane: "read" });
  const served: Lane[] = [];
  const waiting = (["read", "write", "upkeep"] as const).map((lane, line) =>
    pool.use({ line, lane }, async () => void served.push(lane)),
  );
  pool.release(first);
  await Promise.all(waiting);
  assert.deepEqual(served, ["upkeep", "read", "write"]);
});

test("writers that wait for a lock leave a connection to readers", async () => {
  const { pool, opened } = createCounted();
  const writer = await pool.acquire({ line: 1, lane: "write" });
  let hasBegun = false;
  const next = pool.use({ line: 2, lane: "write" }, async () => void (hasBegun = true));
  await pool.use({ line: 3, lane: "read" }, nextTurn);
  assert.equal(hasBegun, false);
  pool.release(writer);
  await next;
  assert.equal(opened.length, 2);
});

test("a connection that was found dead is replaced, and no more are opened than may be", async () => {
  const { pool, opened } = createCounted({ size: 1 });
  const turn = { line: 1, lane: "read" } as const;
  await pool.use(turn, nextTurn);
  let attempts = 0;
  const run = async () => {
    if (attempts++ > 0) return "done";
    for (const connection of opened) connection.isDead = true;
    throw new Error("the connection failed");
  };
  assert.equal(await pool.use(turn, run), "done");
  assert.equal(opened.length, 2);
});

test("who waits when the pool is closed is told so", async () => {
  const { pool, opened } = createCounted({ size: 1 });
  await pool.acquire({ line: 1, lane: "read" });
  const refused = assert.rejects(pool.acquire({ line: 2, lane: "read" }), /it is closed/);
  await pool.close();
  await refused;
  assert.ok(opened.every(({ isDead }) => isDead));
});
