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
    name: "of too many challenges, those that were added last stay, whatever the clock says",
    async run({ store }) {
      for (let index = 0; index < 6; index++) {
        // The clock is set back while they are added.
        const challenge = sampleChallenge(`made-${index}`, { createdAt: NOW - index * 60_000 });
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
    name: "of too many challenges, the client that has most loses one",
    async run({ store }) {
      const add = (challengeId: string, clientHash: string) =>
        store.transaction(({ identity }) =>
          identity.addChallenge(sampleChallenge(challengeId, { clientHash }), 4),
        );
      await add("honest", "one");
      for (let index = 0; index < 8; index++) await add(`flood-${index}`, "many");
      await add("other", "another");
      await store.transaction(async ({ identity }) => {
        const live: string[] = [];
        const ids = ["honest", "other", ...Array.from({ length: 8 }, (_, at) => `flood-${at}`)];
        for (const id of ids) if ((await identity.takeChallenge(id)) !== null) live.push(id);
        assert.deepEqual(live, ["honest", "other", "flood-6", "flood-7"]);
      });
    },
  },
  {
    name: "the challenges of a name are removed, and only those",
    run: ({ store }) =>
      store.transaction(async ({ identity }) => {
        await identity.addChallenge(sampleChallenge("one", { username: "anna" }), PLENTY);
        await identity.addChallenge(sampleChallenge("two", { username: "bert" }), PLENTY);
        await identity.removeChallenges("anna");
        assert.equal(await identity.takeChallenge("one"), null);
        assert.notEqual(await identity.takeChallenge("two"), null);
      }),
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
