import assert from "node:assert/strict";
import { NOW, sampleAccount } from "../samples.ts";
import type { StoreCases } from "../store-case.ts";

export const ACCOUNT_CASES: StoreCases = {
  "an account is found by its exact name only": ({ store }) =>
    store.transaction(async ({ identity }) => {
      const account = sampleAccount("Zoë 🌱", { createdAt: NOW - 5, passwordChangedAt: NOW - 3 });
      assert.equal(await identity.findAccount("Zoë 🌱"), null);
      assert.equal(await identity.addAccount(account), true);
      assert.deepEqual(await identity.findAccount("Zoë 🌱"), account);
      assert.deepEqual(await identity.listAccounts(), [account]);
      for (const other of ["zoë 🌱", "Zoë", "Zoe\u0308 🌱", "Zoë 🌱 ", "%", ""]) {
        assert.equal(await identity.findAccount(other), null, `"${other}" is another name`);
      }
    }),
  "of accounts that are added at the same time, one is stored": async ({ store }) => {
    const added = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        store.transaction(({ identity }) => identity.addAccount(sampleAccount(`anna${index}`))),
      ),
    );
    assert.equal(added.filter(Boolean).length, 1);
    await store.transaction(async ({ identity }) => {
      const [account, ...others] = await identity.listAccounts();
      assert.deepEqual(others, []);
      assert.equal(account?.username, `anna${added.indexOf(true)}`);
      assert.equal(await identity.addAccount(sampleAccount("ben")), false);
    });
  },
  "a refused account leaves its transaction usable": async ({ store }) => {
    const account = sampleAccount("anna");
    await store.transaction(({ identity }) => identity.addAccount(account));
    const found = await store.transaction(async ({ identity }) => {
      assert.equal(await identity.addAccount(sampleAccount("ben")), false);
      return identity.listAccounts();
    });
    assert.deepEqual(found, [account]);
  },
  "a replaced verifier keeps the account": ({ store }) =>
    store.transaction(async ({ identity }) => {
      const account = sampleAccount("anna");
      await identity.addAccount(account);
      await identity.replaceVerifier("another account", "b3RoZXI", NOW + 1);
      assert.deepEqual(await identity.listAccounts(), [account]);
      await identity.replaceVerifier(account.accountId, "bmV3", NOW + 9);
      const replaced = { ...account, sealedVerifier: "bmV3", passwordChangedAt: NOW + 9 };
      assert.deepEqual(await identity.findAccount("anna"), replaced);
    }),
  "an account without password has one after its verifier was replaced": ({ store }) =>
    store.transaction(async ({ identity }) => {
      const account = sampleAccount("anna", { hasPassword: false });
      await identity.addAccount(account);
      assert.deepEqual(await identity.findAccount("anna"), account);
      await identity.replaceVerifier(account.accountId, "bmV3", NOW + 9);
      assert.equal((await identity.findAccount("anna"))?.hasPassword, true);
      await identity.replaceVerifier(account.accountId, "bmV3", NOW + 9, false);
      assert.equal((await identity.findAccount("anna"))?.hasPassword, false);
    }),
};
