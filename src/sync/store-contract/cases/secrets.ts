/** Secrets that work once, such as authorization codes. */
import assert from "node:assert/strict";
import { NOW, sampleSecret } from "../samples.ts";
import type { StoreCase } from "../store-case.ts";

const PURPOSE = "authorization-code";

export const SECRET_CASES: readonly StoreCase[] = [
  {
    name: "a secret says what it stands for, and when it was used before",
    async prove({ store }) {
      const { bound, expiresAt } = sampleSecret("code");
      await store.transaction(({ identity }) => identity.addSecret(sampleSecret("code")));
      const burn = (now: number) =>
        store.transaction(({ identity }) => identity.consumeSecret("code", PURPOSE, now));
      assert.deepEqual(await burn(NOW + 1), { bound, expiresAt, usedBefore: null });
      assert.deepEqual(await burn(NOW + 5), { bound, expiresAt, usedBefore: NOW + 1 });
      assert.deepEqual(await burn(NOW + 9), { bound, expiresAt, usedBefore: NOW + 1 });
    },
  },
  {
    name: "of parallel uses of a secret one is the first",
    async prove({ store }) {
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
  },
  {
    name: "a secret is unknown under another hash or for another purpose",
    prove: ({ store }) =>
      store.transaction(async ({ identity }) => {
        await identity.addSecret(sampleSecret("code"));
        assert.equal(await identity.consumeSecret("cod", PURPOSE, NOW), null);
        assert.equal(await identity.consumeSecret("code", "other", NOW), null);
        const use = await identity.consumeSecret("code", PURPOSE, NOW);
        assert.equal(use?.usedBefore, null);
      }),
  },
  {
    name: "a secret that expired is still there to be recognised",
    prove: ({ store }) =>
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
  },
];
