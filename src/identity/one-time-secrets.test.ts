import assert from "node:assert/strict";
import { testOnBothStores } from "../../test/identity/on-both-stores.ts";
import type { Queryable } from "../database/database.ts";
import { randomBytes } from "../rules/web-crypto.ts";
import { consumeSecret, issueSecret, type SecretKind } from "./one-time-secrets.ts";
import { createSqlIdentityRecords, pruneSqlIdentity } from "./sql-identity-records.ts";

const NOW = Date.UTC(2026, 7, 21);
const CODE: SecretKind = {
  purpose: "authorization-code",
  lifetimeMs: 60_000,
  rememberMs: 3_600_000,
};

const inSync = (store: Queryable) => createSqlIdentityRecords(store, "sync");

testOnBothStores("a secret works once and returns the data bound to it", async ({ open }) => {
  const store = await open();
  const secret = await issueSecret(inSync(store), CODE, '{"device":"phone"}', NOW, randomBytes);
  assert.match(secret, /^[A-Za-z0-9_-]{43}$/);
  const bound = '{"device":"phone"}';
  assert.deepEqual(await consumeSecret(inSync(store), CODE, secret, NOW), {
    kind: "consumed",
    bound,
  });
  assert.deepEqual(await consumeSecret(inSync(store), CODE, secret, NOW + 2000), {
    kind: "reused",
    bound,
    parallel: true,
  });
  assert.deepEqual(await consumeSecret(inSync(store), CODE, secret, NOW + 2001), {
    kind: "reused",
    bound,
    parallel: false,
  });
});

testOnBothStores("the store holds no secret, only its hash", async ({ open }) => {
  const store = await open();
  const secret = await issueSecret(inSync(store), CODE, "bound", NOW, randomBytes);
  const rows = await store.query("SELECT * FROM identity_secrets");
  assert.equal(rows.length, 1);
  assert.ok(!JSON.stringify(rows).includes(secret));
});

testOnBothStores(
  "of 20 parallel uses exactly one succeeds, through two connections",
  async ({ open }) => {
    const stores = [await open(), await open()];
    const secret = await issueSecret(inSync(stores[0]!), CODE, "bound", NOW, randomBytes);
    const uses = Array.from({ length: 20 }, (_, index) =>
      stores[index % 2]!.transaction((tx) => consumeSecret(inSync(tx), CODE, secret, NOW)),
    );
    const kinds = (await Promise.all(uses)).map((result) =>
      result.kind === "reused" ? `reused ${result.parallel}` : result.kind,
    );
    assert.deepEqual(kinds.sort(), [
      "consumed",
      ...Array.from({ length: 19 }, () => "reused true"),
    ]);
  },
);

testOnBothStores(
  "of parallel uses outside of any transaction exactly one succeeds too",
  async ({ open }) => {
    const store = await open();
    const secret = await issueSecret(inSync(store), CODE, "bound", NOW, randomBytes);
    const uses = Array.from({ length: 20 }, () => consumeSecret(inSync(store), CODE, secret, NOW));
    const kinds = (await Promise.all(uses)).map(({ kind }) => kind);
    assert.equal(kinds.filter((kind) => kind === "consumed").length, 1);
  },
);

testOnBothStores(
  "a secret ends with its lifetime, and a late use consumes it",
  async ({ open }) => {
    const store = await open();
    const secret = await issueSecret(inSync(store), CODE, "bound", NOW, randomBytes);
    const late = NOW + CODE.lifetimeMs;
    assert.equal((await consumeSecret(inSync(store), CODE, secret, late)).kind, "expired");
    assert.equal((await consumeSecret(inSync(store), CODE, secret, NOW)).kind, "reused");
  },
);

testOnBothStores(
  "a secret is unknown to another realm and for another purpose",
  async ({ open }) => {
    const store = await open();
    const secret = await issueSecret(inSync(store), CODE, "bound", NOW, randomBytes);
    const events = createSqlIdentityRecords(store, "events");
    assert.equal((await consumeSecret(events, CODE, secret, NOW)).kind, "unknown");
    const other = { ...CODE, purpose: "other" };
    assert.equal((await consumeSecret(inSync(store), other, secret, NOW)).kind, "unknown");
    for (const guess of ["", "\u0000", "x".repeat(10_000), `${secret}=`]) {
      assert.equal((await consumeSecret(inSync(store), CODE, guess, NOW)).kind, "unknown");
    }
    assert.equal((await consumeSecret(inSync(store), CODE, secret, NOW)).kind, "consumed");
  },
);

testOnBothStores("reuse is recognised after a restart, until it is forgotten", async ({ open }) => {
  const before = await open();
  const secret = await issueSecret(inSync(before), CODE, "bound", NOW, randomBytes);
  await consumeSecret(inSync(before), CODE, secret, NOW);
  const store = await open();
  const end = NOW + CODE.lifetimeMs + CODE.rememberMs;
  await pruneSqlIdentity(store, end - 1);
  assert.equal((await consumeSecret(inSync(store), CODE, secret, end - 1)).kind, "reused");
  await pruneSqlIdentity(store, end);
  assert.equal((await consumeSecret(inSync(store), CODE, secret, end)).kind, "unknown");
});

testOnBothStores(
  "a transaction that fails after the secret was consumed leaves it unused",
  async ({ open }) => {
    const store = await open();
    const secret = await issueSecret(inSync(store), CODE, "bound", NOW, randomBytes);
    await assert.rejects(
      store.transaction(async (tx) => {
        await consumeSecret(inSync(tx), CODE, secret, NOW);
        throw new Error("The disk is full");
      }),
      /The disk is full/,
    );
    assert.equal((await consumeSecret(inSync(store), CODE, secret, NOW)).kind, "consumed");
  },
);
