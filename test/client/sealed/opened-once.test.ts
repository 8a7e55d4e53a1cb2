/** Opening an operation is most of what encryption costs, so nothing is opened twice. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Sealer } from "../../../src/client/sync/encryption.ts";
import { createAccount, idOf, openDevice } from "./account.ts";

function countOpened(sealer: Sealer) {
  const counts = { opened: 0, named: 0 };
  const open: Sealer["open"] = (operation) => {
    counts.opened++;
    return sealer.open(operation);
  };
  const sealedName: Sealer["sealedName"] = (...words) => {
    counts.named++;
    return sealer.sealedName(...words);
  };
  return { counts, sealer: { ...sealer, open, sealedName } };
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

test("what cannot be read is opened once, and its fields are named once for all of it", async (t) => {
  const account = createAccount();
  const phone = await openDevice(t, account);
  await idOf(phone.edit("create", "note/1", { a: 0 }));
  for (const a of [1, 2, 3]) {
    await phone.sync();
    await idOf(phone.edit("patch", "note/1", { a }));
  }
  await phone.push();
  const damaged = account.log.map((text, index) =>
    index === 0 ? text : text.replace(/"1\.[\w-]{8}\./, '"1.AAAAAAAA.'),
  );
  const { counts, sealer } = countOpened(account.sealer);
  const tablet = await openDevice(t, account, { sealer });
  await tablet.pull(damaged);
  assert.deepEqual(
    tablet.unreadable(),
    damaged.slice(1).map(() => ({ entityId: "note/1", field: "a", reason: "unknown-key" })),
  );
  assert.deepEqual(counts, { opened: 4, named: 1 });
  counts.opened = 0;
  await idOf(tablet.edit("patch", "note/1", { a: 4 }));
  assert.deepEqual([counts.opened, tablet.unreadable().length], [1, 3]);
});
