/** A store that is put back to an earlier state, with everything beside it, and written to again. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { compactLog } from "../../../src/sync/maintenance/compact.ts";
import type { SqlSyncStore } from "../../../src/sync/sql/open-sql-store.ts";
import { createOperation } from "../../fixtures/sync-operation.ts";
import { copyTables, putTablesBack } from "../put-tables-back.ts";
import { pullFrom, pushTo } from "./device.ts";
import { testOnBothStores } from "./on-both-stores.ts";

/** A cursor that a device has, and the ids of all operations that it has seen by then. */
interface SeenHistory {
  readonly cursor: string;
  readonly ids: readonly string[];
}

const sizes = fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 5 });

testOnBothStores("every cursor of a lost history starts anew, and no other", async (place) => {
  const store = await place.open();
  let sequence = 0;

  async function push(log: string[], size: number): Promise<SeenHistory[]> {
    const operations = Array.from({ length: size }, () =>
      createOperation({ sequence: ++sequence, entityId: `note/${sequence}` }),
    );
    const { receipts } = await pushTo(store, operations);
    return receipts.map(({ cursor }, index) => {
      log.push(operations[index]?.operationId ?? "");
      return { cursor, ids: [...log] };
    });
  }

  await fc.assert(
    fc.asyncProperty(sizes, sizes, sizes, async (before, lost, after) => {
      const log = await readIds(store);
      const seen: SeenHistory[] = [
        { cursor: (await pullFrom(store, undefined, 500)).cursor, ids: [...log] },
      ];
      for (const size of before) seen.push(...(await push(log, size)));
      await copyTables(store.database);
      const lostLog = [...log];
      for (const size of lost) seen.push(...(await push(lostLog, size)));
      seen.push(...(await readPages(store, 2)));
      await putTablesBack(store.database);
      for (const size of after) seen.push(...(await push(log, size)));
      for (const { cursor, ids } of seen) {
        const page = await pullFrom(store, cursor, 500);
        const isPart = ids.every((id, index) => log[index] === id);
        assert.equal(page.requiresSnapshot, !isPart, page.recoveryReason);
        if (isPart) assert.deepEqual(idsOf(page.operations), log.slice(ids.length));
      }
    }),
    { numRuns: 15 },
  );
});

testOnBothStores("compaction before or after does not change what is noticed", async (place) => {
  const store = await place.open();
  const edit = (sequence: number) => createOperation({ sequence, entityId: "note/1" });
  await pushTo(store, [edit(1), edit(2), edit(3)]);
  await copyTables(store.database);
  const lost = await pushTo(store, [edit(4), edit(5), edit(6)]);
  await compactLog(store.database);
  for (const { cursor } of lost.receipts) {
    assert.equal((await pullFrom(store, cursor, 1)).recoveryReason, "none");
  }
  await putTablesBack(store.database);
  await pushTo(store, [edit(14), edit(15), edit(16), edit(17)]);
  await compactLog(store.database);
  for (const { cursor } of lost.receipts) {
    assert.equal((await pullFrom(store, cursor, 1)).recoveryReason, "generation_changed");
  }
});

testOnBothStores("a log from before there were marks counts as one commit", async (place) => {
  const store = await place.open();
  const edit = (sequence: number) => createOperation({ sequence, entityId: `note/${sequence}` });
  const { receipts } = await pushTo(store, [edit(1), edit(2), edit(3)]);
  await store.database.transaction((tx) => tx.script("DELETE FROM sync_marks;"));
  const [old = "", unmarked = ""] = receipts.map(({ cursor }) => cursor);
  await store.close();
  const migrated = await place.open();
  assert.equal((await pullFrom(migrated, old, 1)).recoveryReason, "generation_changed");
  const without = withoutMark(unmarked);
  assert.equal((await pullFrom(migrated, without, 1)).recoveryReason, "generation_changed");
  for (const { cursor } of await readPages(migrated, 1)) {
    assert.equal((await pullFrom(migrated, cursor, 1)).recoveryReason, "none");
  }
  const again = await pushTo(migrated, [edit(2), edit(4)]);
  for (const { cursor } of again.receipts) {
    assert.equal((await pullFrom(migrated, cursor, 1)).recoveryReason, "none");
  }
});

function withoutMark(cursor: string): string {
  const text = Buffer.from(cursor, "base64url").toString();
  return Buffer.from(text.replace(/,"mark":"[^"]*"/, "")).toString("base64url");
}

async function readPages(store: SqlSyncStore, limit: number): Promise<SeenHistory[]> {
  const pages: SeenHistory[] = [];
  const ids: string[] = [];
  for (let cursor: string | undefined; ;) {
    const page = await pullFrom(store, cursor, limit);
    ids.push(...idsOf(page.operations));
    pages.push({ cursor: page.cursor, ids: [...ids] });
    if (page.operations.length < limit) return pages;
    cursor = page.cursor;
  }
}

async function readIds(store: SqlSyncStore): Promise<string[]> {
  return [...((await readPages(store, 500)).at(-1)?.ids ?? [])];
}

function idsOf(operations: readonly unknown[]): string[] {
  return operations.map((operation) => (operation as { operationId: string }).operationId);
}
