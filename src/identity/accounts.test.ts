import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { countCalls } from "../../test/fixtures/count-calls.ts";
import { testOnBothStores } from "../../test/identity/on-both-stores.ts";
import type { Queryable } from "../database/database.ts";
import type { PasswordVerifier } from "../rules/identity/scram.ts";
import { createAccounts, type Accounts } from "./accounts.ts";
import { createInstanceKey } from "./instance-key.ts";
import { createSqlIdentityRecords } from "./sql-identity-records.ts";

const instanceKey = createInstanceKey(randomBytes(32));
const NOW = Date.UTC(2026, 7, 21);
const ITERATIONS = 1000;
const settings = { realm: "sync", instanceKey, iterations: ITERATIONS };
const accounts = createAccounts(settings);
const inSync = (store: Queryable) => createSqlIdentityRecords(store, "sync");
const inEvents = (store: Queryable) => createSqlIdentityRecords(store, "events");

async function derive(password = "correct horse battery", by: Accounts = accounts) {
  const result = await by.deriveVerifier(password);
  assert.ok(result.kind === "derived");
  return result.verifier;
}

testOnBothStores("an account is found by either spelling of its name, sealed", async ({ open }) => {
  const store = await open();
  const verifier = await derive();
  const created = await accounts.create(inSync(store), "Zoe\u0308", verifier, NOW);
  assert.ok(created.kind === "created");
  const { accountId } = created.account;
  const times = { createdAt: NOW, passwordChangedAt: NOW };
  const account = { accountId, username: "Zo\u00eb", ...times, hasPassword: true };
  assert.deepEqual(created.account, account);
  assert.deepEqual(await accounts.list(inSync(store)), [account]);
  for (const name of ["Zoe\u0308", "Zo\u00eb"]) {
    assert.deepEqual(await accounts.findCredentials(inSync(store), name), { accountId, verifier });
  }
  const [row] = await store.query<{ sealed_verifier: string }>("SELECT * FROM identity_accounts");
  const sealed = Buffer.from(row!.sealed_verifier, "base64url");
  for (const part of [verifier.salt, verifier.storedKey, verifier.serverKey]) {
    assert.equal(sealed.indexOf(part), -1);
    assert.equal(sealed.indexOf(Buffer.from(part).toString("base64url")), -1);
  }
});

testOnBothStores(
  "sync has one account, also when several are created at once",
  async ({ open }) => {
    const stores = [await open(), await open()];
    const verifier = await derive();
    const results = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        accounts.create(inSync(stores[index % 2]!), `anna${index}`, verifier, NOW),
      ),
    );
    assert.equal(results.filter(({ kind }) => kind === "created").length, 1);
    assert.equal(results.filter(({ kind }) => kind === "account-exists").length, 9);
    assert.equal((await accounts.list(inSync(stores[0]!))).length, 1);
  },
);

testOnBothStores("the store itself refuses a second account for sync", async ({ open }) => {
  const store = await open();
  await accounts.create(inSync(store), "anna", await derive(), NOW);
  await assert.rejects(
    store.query(
      `INSERT INTO identity_accounts
         (instance, account_id, realm, username, sealed_verifier, created_at, password_changed_at)
       VALUES ($instance, 'x', 'sync', 'ben', '', 0, 0)`,
    ),
    { name: "ConstraintError" },
  );
});

testOnBothStores("another realm has accounts of its own, each name once", async ({ open }) => {
  const store = await open();
  const events = createAccounts({ ...settings, realm: "events" });
  const verifier = await derive();
  await accounts.create(inSync(store), "anna", verifier, NOW);
  assert.equal((await events.create(inEvents(store), "anna", verifier, NOW)).kind, "created");
  assert.equal((await events.create(inEvents(store), "ben", verifier, NOW + 1)).kind, "created");
  assert.equal((await events.create(inEvents(store), "ben", verifier, NOW)).kind, "account-exists");
  const names = (await events.list(inEvents(store))).map(({ username }) => username);
  assert.deepEqual(names, ["anna", "ben"]);
  assert.equal((await accounts.list(inSync(store))).length, 1);
});

testOnBothStores("a new password replaces the old one and keeps the account", async ({ open }) => {
  const store = await open();
  const created = await accounts.create(inSync(store), "anna", await derive(), NOW);
  assert.ok(created.kind === "created");
  const verifier = await derive("another long password");
  const replaced = await accounts.replaceVerifier(inSync(store), "anna", verifier, NOW + 5);
  assert.deepEqual(replaced, { ...created.account, passwordChangedAt: NOW + 5 });
  assert.deepEqual((await accounts.findCredentials(inSync(store), "anna")).verifier, verifier);
  assert.equal(await accounts.replaceVerifier(inSync(store), "ben", verifier, NOW), null);
});

testOnBothStores("an invalid user name creates no account", async ({ open }) => {
  const store = await open();
  for (const name of ["", "a\nb", "\ud800", "x".repeat(129)]) {
    const result = await accounts.create(inSync(store), name, await derive(), NOW);
    assert.equal(result.kind, "invalid-username");
  }
});

