/** Challenges and failures of sign-ins. */
import assert from "node:assert/strict";
import { NOW, sampleChallenge } from "../samples.ts";
import type { StoreCase } from "../store-case.ts";

const PLENTY = 1000;

export const CHALLENGE_CASES: readonly StoreCase[] = [
  {
    name: "a challenge is taken unchanged, and once",
    async run({ store }) {
      const challenge = sampleChallenge("one");
      await store.transaction(({ identity }) => identity.addChallenge(challenge, PLENTY));
      await store.transaction(async ({ identity }) => {
        assert.equal(await identity.takeChallenge("another"), null);
        assert.deepEqual(await identity.takeChallenge("one"), challenge);
        assert.equal(await identity.takeChallenge("one"), null);
      });
      assert.equal(await store.transaction(({ identity }) => identity.takeChallenge("one")), null);
    },
  },
  {
    name: "of parallel attempts to take a challenge, one succeeds",
    async run({ store }) {
      await store.transaction(({ identity }) =>
        identity.addChallenge(sampleChallenge("one"), PLENTY),
      );
      const taken = await Promise.all(
        Array.from({ length: 12 }, () =>
          store.transaction(({ identity }) => identity.takeChallenge("one")),
        ),
      );
      assert.equal(taken.filter((challenge) => challenge !== null).length, 1);
    },
  },
  {
    name: "of too many challenges, the newest stay",
    async run({ store }) {
      for (let index = 0; index < 6; index++) {
        const challenge = sampleChallenge(`made-${index}`, { createdAt: NOW + index });
        await store.transaction(({ identity }) => identity.addChallenge(challenge, 4));
      }
      const taken = await store.transaction(async ({ identity }) => {
        const found: boolean[] = [];
        for (let index = 0; index < 6; index++) {
          found.push((await identity.takeChallenge(`made-${index}`)) !== null);
        }
        return found;
      });
      assert.deepEqual(taken, [false, false, true, true, true, true]);
    },
  },
  {
    name: "a challenge that was just added stays, even among others of the same millisecond",
    async run({ store }) {
      for (const id of ["b", "a", "d", "c"]) {
        await store.transaction(({ identity }) => identity.addChallenge(sampleChallenge(id), 2));
      }
      await store.transaction(async ({ identity }) => {
        assert.notEqual(await identity.takeChallenge("c"), null);
        const others = [];
        for (const id of ["a", "b", "d"]) others.push(await identity.takeChallenge(id));
        assert.equal(others.filter((challenge) => challenge !== null).length, 1);
      });
    },
  },
  {
    name: "failures are read, replaced and cleared by their subject",
    run: ({ store }) =>
      store.transaction(async ({ identity }) => {
        const first = { failures: 1, lastFailureAt: NOW, blockedUntil: NOW };
        const later = { failures: 6, lastFailureAt: NOW + 7, blockedUntil: NOW + 30_007 };
        for (const subject of ["name", "network", "other"]) {
          await identity.writeFailure(subject, first);
        }
        await identity.writeFailure("name", later);
        const read = await identity.readFailures(["name", "unknown", "network"]);
        const wanted = new Map([
          ["name", later],
          ["network", first],
        ]);
        assert.deepEqual(new Map(read), wanted);
        await identity.clearFailures(["name", "network", "unknown"]);
        const left = await identity.readFailures(["name", "network", "other"]);
        assert.deepEqual(new Map(left), new Map([["other", first]]));
      }),
  },
];
