/** Opening an operation is most of what encryption costs, so nothing is opened twice. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Sealer } from "../../../src/client/sync/encryption.ts";
import { createAccount, idOf, openDevice } from "./account.ts";

function countOpened(sealer: Sealer) {
  const counts = { opened: 0 };
  const open: Sealer["open"] = (operation) => {
    counts.opened++;
    return sealer.open(operation);
  };
  return { counts, sealer: { ...sealer, open } };
}

test("an operation is opened once when it comes, and an edit opens only what its entity has", async (t) => {
  const account = createAccount();
  const phone = await openDevice(t, account);
  for (const id of [1, 2, 3]) await idOf(phone.edit("create", `note/${id}`, { a: id, b: 0 }));
  await phone.sync();
  const { counts, sealer } = countOpened(account.sealer);
  const tablet = await openDevice(t, account, { sealer });
  await tablet.pull();
  assert.equal(tablet.payloadOf("note/3")?.["a"], 3);
  assert.equal(counts.opened, 3);
  await idOf(tablet.edit("patch", "note/1", { b: 1 }));
  assert.deepEqual(tablet.payloadOf("note/1"), { a: 1, b: 1 });
  assert.equal(counts.opened, 4);
  await idOf(tablet.edit("create", "note/4", { a: 4 }));
  await tablet.sync();
  assert.equal(counts.opened, 4);
});