test("a password that is too short, too long or no text is refused before it is derived", async () => {
  const refuse = (password: string) => accounts.deriveVerifier(password);
  assert.deepEqual(await refuse("a".repeat(11)), { kind: "refused", error: "too-short" });
  assert.deepEqual(await refuse("a".repeat(1025)), { kind: "refused", error: "too-long" });
  assert.deepEqual(await refuse(`\udc00${"a".repeat(12)}`), { kind: "refused", error: "not-text" });
});

testOnBothStores("a verifier moved to another account or key is not opened", async ({ open }) => {
  const store = await open();
  const events = createAccounts({ ...settings, realm: "events" });
  for (const name of ["anna", "ben"])
    await events.create(inEvents(store), name, await derive(), NOW);
  const other = createAccounts({
    ...settings,
    realm: "events",
    instanceKey: createInstanceKey(randomBytes(32)),
  });
  const isDecoy = async (from: Accounts, name: string) => {
    const { accountId, verifier } = await from.findCredentials(inEvents(store), name);
    assert.equal(accountId, null);
    assert.equal(verifier.salt.length, 16);
    const record = await inEvents(store).findAccount(name);
    assert.equal(record && from.sealForName(record, name), null);
  };
  await isDecoy(other, "anna");
  await store.query(
    `UPDATE identity_accounts SET sealed_verifier =
       (SELECT sealed_verifier FROM identity_accounts WHERE username = 'ben')
     WHERE username = 'anna'`,
  );
  await isDecoy(events, "anna");
  await store.query("UPDATE identity_accounts SET username = 'carl' WHERE username = 'ben'");
  await isDecoy(events, "carl");
});

testOnBothStores("a decoy looks like an account and never changes", async ({ open }) => {
  const store = await open();
  await accounts.create(inSync(store), "anna", await derive(), NOW);
  const real = await accounts.findCredentials(inSync(store), "anna");
  const decoy = await accounts.findCredentials(inSync(store), "nobody");
  assert.equal(decoy.accountId, null);
  assert.deepEqual(shape(decoy.verifier), shape(real.verifier));
  const afterRestart = createAccounts({ ...settings });
  assert.deepEqual(await afterRestart.findCredentials(inSync(await open()), "nobody"), decoy);
  const spelled = await accounts.findCredentials(inSync(store), "Zoe\u0308");
  assert.deepEqual(await accounts.findCredentials(inSync(store), "Zo\u00eb"), spelled);
});

testOnBothStores(
  "an account without password looks like any other, until it has one",
  async ({ open }) => {
    const records = inSync(await open());
    const created = await accounts.createWithoutPassword(records, "of-anna", "anna", NOW);
    assert.ok(created.kind === "created");
    assert.deepEqual([created.account.accountId, created.account.hasPassword], ["of-anna", false]);
    const found = await accounts.findCredentials(records, "anna");
    const decoy = await accounts.findCredentials(records, "nobody");
    assert.equal(found.accountId, "of-anna");
    assert.deepEqual(shape(found.verifier), shape(decoy.verifier));
    assert.deepEqual(await accounts.findCredentials(records, "anna"), found, "its salt stays");
    const replaced = await accounts.replaceVerifier(records, "anna", await derive(), NOW + 5);
    assert.equal(replaced?.hasPassword, true);
    assert.equal((await accounts.list(records))[0]?.hasPassword, true);
  },
);

testOnBothStores("every name, realm and instance has its own decoy", async ({ open }) => {
  const store = await open();
  const others = [
    createAccounts({ ...settings, realm: "events" }),
    createAccounts({ ...settings, instanceKey: createInstanceKey(randomBytes(32)) }),
  ];
  const decoys = await Promise.all([
    ...Array.from({ length: 50 }, (_, index) =>
      accounts.findCredentials(inSync(store), `name${index}`),
    ),
    ...others.map((other) => other.findCredentials(inSync(store), "name0")),
  ]);
  for (const part of ["salt", "storedKey", "serverKey"] as const) {
    const values = decoys.map(({ verifier }) => Buffer.from(verifier[part]).toString("hex"));
    assert.equal(new Set(values).size, decoys.length);
  }
});

testOnBothStores("a decoy costs as much cryptography as an account", async ({ open }) => {
  const store = await open();
  await accounts.create(inSync(store), "anna", await derive(), NOW);
  const count = (username: string) =>
    countCalls(["identity/accounts.ts", "identity/seal.ts"], () =>
      accounts.findCredentials(inSync(store), username),
    );
  const known = await count("anna");
  assert.deepEqual(await count("nora"), known);
  assert.deepEqual(
    [known["identity/seal.ts open"], known["identity/accounts.ts hmac"]],
    [1, 3],
    "an account costs a decryption and the three HMACs of a decoy",
  );
});

function shape({ salt, storedKey, serverKey, iterations }: PasswordVerifier) {
  const lengths = [salt, storedKey, serverKey].map(({ length }) => length);
  return { lengths, iterations };
}
