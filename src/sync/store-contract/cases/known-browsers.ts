import assert from "node:assert/strict";
import { NOW, sampleAccount, sampleKnownBrowser } from "../samples.ts";
import type { StoreCase } from "../store-case.ts";

const PLENTY = 1000;

export const KNOWN_BROWSER_CASES: readonly StoreCase[] = [
  {
    name: "a known browser is found with its account until it expires",
    run: ({ store }) =>
      store.transaction(async ({ identity }) => {
        await identity.addAccount(sampleAccount("anna"));
        const browser = sampleKnownBrowser("one", { expiresAt: NOW + 5 });
        await identity.addKnownBrowser(browser, PLENTY);
        await identity.addKnownBrowser(sampleKnownBrowser("two"), PLENTY);
        const hashes = ["unknown", "one"];
        const found = [{ ...browser, username: "anna" }];
        assert.deepEqual(await identity.findKnownBrowsers(hashes, NOW + 4), found);
        assert.deepEqual(await identity.findKnownBrowsers(hashes, NOW + 5), []);
        assert.deepEqual(await identity.findKnownBrowsers([], NOW), []);
      }),
  },
  {
    name: "known browsers are removed one by one, or those of an account",
    run: ({ store }) =>
      store.transaction(async ({ identity }) => {
        await identity.addAccount(sampleAccount("anna"));
        const hashes = ["one", "two", "three"];
        for (const hash of hashes) await identity.addKnownBrowser(sampleKnownBrowser(hash), PLENTY);
        await identity.removeKnownBrowser("two");
        const left = await identity.findKnownBrowsers(hashes, NOW);
        assert.deepEqual(left.map(({ hash }) => hash).sort(), ["one", "three"]);
        await identity.removeKnownBrowsers("another-account");
        assert.equal((await identity.findKnownBrowsers(hashes, NOW)).length, 2);
        await identity.removeKnownBrowsers("account-of-anna");
        assert.deepEqual(await identity.findKnownBrowsers(hashes, NOW), []);
      }),
  },
  {
    name: "of too many known browsers, those that were added last stay, whatever the clock says",
    run: ({ store }) =>
      store.transaction(async ({ identity }) => {
        await identity.addAccount(sampleAccount("anna"));
        const hashes = ["e", "d", "c", "b", "a"];
        for (const [index, hash] of hashes.entries()) {
          const expiresAt = NOW + 1000 - index;
          await identity.addKnownBrowser(sampleKnownBrowser(hash, { expiresAt }), 3);
        }
        const left = await identity.findKnownBrowsers(hashes, NOW);
        assert.deepEqual(left.map(({ hash }) => hash).sort(), ["a", "b", "c"]);
      }),
  },
];
