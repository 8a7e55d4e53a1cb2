import assert from "node:assert/strict";
import { test } from "node:test";
import { StorageUnavailableError, TransactionConflictError } from "./database.ts";
import type { Transaction } from "./database.ts";
import { createWriteQueue } from "./write-queue.ts";
import type { Writer } from "./write-queue.ts";

test("when the commit fails, its whole group fails, and the next group does not", async () => {
  const store = createStore();
  const { transaction } = createWriteQueue(store.writer, 1000);
  store.failNext("commit");
  const results = await Promise.allSettled([
    transaction((tx) => add(tx, "a")),
    // It saw a row that was never committed, so its own error must not be reported.
    transaction(async () => assert.fail("a is already there")),
    transaction((tx) => add(tx, "b")),
  ]);
  for (const result of results) {
    assert.ok(result.status === "rejected");
    assert.ok(result.reason instanceof StorageUnavailableError);
  }
  assert.deepEqual(store.committed, []);
  await transaction((tx) => add(tx, "c"));
  assert.deepEqual(store.committed, ["c"]);
});

for (const step of ["begin", "late begin"] as const) {
  test(`when no transaction can begin, all that wait fail (${step})`, async () => {
    const store = createStore();
    const { transaction } = createWriteQueue(store.writer, 1000);
    store.failNext(step);
    const results = await Promise.allSettled(
      // More than one group's worth.
      Array.from({ length: 100 }, (_, index) => transaction((tx) => add(tx, String(index)))),
    );
    for (const result of results) {
      assert.ok(result.status === "rejected");
      assert.ok(result.reason instanceof StorageUnavailableError);
    }
    await transaction((tx) => add(tx, "later"));
    assert.deepEqual(store.committed, ["later"]);
  });
}

test("a group whose begin met a conflict runs again", async () => {
  const store = createStore();
  const { transaction } = createWriteQueue(store.writer, 1000);
  store.failNext("late begin", new TransactionConflictError());
  const names = ["a", "b", "c"];
  await Promise.all(names.map((name) => transaction((tx) => add(tx, name))));
  assert.deepEqual(store.committed, names);
});

test("transactions that wait share one commit, and none resolves before it", async () => {
  const store = createStore();
  const { transaction } = createWriteQueue(store.writer, 1000);
  const names = Array.from({ length: 30 }, (_, index) => String(index));
  await Promise.all(
    names.map(async (name) => {
      await transaction((tx) => add(tx, name));
      assert.ok(store.committed.includes(name));
    }),
  );
  // One, unless the machine stood still for longer than a group may take.
  assert.ok(store.commits() < names.length / 2, `${store.commits()} commits`);
  assert.deepEqual(store.committed, names);
});

test("each commit is told with how many transactions share it, a failed one is not", async () => {
  const store = createStore();
  const told: number[] = [];
  const { transaction } = createWriteQueue(store.writer, 1000, (size, durationMs) => {
    assert.ok(durationMs >= 0);
    told.push(size);
  });
  const all = (names: readonly string[]) =>
    Promise.allSettled(names.map((name) => transaction((tx) => add(tx, name))));
  await all(["a"]);
  await all(["b", "c", "d"]);
  store.failNext("commit");
  await all(["e"]);
  await transaction(() => Promise.reject(new Error("Rolled back"))).catch(() => {});
  assert.deepEqual(told, [1, 3]);
  assert.deepEqual(store.committed, ["a", "b", "c", "d"]);
});

test("the first of a group does not wait forever for the last", async () => {
  const store = createStore();
  const { transaction } = createWriteQueue(store.writer, 1000);
  const slow = async (tx: Transaction) => {
    await add(tx, "x");
    await new Promise((resolve) => {
      setTimeout(resolve, 30);
    });
  };
  await Promise.all(Array.from({ length: 6 }, () => transaction(slow)));
  assert.ok(store.commits() >= 2);
  assert.equal(store.committed.length, 6);
});

function add(tx: Transaction, name: string): Promise<unknown> {
  return tx.query(name);
}

/** A late one fails after the first statement was sent. */
type FailingStep = "begin" | "late begin" | "commit";

/** A store of names in memory that fails on demand. */
function createStore() {
  const committed: string[] = [];
  let open: string[] | null = null;
  let saved = 0;
  let failing: FailingStep | null = null;
  let failure: Error;
  let commits = 0;

  function failWhen(step: FailingStep): void {
    if (failing !== step) return;
    failing = null;
    throw failure;
  }

  const writer: Writer = {
    begin: async () => {
      failWhen("begin");
      open = [];
      const begun = (async () => failWhen("late begin"))();
      begun.catch(() => (open = null));
      return { begun };
    },
    query: async (name) => {
      if (open === null) throw new Error("There is no transaction");
      open.push(name);
      return [];
    },
    queryRows: () => Promise.resolve([]),
    writeAll: () => Promise.resolve(),
    script: () => Promise.resolve(),
    command: async (sql) => {
      if (sql.startsWith("savepoint")) saved = open?.length ?? 0;
      if (sql.startsWith("rollback")) open?.splice(saved);
    },
    commit: async () => {
      failWhen("commit");
      commits++;
      committed.push(...(open ?? []));
      open = null;
    },
    rollback: async () => {
      open = null;
    },
    isOpen: () => open !== null,
  };
  return {
    writer,
    committed,
    commits: () => commits,
    failNext(step: FailingStep, error: Error = new StorageUnavailableError("a test")) {
      failing = step;
      failure = error;
    },
  };
}
