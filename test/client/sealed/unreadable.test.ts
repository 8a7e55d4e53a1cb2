/** Operations that a device cannot read: they replace nothing, are listed, and are never sent on. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Operation } from "../../../src/contract/sync/operation.ts";
import { KEY_ENTITY_ID } from "../../../src/contract/sync/operation-limits.ts";
import { buildOperation } from "../../../src/rules/sync/operation.ts";
import type { UnreadableOperation } from "../../../src/client/index.ts";
import { createAccount, encryption, idOf, openDevice, type Account } from "./account.ts";

const OTHER = { deviceId: "other", sequence: 1 };

/** Two devices that have `note/1`; the tablet has written `{ a: 2 }`, which the phone lacks. */
async function openPair(t: Parameters<typeof openDevice>[0]) {
  const account = createAccount();
  const [phone, tablet] = [await openDevice(t, account), await openDevice(t, account)];
  await idOf(phone.edit("create", "note/1", { a: 1, b: 1 }));
  await phone.sync();
  await tablet.sync();
  await idOf(tablet.edit("patch", "note/1", { a: 2 }));
  await tablet.push();
  return { account, phone, tablet };
}

type Change = (operation: Operation, account: Account) => object;

function changeLast({ log, ...account }: Account, change: Change): string[] {
  const operation = JSON.parse(log.at(-1) ?? "") as Operation;
  const changed = { ...operation, ...change(operation, { log, ...account }) };
  return [...log.slice(0, -1), JSON.stringify(changed)];
}

/** Changes the only value of the payload. */
const changeValue =
  (change: (value: string) => unknown): Change =>
  ({ document }) => {
    const payload = Object.entries(document.payload ?? {}).map(
      ([name, value]) => [name, change(String(value))] as const,
    );
    return { document: { ...document, payload: Object.fromEntries(payload) } };
  };

const flip = (value: string) =>
  `${value.slice(0, -6)}${value.at(-6) === "A" ? "B" : "A"}${value.slice(-5)}`;

const clear = (kind: "create" | "delete", entityId: string): Change => {
  return ({ revision }) => buildOperation({ kind, revision, entityId, payload: { a: 9 } });
};

const CASES: readonly (readonly [string, Change, UnreadableOperation])[] = [
  ["damaged value", changeValue(flip), { entityId: "note/1", field: "a", reason: "damaged" }],
  [
    "value of an unknown key",
    changeValue((value) => value.replace(/^1\.[^.]{8}/, "1.AAAAAAAA")),
    { entityId: "note/1", field: "a", reason: "unknown-key" },
  ],
  [
    "value in the clear",
    changeValue(() => "9"),
    { entityId: "note/1", field: "a", reason: "not-sealed" },
  ],
  [
    "clear entity",
    (operation, account) => clear("create", "note/1")(operation, account),
    { entityId: "note/1", reason: "not-sealed" },
  ],
  [
    "forged deletion",
    (operation, { sealer }) =>
      buildOperation({ ...operation, kind: "delete", entityId: sealer.sealedId("note/1") }),
    { entityId: "note/1", reason: "lifecycle" },
  ],
  [
    "patch that was made a revival",
    ({ document, changedFields }) => ({ kind: "restore", document, changedFields }),
    { entityId: "note/1", reason: "lifecycle" },
  ],
];

for (const [what, change, listed] of CASES) {
  test(`a ${what} replaces nothing, is listed and never pushed, and the good one replaces it`, async (t) => {
    const { account, phone } = await openPair(t);
    const bad = changeLast(account, change);
    await phone.pull(bad);
    assert.deepEqual(phone.shown(), { "note/1": { a: 1, b: 1 } });
    assert.deepEqual(phone.unreadable(), [listed]);
    // It comes again in a recovery, in which nothing is to be pushed.
    assert.equal(await phone.recover(bad), 0);
    assert.deepEqual(phone.unreadable(), [listed]);
    const restarted = await openDevice(t, account, { storage: phone.storage });
    assert.deepEqual(restarted.shown(), { "note/1": { a: 1, b: 1 } });
    assert.deepEqual(restarted.unreadable(), [listed]);
    await idOf(restarted.edit("patch", "note/1", { b: 3 }));
    assert.equal((await restarted.push()).length, 1);
    await restarted.recover();
    assert.deepEqual(restarted.shown(), { "note/1": { a: 2, b: 3 } });
    assert.equal(restarted.store.facts().pending, 0);
    assert.deepEqual(restarted.unreadable(), []);
  });
}

