/** Opening an operation is most of what encryption costs, so nothing is opened twice. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { OperationSealer } from "../../../src/client/encryption/operation-sealer.ts";
import { createAccount, encryption, idOf, openDevice, type Account } from "./account.ts";

function countOpened({ key }: Account) {
  const sealer = encryption.createSealer([key]);
  const counts = { opened: 0, named: 0 };
  const counted: OperationSealer = {
    ...sealer,
    open(...operation) {
      counts.opened++;
      return sealer.open(...operation);
    },
    toNamed(operation) {
      counts.named++;
      return sealer.toNamed(operation);
    },
  };
  const form = encryption.createForm({ sealer: counted, listedIds: new Set([key.id]) });
  return { counts, form };
}

test("an operation is opened once when it comes, and an edit opens only what its entity has", async (t) => {
  const account = createAccount();
  const phone = await openDevice(t, account);
  for (const id of [1, 2, 3]) await idOf(phone.edit("create", `note/${id}`, { a: id, b: 0 }));
  await phone.sync();
  const { counts, form } = countOpened(account);
  const tablet = await openDevice(t, account, { form });
  await tablet.pull();
  assert.equal(tablet.payloadOf("note/3")?.["a"], 3);
  assert.deepEqual(counts, { opened: 3, named: 0 });
  await idOf(tablet.edit("patch", "note/1", { b: 1 }));
  assert.deepEqual(tablet.payloadOf("note/1"), { a: 1, b: 1 });
  assert.deepEqual(counts, { opened: 4, named: 1 });
  await idOf(tablet.edit("create", "note/4", { a: 4 }));
  await tablet.sync();
  assert.deepEqual(counts, { opened: 4, named: 2 });
});

test("what cannot be read is opened once", async (t) => {
  const account = createAccount();
  const phone = await openDevice(t, account);
  await idOf(phone.edit("create", "note/1", { a: 0 }));
  for (const a of [1, 2, 3]) {
    await phone.sync();
    await idOf(phone.edit("patch", "note/1", { a }));
  }
  await phone.push();
  const damaged = account.log.map((text, index) =>
    index === 0 ? text : text.replace(/"2\.[\w-]{22}\./, `"2.${"A".repeat(22)}.`),
  );
  const { counts, form } = countOpened(account);
  const tablet = await openDevice(t, account, { form });
  await tablet.pull(damaged);
  const reasons = () => tablet.unreadable().map(({ entityId, reason }) => [entityId, reason]);
  const unknown = ["note/1", "unknown-key"];
  assert.deepEqual(reasons(), [unknown, unknown, unknown]);
  assert.equal(counts.opened, 4);
  counts.opened = 0;
  await idOf(tablet.edit("patch", "note/1", { a: 4 }));
  assert.deepEqual([counts.opened, tablet.unreadable().length], [1, 3]);
});
