import assert from "node:assert/strict";
import { NOW, sampleSecret } from "../samples.ts";
import type { StoreCases } from "../store-case.ts";

const PURPOSE = "authorization-code";

export const SECRET_CASES: StoreCases = {
  "a consumed secret returns what it is bound to, and its first use": async ({ store }) => {
    const { bound, expiresAt } = sampleSecret("code");
    await store.transaction(({ identity }) => identity.addSecret(sampleSecret("code")));
    const consume = (now: number) =>
      store.transaction(({ identity }) => identity.consumeSecret("code", PURPOSE, now));
    assert.deepEqual(await consume(NOW + 1), { bound, expiresAt, usedBefore: null });
    assert.deepEqual(await consume(NOW + 5), { bound, expiresAt, usedBefore: NOW + 1 });
    assert.deepEqual(await consume(NOW + 9), { bound, expiresAt, usedBefore: NOW + 1 });
  },
  "secrets that were not used are removed, and used ones are remembered": ({ store }) =>
    store.transaction(async ({ identity }) => {
      for (const hash of ["used", "unused"]) await identity.addSecret(sampleSecret(hash));
      await identity.addSecret(sampleSecret("other", { purpose: "another" }));
      await identity.consumeSecret("used", PURPOSE, NOW);
      await identity.removeUnusedSecrets(PURPOSE);
      assert.equal(await identity.consumeSecret("unused", PURPOSE, NOW), null);
      assert.equal((await identity.consumeSecret("used", PURPOSE, NOW))?.usedBefore, NOW);
      assert.notEqual(await identity.consumeSecret("other", "another", NOW), null);
    }),
  "secrets that were not used are found and listed by purpose, and removed one by one": ({
    store,
  }) =>
    store.transaction(async ({ identity }) => {
      const [later, sooner, used, other] = [
        sampleSecret("later"),
        sampleSecret("sooner", { expiresAt: NOW + 1 }),
        sampleSecret("used"),
        sampleSecret("other", { purpose: "another" }),
      ];
      for (const secret of [later, sooner, used, other]) await identity.addSecret(secret);
      await identity.consumeSecret("used", PURPOSE, NOW);
      assert.deepEqual(await identity.listSecrets(PURPOSE), [sooner, later]);
      assert.deepEqual(await identity.findSecret("later", PURPOSE), later);
      for (const hash of ["used", "other", "missing"]) {
        assert.equal(await identity.findSecret(hash, PURPOSE), null, hash);
        assert.equal(await identity.removeSecret(hash, PURPOSE), false, hash);
      }
      assert.equal(await identity.removeSecret("later", PURPOSE), true);
      assert.equal(await identity.removeSecret("later", PURPOSE), false);
      assert.deepEqual(await identity.listSecrets(PURPOSE), [sooner]);
      assert.deepEqual(await identity.listSecrets("another"), [other]);
      assert.equal((await identity.consumeSecret("used", PURPOSE, NOW))?.usedBefore, NOW);
    }),
  "of parallel uses of a secret, one is the first": async ({ store }) => {
    await store.transaction(({ identity }) => identity.addSecret(sampleSecret("code")));
    const uses = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        store.transaction(({ identity }) => identity.consumeSecret("code", PURPOSE, NOW + index)),
      ),
    );
    const first = uses.findIndex((use) => use?.usedBefore === null);
    const before = uses.map((use) => use?.usedBefore);
    assert.deepEqual(
      before,
      uses.map((_, index) => (index === first ? null : NOW + first)),
    );
  },
  "of parallel additions of a used secret, one is the first": async ({ store }) => {
    const add = (now: number) =>
      store.transaction(({ identity }) => identity.addUsedSecret(sampleSecret("code"), now));
    const added = await Promise.all(Array.from({ length: 12 }, (_, index) => add(NOW + index)));
    const first = added.indexOf(true);
    assert.equal(added.filter(Boolean).length, 1);
    const use = await store.transaction(({ identity }) =>
      identity.consumeSecret("code", PURPOSE, NOW + 99),
    );
    assert.equal(use?.usedBefore, NOW + first);
  },
  "a secret is unknown under another hash or for another purpose": ({ store }) =>
    store.transaction(async ({ identity }) => {
      await identity.addSecret(sampleSecret("code"));
      assert.equal(await identity.consumeSecret("cod", PURPOSE, NOW), null);
      assert.equal(await identity.consumeSecret("code", "other", NOW), null);
      const use = await identity.consumeSecret("code", PURPOSE, NOW);
      assert.equal(use?.usedBefore, null);
    }),
  "an expired secret is still recognised": ({ store }) =>
    store.transaction(async ({ identity }) => {
      const secret = sampleSecret("code");
      await identity.addSecret(secret);
      const { bound, expiresAt } = secret;
      assert.deepEqual(await identity.consumeSecret("code", PURPOSE, expiresAt + 1), {
        bound,
        expiresAt,
        usedBefore: null,
      });
    }),
};