test("a server that lacks what could not be read is not sent it, and the list forgets it", async (t) => {
  const { account, phone } = await openPair(t);
  await phone.pull(changeLast(account, changeValue(flip)));
  assert.equal(phone.unreadable().length, 1);
  assert.equal(await phone.recover(account.log.slice(0, -1)), 0);
  assert.deepEqual(phone.unreadable(), []);
  assert.deepEqual(await phone.push(), []);
});

test("a damaged copy of what a device has leaves its own in place, and counts as received", async (t) => {
  const account = createAccount();
  const phone = await openDevice(t, account);
  await idOf(phone.edit("create", "note/1", { a: 1 }));
  await phone.push();
  const bad = changeLast(account, changeValue(flip));
  await phone.pull(bad);
  assert.deepEqual(phone.shown(), { "note/1": { a: 1 } });
  assert.deepEqual([phone.unreadable(), phone.quarantine.list()], [[], []]);
  assert.equal(await phone.recover(bad), 0);
  // A server that has none at all gets the good one again.
  assert.equal(await phone.recover([]), 1);
  account.log.splice(0);
  await phone.push();
  const tablet = await openDevice(t, account);
  await tablet.pull();
  assert.deepEqual(tablet.shown(), { "note/1": { a: 1 } });
});

test("a value that does not open never replaces a queued edit of the same field", async (t) => {
  const { account, phone } = await openPair(t);
  const far = changeLast(account, ({ document }) => {
    const revision = { ...OTHER, sequence: 99 };
    return { operationId: "operation/other/99", revision, document };
  });
  await idOf(phone.edit("patch", "note/1", { a: 7 }));
  await phone.pull(far);
  assert.deepEqual(phone.payloadOf("note/1"), { a: 7, b: 1 });
  // The device counts on from what it saw, so that a key that opens it later merges it in its place.
  const next = await idOf(phone.edit("patch", "note/1", { a: 8 }));
  assert.ok(next.endsWith("/100"), next);
  assert.equal((await phone.push()).length, 2);
});

test("what an unknown key sealed is shown when the device gets that key", async (t) => {
  const { account, phone, tablet } = await openPair(t);
  const keys = encryption.rotateAccountKeys(account.keys, encryption.createDataKey());
  const rotated = encryption.createSealer(keys);
  await tablet.store.unlock(rotated);
  await idOf(tablet.edit("patch", "note/1", { b: 5 }));
  await idOf(tablet.edit("create", "note/2", { c: 6 }));
  await tablet.push();
  await phone.pull();
  assert.deepEqual(phone.shown(), { "note/1": { a: 2, b: 1 } });
  assert.deepEqual(
    phone
      .unreadable()
      .map(({ reason }) => reason)
      .sort(),
    ["lifecycle", "unknown-key"],
  );
  await phone.store.unlock(rotated);
  assert.deepEqual(phone.shown(), { "note/1": { a: 2, b: 5 }, "note/2": { c: 6 } });
  assert.deepEqual(phone.unreadable(), []);
  // It is a full member of the records now: a server that lost it gets it back.
  assert.equal(await phone.recover(account.log.slice(0, 2)), 2);
});

test("the key entity is kept whole, never shown, and its deletion is not believed", async (t) => {
  const account = createAccount();
  const { keys, log } = account;
  const phone = await openDevice(t, account);
  const create = encryption.createKeyEntity(keys, OTHER);
  const { document, ...operation } = JSON.parse(create) as Operation;
  const later = { deviceId: "other", sequence: 2 };
  // A server invents later values of the same fields.
  const forged = {
    ...operation,
    kind: "restore",
    revision: later,
    operationId: "operation/other/2",
  };
  log.push(create, JSON.stringify({ ...forged, document }));
  const deletion = { deviceId: "other", sequence: 3 };
  log.push(
    JSON.stringify(buildOperation({ kind: "delete", revision: deletion, entityId: KEY_ENTITY_ID })),
  );
  await phone.pull();
  assert.deepEqual([phone.shown(), await phone.deleted()], [{}, []]);
  assert.deepEqual(phone.unreadable(), [{ reason: "lifecycle" }]);
  const stored = await phone.store.write((transaction) => transaction.readStored(KEY_ENTITY_ID));
  const result = encryption.readKeyEntity(
    stored.map((one) => one.operation),
    keys.dataKey,
  );
  assert.ok(stored.some((one) => one.operation.text === create));
  assert.notEqual(result.kind, "missing");
  // A server that lost it gets the create back, and not the deletion.
  await phone.recover([]);
  const pushed = await phone.push();
  assert.ok(pushed.includes(create));
  assert.ok(pushed.every((text) => !text.includes('"delete"')));
});
