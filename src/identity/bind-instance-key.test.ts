import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { createTestVerifier } from "../../test/fixtures/password-keys.ts";
import { testOnBothStores } from "../../test/identity/on-both-stores.ts";
import type { Database } from "../database/database.ts";
import { createAccounts } from "./accounts.ts";
import {
  belongsToAnotherKey,
  bindInstanceKey,
  InstanceKeyError,
  listLockedAccounts,
  readBoundKey,
  unbindInstanceKey,
  type KeyAdoption,
} from "./bind-instance-key.ts";
import { openInstanceKey, type InstanceKey } from "./instance-key.ts";
import { createSqlIdentityRecords } from "./sql-identity-records.ts";

const REALM = "events";

function createFiles(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), "trellis-key-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const at = (name: string) => ({ realm: REALM, place: join(folder, name) });
  return { at, own: at("own.key"), other: at("other.key") };
}

async function addAccount(database: Database, instanceKey: InstanceKey, username = "anna") {
  const accounts = createAccounts({ realm: REALM, instanceKey });
  const verifier = await createTestVerifier("correct horse battery");
  await database.transaction((tx) =>
    accounts.create(createSqlIdentityRecords(tx, REALM), username, verifier, 0),
  );
}

const unbind = (database: Database) => database.transaction((tx) => unbindInstanceKey(tx, REALM));

const isSameKey = (a: InstanceKey, b: InstanceKey) =>
  Buffer.from(a.derive("test")).equals(b.derive("test"));

testOnBothStores("a new store takes the key of the file, which is made", async ({ open }, t) => {
  const { own } = createFiles(t);
  const stores = [await open(), await open()];
  // Two processes that start together bind the key at once.
  const [first, second] = await Promise.all(stores.map((store) => bindInstanceKey(store, own)));
  assert.ok(isSameKey(first!, second!));
  assert.ok(isSameKey(openInstanceKey(own.place), first!));
  assert.equal(await belongsToAnotherKey(stores[0]!, own), false);
  const rows = await stores[0]!.query<{ check_value: string }>(
    "SELECT check_value FROM identity_instance_keys",
  );
  assert.equal(rows.length, 1);
});

testOnBothStores("a reader makes no key and binds the store to none", async ({ open }, t) => {
  const { at, own, other } = createFiles(t);
  const store = await open();
  await readBoundKey(store, own);
  assert.equal(existsSync(own.place), false);
  openInstanceKey(other.place);
  await readBoundKey(store, other);
  const key = await bindInstanceKey(store, own);
  assert.ok(isSameKey(await readBoundKey(store, own), key));
  for (const location of [other, at("lost.key")]) {
    await assert.rejects(readBoundKey(store, location), InstanceKeyError);
  }
  assert.equal(existsSync(at("lost.key").place), false);
});

testOnBothStores("a lost or foreign key is refused, and nothing is made", async ({ open }, t) => {
  const { at, own, other } = createFiles(t);
  const store = await open();
  const key = await bindInstanceKey(store, own);
  openInstanceKey(other.place);
  const refuse = async (location: typeof own, message: RegExp) => {
    for (const adoption of ["new-store", "unbound-store"] satisfies KeyAdoption[]) {
      await assert.rejects(bindInstanceKey(store, location, adoption), (error) => {
        assert.ok(error instanceof InstanceKeyError);
        assert.match(error.message, message);
        assert.ok(error.message.includes(location.place));
        return true;
      });
    }
    assert.equal(await belongsToAnotherKey(store, location), true);
  };
  await refuse(other, /is not the one.*account create --new-instance-key/);
  await refuse(at("lost.key"), /There is no instance key.*account create --new-instance-key/);
  await addAccount(store, key);
  await refuse(other, /account password --new-instance-key/);
  assert.equal(existsSync(at("lost.key").place), false);
  assert.ok(isSameKey(await bindInstanceKey(store, own), key));
});

testOnBothStores("a store that gives up its key belongs to the new one", async ({ open }, t) => {
  const { at, own } = createFiles(t);
  const store = await open();
  await bindInstanceKey(store, own);
  const adopted = await bindInstanceKey(store, at("new.key"), "any-store");
  assert.ok(isSameKey(await bindInstanceKey(store, at("new.key")), adopted));
  await assert.rejects(bindInstanceKey(store, own), InstanceKeyError);
});

testOnBothStores("a store from before is judged by its accounts", async ({ open }, t) => {
  const { at, own, other } = createFiles(t);
  const store = await open();
  const key = await bindInstanceKey(store, own);
  await addAccount(store, key);
  await addAccount(store, openInstanceKey(other.place), "ben");
  await unbind(store);
  assert.equal(await belongsToAnotherKey(store, other), false);
  await assert.rejects(bindInstanceKey(store, at("lost.key")), /There is no instance key/);
  writeFileSync(at("wrong.key").place, randomBytes(32), { mode: 0o600 });
  await assert.rejects(bindInstanceKey(store, at("wrong.key")), /is not the one/);
  assert.deepEqual(await listLockedAccounts(store, own), ["ben"]);
  const all = await listLockedAccounts(store, at("lost.key"));
  assert.deepEqual(all.sort(), ["anna", "ben"]);
  // One account was given a new password under another key.
  assert.ok(isSameKey(await bindInstanceKey(store, own), key));
  await assert.rejects(bindInstanceKey(store, other), InstanceKeyError);
  await unbind(store);
  await bindInstanceKey(store, at("wrong.key"), "unbound-store");
  await assert.rejects(bindInstanceKey(store, own), InstanceKeyError);
});

testOnBothStores("realms in one database have keys of their own", async ({ open }, t) => {
  const { own, other } = createFiles(t);
  const store = await open();
  await bindInstanceKey(store, own);
  await bindInstanceKey(store, { ...other, realm: "sync" });
  await bindInstanceKey(store, own);
  const rows = await store.query<{ check_value: string }>(
    "SELECT check_value FROM identity_instance_keys",
  );
  await bindInstanceKey(store, { ...own, realm: "third" });
  assert.equal(new Set(rows.map((row) => row.check_value)).size, 2);
});
