import assert from "node:assert/strict";
import type { SyncStore } from "../../src/sync/store.ts";
import { append, readLog } from "../read-store.ts";
import { sampleOperations } from "../samples.ts";
import type { StoreCases } from "../store-case.ts";

const readHistory = (store: SyncStore) => store.transaction(({ log }) => log.readHistory());

export const HISTORY_CASES: StoreCases = {
  "the marks of appends begin with the name of the history, also after a restart": async ({
    store,
    reopen,
  }) => {
    assert.equal(await readHistory(store), null);
    await store.transaction(({ log }) => log.nameHistory("Ab-_"));
    assert.equal(await readHistory(store), "Ab-_");
    const [first] = await append(store, sampleOperations(1));
    assert.match(first?.mark ?? "", /^Ab-_[A-Za-z0-9_-]{7}$/);
    const restarted = await reopen();
    assert.equal(await readHistory(restarted), "Ab-_");
    const [second] = await append(restarted, sampleOperations(1, "tablet"));
    assert.match(second?.mark ?? "", /^Ab-_[A-Za-z0-9_-]{7}$/);
    assert.notEqual(second?.mark, first?.mark);
  },
  "a transaction that throws names no history and begins no generation": async ({ store }) => {
    const before = await store.operations.head();
    const failing = store.transaction(async ({ log }) => {
      await log.nameHistory("Ab-_");
      await log.beginGeneration();
      throw new Error("undone");
    });
    await assert.rejects(failing, { message: "undone" });
    assert.equal(await readHistory(store), null);
    assert.deepEqual(await store.operations.head(), before);
  },
  "a new generation keeps the log, and its offsets go on": async ({ store, reopen }) => {
    await append(store, sampleOperations(3));
    const before = await store.operations.head();
    const texts = await readLog(store.operations);
    await store.transaction(({ log }) => log.beginGeneration());
    const restarted = await reopen();
    const after = await restarted.operations.head();
    assert.notEqual(after.generation, before.generation);
    assert.ok(after.headOffset >= before.headOffset, "no offset is used twice");
    assert.deepEqual(await readLog(restarted.operations), texts);
    const [next] = await append(restarted, sampleOperations(1, "tablet"));
    assert.ok((next?.offset ?? 0) > before.headOffset, "no offset is used twice");
  },
};
