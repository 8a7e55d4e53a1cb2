import assert from "node:assert/strict";
import type { ChallengeClient, IdentityRecords } from "../../src/identity/identity-records.ts";
import { MANY_CHALLENGES, NOW, sampleChallenge, sampleChallengeRecord } from "../samples.ts";
import type { StoreCases } from "../store-case.ts";

const FOUR = { maxLive: 4, maxKnown: 2 };

type Groups = ChallengeClient["groups"];

/** Takes the challenges, and returns the ids of those that are live. */
async function takeLive(identity: IdentityRecords, ids: readonly string[]): Promise<string[]> {
  const live: string[] = [];
  for (const id of ids) if ((await identity.takeChallenge(id)) !== null) live.push(id);
  return live;
}

export const CHALLENGE_CASES: StoreCases = {
  "a challenge is taken unchanged, and once": async ({ store }) => {
    const challenge = sampleChallenge("one");
    await store.transaction(({ identity }) => identity.addChallenge(challenge, MANY_CHALLENGES));
    await store.transaction(async ({ identity }) => {
      assert.equal(await identity.takeChallenge("another"), null);
      assert.deepEqual(await identity.takeChallenge("one"), sampleChallengeRecord("one"));
      assert.equal(await identity.takeChallenge("one"), null);
    });
    assert.equal(await store.transaction(({ identity }) => identity.takeChallenge("one")), null);
  },
  "of parallel attempts to take a challenge, one succeeds": async ({ store }) => {
    await store.transaction(({ identity }) =>
      identity.addChallenge(sampleChallenge("one"), MANY_CHALLENGES),
    );
    const taken = await Promise.all(
      Array.from({ length: 12 }, () =>
        store.transaction(({ identity }) => identity.takeChallenge("one")),
      ),
    );
    assert.equal(taken.filter((challenge) => challenge !== null).length, 1);
  },
  "of too many challenges, those that were added last stay, whatever the clock says": async ({
    store,
  }) => {
    for (let index = 0; index < 6; index++) {
      // The clock is set back while the challenges are added.
      const challenge = sampleChallenge(`made-${index}`, { createdAt: NOW - index * 60_000 });
      await store.transaction(({ identity }) => identity.addChallenge(challenge, FOUR));
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
  "of too many challenges, the client that has most loses one": async ({ store }) => {
    const add = (challengeId: string, client: string) => {
      const groups: Groups = [`wide ${client}`, `middle ${client}`, client];
      const challenge = sampleChallenge(challengeId, { client: { isKnown: false, groups } });
      return store.transaction(({ identity }) => identity.addChallenge(challenge, FOUR));
    };
    await add("honest", "one");
    for (let index = 0; index < 8; index++) await add(`flood-${index}`, "many");
    await add("other", "another");
    const ids = ["honest", "other", ...Array.from({ length: 8 }, (_, at) => `flood-${at}`)];
    const live = await store.transaction(({ identity }) => takeLive(identity, ids));
    assert.deepEqual(live, ["honest", "other", "flood-6", "flood-7"]);
  },
  "of too many challenges, the widest group that has most loses one, whatever its parts have":
    async ({ store }) => {
      const bounds = { maxLive: 5, maxKnown: 2 };
      const floods: Record<string, (index: number) => Groups> = {
        "many clients": (index) => ["wide", "middle", `client ${index}`],
        "many middle groups": (index) => ["wide", `middle ${index}`, `client ${index}`],
      };
      for (const groupsOf of Object.values(floods)) {
        const live = await store.transaction(async ({ identity }) => {
          const ids = ["honest-1", "honest-2"];
          const add = (id: string, groups: Groups) =>
            identity.addChallenge(
              sampleChallenge(id, { client: { isKnown: false, groups } }),
              bounds,
            );
          for (const id of ids) await add(id, ["elsewhere", "middle elsewhere", "honest"]);
          for (let index = 0; index < 9; index++) {
            ids.push(`flood-${index}`);
            await add(`flood-${index}`, groupsOf(index));
          }
          return takeLive(identity, ids);
        });
        assert.deepEqual(live, ["honest-1", "honest-2", "flood-6", "flood-7", "flood-8"]);
      }
    },
  "known browsers lose no challenge to other clients, and have a bounded number": async ({
    store,
  }) => {
    const live = await store.transaction(async ({ identity }) => {
      const add = (id: string, isKnown: boolean, groups: Groups) =>
        identity.addChallenge(sampleChallenge(id, { client: { isKnown, groups } }), FOUR);
      await add("known-1", true, ["anna", "phone", "phone"]);
      await add("known-2", true, ["bert", "laptop", "laptop"]);
      for (let index = 0; index < 6; index++) {
        await add(`other-${index}`, false, [`w${index}`, `m${index}`, `c${index}`]);
      }
      // Another challenge of a known browser evicts one of its own account.
      await add("known-3", true, ["bert", "tablet", "tablet"]);
      const others = Array.from({ length: 6 }, (_, index) => `other-${index}`);
      return takeLive(identity, ["known-1", "known-2", "known-3", ...others]);
    });
    assert.deepEqual(live, ["known-1", "known-3", "other-4", "other-5"]);
  },
  "the challenges of a name are removed, and only those": ({ store }) =>
    store.transaction(async ({ identity }) => {
      await identity.addChallenge(sampleChallenge("one", { username: "anna" }), MANY_CHALLENGES);
      await identity.addChallenge(sampleChallenge("two", { username: "bert" }), MANY_CHALLENGES);
      await identity.removeChallenges("anna");
      assert.equal(await identity.takeChallenge("one"), null);
      assert.notEqual(await identity.takeChallenge("two"), null);
    }),
  "a challenge that was just added stays, even among others of the same millisecond": async ({
    store,
  }) => {
    for (const id of ["b", "a", "d", "c"]) {
      await store.transaction(({ identity }) =>
        identity.addChallenge(sampleChallenge(id), { maxLive: 2, maxKnown: 1 }),
      );
    }
    await store.transaction(async ({ identity }) => {
      assert.notEqual(await identity.takeChallenge("c"), null);
      const others = [];
      for (const id of ["a", "b", "d"]) others.push(await identity.takeChallenge(id));
      assert.equal(others.filter((challenge) => challenge !== null).length, 1);
    });
  },
  "failures are read, replaced and cleared by their subject": async ({ store }) => {
    const left = await store.transaction(async ({ identity }) => {
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
      return new Map([["other", first]]);
    });
    const subjects = ["name", "network", "other"];
    await store.transaction(async ({ identity }) =>
      assert.deepEqual(new Map(await identity.readFailures(subjects)), left),
    );
    assert.deepEqual(new Map(await store.readFailures(subjects)), left);
  },
};
