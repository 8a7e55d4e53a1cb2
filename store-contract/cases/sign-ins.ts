/** The history of sign-ins that the owner sees. */
import assert from "node:assert/strict";
import { DAY_MS } from "../../src/contract/durations.ts";
import type { SignInItem } from "../../src/contract/identity.ts";
import type { NewSignIn } from "../../src/identity/identity-records.ts";
import type { SyncStore } from "../../src/sync/store.ts";
import { NOW, sampleAccount, sampleSignIn } from "../samples.ts";
import type { StoreCases } from "../store-case.ts";

const ANNA = "account-of-anna";
const BOUNDS = { maxEach: 4, windowMs: 1000 };

async function noteAll(store: SyncStore, signIns: readonly NewSignIn[]): Promise<void> {
  await store.transaction(async ({ identity }) => {
    await identity.addAccount(sampleAccount("anna"));
    for (const signIn of signIns) await identity.noteSignIn(ANNA, signIn, BOUNDS);
  });
}

function list(store: SyncStore): Promise<SignInItem[]> {
  return store.transaction(({ identity }) => identity.listSignIns(ANNA));
}

const refused = (given: Partial<NewSignIn>) => sampleSignIn({ result: "refused", ...given });

export const SIGN_IN_HISTORY_CASES: StoreCases = {
  "sign-ins are listed as they were noted, the latest first, across a restart": async ({
    store,
    reopen,
  }) => {
    const first = sampleSignIn({ at: NOW });
    const second = refused({ at: NOW + 1, browser: null, system: null, network: null });
    const third = sampleSignIn({ at: NOW + 2, purpose: "page", method: "passkey", isNew: false });
    await noteAll(store, [first, second, third]);
    const expected = [third, second, first].map((signIn) => ({ ...signIn, tries: 1 }));
    assert.deepEqual(await list(await reopen()), expected);
  },
  "refusals of one network are counted together until their window ends": async ({ store }) => {
    const network = "198.51.100.0/24";
    await noteAll(store, [
      refused({ at: NOW }),
      refused({ at: NOW + 1, network }),
      refused({ at: NOW + 2, network: null }),
      refused({ at: NOW + 999, browser: "Chrome" }),
      refused({ at: NOW + 998, network: null }),
      // The window begins with the first, so that refusals without a pause are told apart by time.
      refused({ at: NOW + 1001, network }),
    ]);
    const found = (await list(store)).map((signIn) => [signIn.network, signIn.tries]);
    assert.deepEqual(found, [
      [network, 1],
      ["192.0.2.0/24", 2],
      [null, 2],
      [network, 1],
    ]);
    const [, counted] = await list(store);
    assert.equal(counted?.browser, "Chrome", "the latest browser");
    assert.equal(counted?.at, NOW + 999, "the latest time");
  },
  "a flood of refusals evicts refusals alone, and sign-ins evict sign-ins, whatever the clock says":
    async ({ store }) => {
      const accepted = [9, 5, 4, 3, 2].map((at) => sampleSignIn({ at: NOW + at }));
      const flood = [1, 2, 3, 4, 5, 6].map((at) =>
        refused({ at: NOW - at, network: `203.0.113.${at}/24` }),
      );
      await noteAll(store, [...accepted, ...flood]);
      const found = (await list(store)).map(({ result, at }) => [result, at - NOW]);
      assert.deepEqual(found, [
        ["accepted", 5],
        ["accepted", 4],
        ["accepted", 3],
        ["accepted", 2],
        ["refused", -3],
        ["refused", -4],
        ["refused", -5],
        ["refused", -6],
      ]);
    },
  "pruning removes what is older than 90 days from the history": async ({ store }) => {
    await noteAll(store, [sampleSignIn({ at: NOW }), sampleSignIn({ at: NOW + 1 })]);
    await store.prune(NOW + 90 * DAY_MS);
    assert.deepEqual(
      (await list(store)).map(({ at }) => at),
      [NOW + 1],
    );
  },
};
