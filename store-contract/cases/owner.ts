/** What the owner's page needs of a store. */
import assert from "node:assert/strict";
import { DAY_MS } from "../../src/contract/durations.ts";
import { NOW, sampleAccount, sampleOperations, sampleSession } from "../samples.ts";
import type { StoreCases } from "../store-case.ts";
import type { SyncStore } from "../../src/sync/store.ts";

const END = NOW + 5000;
const ANNA = "account-of-anna";

async function openBrowser(store: SyncStore, sessionHash: string, given = {}): Promise<void> {
  const session = {
    sessionHash,
    accountId: ANNA,
    createdAt: NOW,
    idleExpiresAt: END,
    absoluteExpiresAt: END + 5000,
    browser: "Firefox",
    system: null,
    ...given,
  };
  await store.transaction(({ browserSessions }) => browserSessions.open(session));
}

async function withAccount(store: SyncStore): Promise<void> {
  await store.transaction(({ identity }) => identity.addAccount(sampleAccount("anna")));
}

export const OWNER_CASES: StoreCases = {
  "a browser session is found by its hash until it expires, and longer when it was touched":
    async ({ store }) => {
      await withAccount(store);
      await openBrowser(store, "one");
      assert.deepEqual(await store.findBrowserSession("one", END - 1), {
        sessionHash: "one",
        accountId: ANNA,
        username: "anna",
        createdAt: NOW,
        idleExpiresAt: END,
        absoluteExpiresAt: END + 5000,
        browser: "Firefox",
        system: null,
      });
      assert.equal(await store.findBrowserSession("other", NOW), null);
      assert.equal(await store.findBrowserSession("one", END), null);
      await store.transaction(({ browserSessions }) => browserSessions.touch("one", END + 9000));
      assert.notEqual(await store.findBrowserSession("one", END + 4999), null);
      assert.equal(await store.findBrowserSession("one", END + 5000), null);
      for (const [hash, now, isLive] of [
        ["one", END + 4999, true],
        ["one", END + 5000, false],
        ["other", NOW, false],
      ] as const) {
        const found = await store.transaction(({ browserSessions }) =>
          browserSessions.isLive(hash, now),
        );
        assert.equal(found, isLive);
      }
    },
  "browser sessions are closed one by one, or all of an account": async ({ store }) => {
    await withAccount(store);
    for (const hash of ["one", "two", "three"]) await openBrowser(store, hash);
    const close = (hash: string) =>
      store.transaction(({ browserSessions }) => browserSessions.close(hash));
    assert.equal(await close("two"), true);
    assert.equal(await close("two"), false, "closed already");
    assert.equal(await store.findBrowserSession("two", NOW), null);
    assert.notEqual(await store.findBrowserSession("one", NOW), null);
    const closed = await store.transaction(({ browserSessions }) => browserSessions.closeAll(ANNA));
    assert.equal(closed, 2);
    assert.equal(await store.findBrowserSession("one", NOW), null);
    assert.equal(await store.findBrowserSession("three", NOW), null);
  },
  "the live browser sessions of an account are listed, newest first": async ({ store }) => {
    await withAccount(store);
    await openBrowser(store, "old", { createdAt: NOW - 1, system: "Linux" });
    await openBrowser(store, "expired", { idleExpiresAt: NOW });
    await openBrowser(store, "new");
    const list = (accountId: string) =>
      store.transaction(({ browserSessions }) => browserSessions.list(accountId, NOW));
    assert.deepEqual(
      (await list(ANNA)).map(({ sessionHash, browser, system }) => [sessionHash, browser, system]),
      [
        ["new", "Firefox", null],
        ["old", "Firefox", "Linux"],
      ],
    );
    assert.deepEqual(await list("account-of-berta"), []);
  },
  "pruning removes expired browser sessions alone": async ({ store }) => {
    await withAccount(store);
    await openBrowser(store, "expired");
    await openBrowser(store, "alive", { idleExpiresAt: END + 1 });
    await store.prune(END);
    // Both sessions would be alive at this time, which is before that of the pruning.
    assert.equal(await store.findBrowserSession("expired", NOW), null);
    assert.notEqual(await store.findBrowserSession("alive", NOW), null);
  },
  "a device keeps the name that it was given when it signs in again": async ({ store }) => {
    const names = () =>
      store.transaction(async ({ sessions }) =>
        (await sessions.list(NOW)).map(({ deviceId, name }) => [deviceId, name]),
      );
    await store.transaction(async ({ sessions }) => {
      await sessions.open(sampleSession("phone"));
      await sessions.open(sampleSession("tablet", { createdAt: NOW - 1 }));
      assert.equal(await sessions.nameDevice("phone", "Annas Handy 📱"), true);
      assert.equal(await sessions.nameDevice("watch", "Watch"), false);
    });
    const named = [
      ["phone", "Annas Handy 📱"],
      ["tablet", null],
    ];
    assert.deepEqual(await names(), named);
    await store.transaction(async ({ sessions }) => {
      await sessions.open(sampleSession("phone", { family: "second-family" }));
      await sessions.renew(sampleSession("phone", { family: "second-family", counter: 1 }));
    });
    assert.deepEqual(await names(), named);
    await store.transaction(({ sessions }) => sessions.nameDevice("phone", null));
    assert.deepEqual((await names())[0], ["phone", null]);
  },
  "a device has the name that its app gave it, until its owner names it": async ({ store }) => {
    const name = () =>
      store.transaction(async ({ sessions }) => (await sessions.list(NOW))[0]?.name ?? null);
    const open = (family: string, given: string | null) =>
      store.transaction(({ sessions }) => sessions.open(sampleSession("phone", { family }), given));
    await open("first", "Pixel 9");
    assert.equal(await name(), "Pixel 9");
    await store.transaction(({ sessions }) => sessions.nameDevice("phone", "Annas Handy"));
    await open("second", "Pixel 9");
    assert.equal(await name(), "Annas Handy");
    await store.transaction(({ sessions }) => sessions.nameDevice("phone", null));
    await open("third", "Pixel 9");
    assert.equal(await name(), "Pixel 9");
  },
  "operations are counted by day, without repetitions and in spite of compaction": async ({
    store,
    compact,
  }) => {
    const monday = NOW - (NOW % DAY_MS);
    await store.operations.append(sampleOperations(3), monday + 1);
    await store.operations.append(sampleOperations(3), monday + 2);
    await store.operations.append(sampleOperations(2, "tablet"), monday + DAY_MS - 1);
    await store.operations.append(sampleOperations(1, "watch"), monday + 2 * DAY_MS);
    await compact(store);
    const usage = await store.readUsage(monday);
    assert.deepEqual(usage.days, [
      { startsAt: monday, operations: 5 },
      { startsAt: monday + 2 * DAY_MS, operations: 1 },
    ]);
    const later = await store.readUsage(monday + DAY_MS + 1);
    assert.deepEqual(later.days, [{ startsAt: monday + 2 * DAY_MS, operations: 1 }]);
    assert.equal((await store.readUsage(monday + DAY_MS - 1)).days.length, 2);
  },
};
