import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { StorageUnavailableError, TransactionConflictError } from "./database.ts";
import type { Statement, Transaction } from "./database.ts";
import { MAX_CONFLICTS } from "./conflicts.ts";
import { createWriteQueue } from "./write-queue.ts";
import type { Writer } from "./write-queue.ts";

test("when the commit fails, its whole group fails, and the next group does not", async () => {
  const store = createStore();
  const { transaction } = createQueue(store);
  store.failNext("commit");
  const results = await Promise.allSettled([
    transaction((tx) => add(tx, "a")),
    // This transaction saw a row that was never committed, so its own error must not be reported.
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

test("when no transaction can begin, all that wait fail", async () => {
  const store = createStore();
  const { transaction } = createQueue(store);
  store.failNext("begin");
  const results = await Promise.allSettled(
    // The transactions are more than one group can have.
    Array.from({ length: 100 }, (_, index) => transaction((tx) => add(tx, String(index)))),
  );
  for (const result of results) {
    assert.ok(result.status === "rejected");
    assert.ok(result.reason instanceof StorageUnavailableError);
  }
  await transaction((tx) => add(tx, "later"));
  assert.deepEqual(store.committed, ["later"]);
});

test("transactions that come while a group waits for other writers join it", async () => {
  const store = createStore();
  const { transaction } = createQueue(store);
  const others = Promise.withResolvers<void>();
  store.waitFor(others.promise);
  const first = transaction((tx) => add(tx, "first"));
  await nextTurn();
  const joined = ["a", "b", "c"].map((name) => transaction((tx) => add(tx, name)));
  await nextTurn();
  others.resolve();
  await Promise.all([first, ...joined]);
  assert.deepEqual(store.committed, ["first", "a", "b", "c"]);
  assert.equal(store.commits(), 1);
});

test("a group keeps plans when each of its transactions does, and otherwise none", async () => {
  const store = createStore();
  const { transaction } = createQueue(store);
  const append = (name: string) => transaction((tx) => add(tx, name), { keepsPlans: true });
  const other = (name: string) => transaction((tx) => add(tx, name));
  await Promise.all([append("a"), append("b")]);
  await Promise.all([append("c"), other("d"), append("e")]);
  assert.deepEqual(store.committed, ["a", "b", "c", "d", "e"]);
  assert.deepEqual(store.keptPlans, [true, false]);
});

test("a transaction that keeps no plans does not join a group that has begun to keep them", async () => {
  const store = createStore();
  const { transaction } = createQueue(store);
  const others = Promise.withResolvers<void>();
  store.waitFor(others.promise);
  const append = (name: string) => transaction((tx) => add(tx, name), { keepsPlans: true });
  const first = append("first");
  await nextTurn();
  const later = [append("a"), transaction((tx) => add(tx, "b")), append("c")];
  await nextTurn();
  others.resolve();
  await Promise.all([first, ...later]);
  assert.deepEqual(store.committed, ["first", "a", "b", "c"]);
  assert.deepEqual(store.keptPlans, [true, false]);
});

test("a group may be lost when each of its transactions may, and another does not join it", async () => {
  const store = createStore();
  const { transaction } = createQueue(store);
  const lose = (name: string) => transaction((tx) => add(tx, name), { mayBeLost: true });
  const keep = (name: string) => transaction((tx) => add(tx, name));
  await Promise.all([lose("a"), lose("b")]);
  await Promise.all([lose("c"), keep("d")]);
  const others = Promise.withResolvers<void>();
  store.waitFor(others.promise);
  const begun = lose("e");
  await nextTurn();
  const later = keep("f");
  others.resolve();
  await Promise.all([begun, later]);
  assert.deepEqual(store.committed, ["a", "b", "c", "d", "e", "f"]);
  assert.deepEqual(store.maybeLost, [true, false, true, false]);
});

test("transactions that met a conflict run again in the order in which they came", async () => {
  const store = createStore();
  const { transaction } = createQueue(store);
  // The first run is of the whole group, the second in savepoints.
  const conflictTwice = (name: string) => {
    let runs = 0;
    return transaction(async (tx) => {
      if (++runs <= 2) throw new TransactionConflictError();
      await add(tx, name);
    });
  };
  await Promise.all([conflictTwice("a"), conflictTwice("b"), conflictTwice("c")]);
  assert.deepEqual(store.committed, ["a", "b", "c"]);
});

test("a transaction runs again after as many conflicts as are allowed, and fails after one more", async () => {
  const store = createStore();
  const { transaction } = createQueue(store);
  const conflict = (conflicts: number, name: string) => {
    let left = conflicts;
    return transaction(async (tx) => {
      if (left-- > 0) throw new TransactionConflictError();
      await add(tx, name);
    });
  };
  await conflict(MAX_CONFLICTS, "a");
  await assert.rejects(conflict(MAX_CONFLICTS + 1, "b"), StorageUnavailableError);
  assert.deepEqual(store.committed, ["a"]);
});

test("a group that keeps plans keeps them when it runs again because one of it has failed", async () => {
  const store = createStore();
  const { transaction } = createQueue(store);
  const write = (sql: string) =>
    transaction(async (tx) => tx.writeAtEnd([{ sql }]), { keepsPlans: true });
  const results = await Promise.allSettled([write("a"), write(REFUSED), write("b")]);
  assert.deepEqual(
    results.map(({ status }) => status),
    ["fulfilled", "rejected", "fulfilled"],
  );
  assert.deepEqual(store.committed, ["a", "b"]);
  assert.deepEqual(store.keptPlans, [true, true]);
});

test("a transaction by itself writes with its commit, and those of a group before it", async () => {
  const store = createStore();
  const { transaction } = createQueue(store);
  const write = (name: string) =>
    transaction(async (tx) => {
      await tx.query(`${name} read`);
      tx.writeAtEnd([{ sql: name }]);
    });
  await write("alone");
  assert.deepEqual(store.committed, ["alone read", "alone"]);
  assert.equal(store.writes(), 0);
  await Promise.all([write("a"), write("b")]);
  assert.deepEqual(store.committed.slice(2), ["a read", "a", "b read", "b"]);
  assert.equal(store.writes(), 2);
});

test("a write at the end that fails fails its own transaction, and no other of the group", async () => {
  const store = createStore();
  const { transaction } = createQueue(store);
  const write = (sql: string) => transaction(async (tx) => tx.writeAtEnd([{ sql }]));
  await assert.rejects(write(REFUSED), /refused/);
  const results = await Promise.allSettled([write("a"), write(REFUSED), write("b")]);
  assert.deepEqual(
    results.map(({ status }) => status),
    ["fulfilled", "rejected", "fulfilled"],
  );
  assert.deepEqual(store.committed, ["a", "b"]);
});

test("nothing follows what a transaction writes at its end", async () => {
  const store = createStore();
  const { transaction } = createQueue(store);
  for (const follow of [
    (tx: Transaction) => add(tx, "b"),
    async (tx: Transaction) => tx.writeAtEnd([{ sql: "b" }]),
  ]) {
    await assert.rejects(
      transaction(async (tx) => {
        tx.writeAtEnd([{ sql: "a" }]);
        await follow(tx);
      }),
      /written everything/,
    );
  }
  assert.deepEqual(store.committed, []);
});

test("a group whose begin met a conflict runs again", async () => {
  const store = createStore();
  const { transaction } = createQueue(store);
  store.failNext("begin", new TransactionConflictError());
  const names = ["a", "b", "c"];
  await Promise.all(names.map((name) => transaction((tx) => add(tx, name))));
  assert.deepEqual(store.committed, names);
});

test("transactions that wait share one commit, and none resolves before it", async () => {
  const store = createStore();
  const { transaction } = createQueue(store);
  const names = Array.from({ length: 30 }, (_, index) => String(index));
  await Promise.all(
    names.map(async (name) => {
      await transaction((tx) => add(tx, name));
      assert.ok(store.committed.includes(name));
    }),
  );
  assert.equal(store.commits(), 1);
  assert.deepEqual(store.committed, names);
});

test("each commit is told with how many transactions share it, a failed one is not", async () => {
  const store = createStore();
  const told: number[] = [];
  const { transaction } = createQueue(store, (size, durationMs) => {
    assert.equal(durationMs, 0);
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
  const { transaction } = createQueue(store);
  const slow = async (tx: Transaction) => {
    await add(tx, "x");
    store.pass(30);
  };
  await Promise.all(Array.from({ length: 6 }, () => transaction(slow)));
  // A group begins nothing more once it has taken 50 ms.
  assert.equal(store.commits(), 3);
  assert.equal(store.committed.length, 6);
});

/** Time passes only when the store says so, however busy the machine is. */
function createQueue(
  { writer, now }: ReturnType<typeof createStore>,
  onCommit?: (transactions: number, durationMs: number) => void,
) {
  return createWriteQueue(writer, 60_000, onCommit, now);
}

function add(tx: Transaction, name: string): Promise<unknown> {
  return tx.query(name);
}

type FailingStep = "begin" | "commit";

const REFUSED = "what the store refuses";

/** A store of names in memory that fails on demand. */
function createStore() {
  const committed: string[] = [];
  /** Of each transaction that has begun, whether it keeps plans. */
  const keptPlans: boolean[] = [];
  const maybeLost: boolean[] = [];
  let open: string[] | null = null;
  let saved = 0;
  let failing: FailingStep | null = null;
  let failure: Error;
  let commits = 0;
  let writes = 0;
  let otherWriters: Promise<void> = Promise.resolve();
  let time = 0;

  function writeNow(statements: readonly Statement[]): void {
    for (const { sql } of statements) {
      if (sql === REFUSED) throw new Error("The store refused a statement");
      open?.push(sql);
    }
  }

  function failWhen(step: FailingStep): void {
    if (failing !== step) return;
    failing = null;
    throw failure;
  }

  const writer: Writer = {
    begin: async ({ keepsPlans, mayBeLost }) => {
      await otherWriters;
      failWhen("begin");
      keptPlans.push(keepsPlans);
      maybeLost.push(mayBeLost);
      open = [];
    },
    query: async (name) => {
      if (open === null) throw new Error("There is no transaction");
      open.push(name);
      return [];
    },
    queryRows: () => Promise.resolve([]),
    writeAll: async (statements) => {
      writes++;
      writeNow(statements);
    },
    script: () => Promise.resolve(),
    command: async (sql) => {
      if (sql.startsWith("savepoint")) saved = open?.length ?? 0;
      if (sql.startsWith("rollback")) open?.splice(saved);
    },
    commit: async (statements) => {
      failWhen("commit");
      writeNow(statements);
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
    keptPlans,
    maybeLost,
    commits: () => commits,
    now: () => time,
    pass(ms: number) {
      time += ms;
    },
    /** How often statements were written before a commit. */
    writes: () => writes,
    /** The next transactions begin when the promise resolves. */
    waitFor(others: Promise<void>) {
      otherWriters = others;
    },
    failNext(step: FailingStep, error: Error = new StorageUnavailableError("a test")) {
      failing = step;
      failure = error;
    },
  };
}
