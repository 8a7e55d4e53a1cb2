import assert from "node:assert/strict";
import { test } from "node:test";
import { MAX_CONFLICTS, retryConflicts } from "./conflicts.ts";
import { StorageUnavailableError, TransactionConflictError } from "./database.ts";

test("a read that met a conflict runs again, so often and no oftener", async () => {
  let left = MAX_CONFLICTS;
  const conflicted = async () => {
    if (left-- > 0) throw new TransactionConflictError();
    return "read";
  };
  assert.equal(await retryConflicts(conflicted), "read");
  left = MAX_CONFLICTS + 1;
  await assert.rejects(retryConflicts(conflicted), StorageUnavailableError);
  assert.equal(left, 0);
});

test("what failed otherwise runs once", async () => {
  let runs = 0;
  const failing = async () => {
    runs++;
    throw new StorageUnavailableError("it is away");
  };
  await assert.rejects(retryConflicts(failing), /it is away/);
  assert.equal(runs, 1);
});
