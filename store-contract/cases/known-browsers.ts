import assert from "node:assert/strict";
import type { IdentityRecords } from "../../src/identity/identity-records.ts";
import { MANY_BROWSERS, NOW, sampleAccount, sampleKnownBrowser } from "../samples.ts";
import type { StoreCases } from "../store-case.ts";

async function findHashes(identity: IdentityRecords, hashes: readonly string[], now = NOW) {
  const found = await identity.findKnownBrowsers(hashes, now);
  return found.map(({ hash }) => hash).sort();
}

/** Does what happens when the browser that has this token comes back with it. */
async function confirm(
  identity: IdentityRecords,
  hash: string,
  bounds = MANY_BROWSERS,
): Promise<void> {
  for (const browser of await identity.findKnownBrowsers([hash], NOW)) {
    await identity.confirmKnownBrowser(browser, bounds);
  }
}

export const KNOWN_BROWSER_CASES: StoreCases = {
  "a known browser is found with its account until it expires": async ({ store }) => {
    const browser = sampleKnownBrowser("one", { expiresAt: NOW + 5, hasSignedIn: false });
    const other = sampleKnownBrowser("two");
    const expectFound = async (reader: Pick<IdentityRecords, "findKnownBrowsers">) => {
      const hashes = ["unknown", "one"];
      const found = [{ ...browser, username: "anna" }];
      assert.deepEqual(await reader.findKnownBrowsers(hashes, NOW + 4), found);
      assert.deepEqual(await reader.findKnownBrowsers(hashes, NOW + 5), []);
      const [second] = await reader.findKnownBrowsers(["two"], NOW);
      assert.deepEqual(second, { ...other, username: "anna" });
      assert.deepEqual(await reader.findKnownBrowsers([], NOW), []);
    };
    await store.transaction(async ({ identity }) => {
      await identity.addAccount(sampleAccount("anna"));
      await identity.addKnownBrowser(browser, MANY_BROWSERS);
      await identity.addKnownBrowser(other, MANY_BROWSERS);
      await expectFound(identity);
    });
    await expectFound(store);
  },
  "a token of a known browser can be made to expire earlier, and not later": ({ store }) =>
    store.transaction(async ({ identity }) => {
      await identity.addAccount(sampleAccount("anna"));
      for (const hash of ["one", "two"]) {
        await identity.addKnownBrowser(sampleKnownBrowser(hash), MANY_BROWSERS);
      }
      const { expiresAt } = sampleKnownBrowser("one");
      await identity.limitKnownBrowser("one", NOW + 5);
      await identity.limitKnownBrowser("two", expiresAt + 5);
      assert.deepEqual(await findHashes(identity, ["one", "two"], NOW + 4), ["one", "two"]);
      assert.deepEqual(await findHashes(identity, ["one", "two"], NOW + 5), ["two"]);
      assert.deepEqual(await findHashes(identity, ["one", "two"], expiresAt), []);
    }),
  "the known browsers of an account are removed, and only those": ({ store }) =>
    store.transaction(async ({ identity }) => {
      await identity.addAccount(sampleAccount("anna"));
      const hashes = ["one", "two", "three"];
      for (const hash of hashes)
        await identity.addKnownBrowser(sampleKnownBrowser(hash), MANY_BROWSERS);
      await confirm(identity, "two");
      await identity.removeKnownBrowsers("another-account");
      assert.equal((await findHashes(identity, hashes)).length, 3);
      await identity.removeKnownBrowsers("account-of-anna");
      assert.deepEqual(await findHashes(identity, hashes), []);
    }),
  "a browser keeps its token until it comes back with a later one": ({ store }) =>
    store.transaction(async ({ identity }) => {
      await identity.addAccount(sampleAccount("anna"));
      const hashes = ["other", "old", "lost", "kept", "last"];
      await identity.addKnownBrowser(sampleKnownBrowser("other"), MANY_BROWSERS);
      for (const hash of ["old", "lost", "kept", "last"]) {
        await identity.addKnownBrowser(
          sampleKnownBrowser(hash, { browserId: "one" }),
          MANY_BROWSERS,
        );
      }
      await confirm(identity, "old");
      assert.equal((await findHashes(identity, hashes)).length, 5);
      await confirm(identity, "kept");
      assert.deepEqual(await findHashes(identity, hashes), ["kept", "last", "other"]);
    }),
  "of too many tokens of a known browser, the first and the latest stay": ({ store }) =>
    store.transaction(async ({ identity }) => {
      await identity.addAccount(sampleAccount("anna"));
      const hashes = ["old", "d", "c", "b", "a", "other"];
      const bounds = { ...MANY_BROWSERS, maxTokens: 3 };
      await identity.addKnownBrowser(sampleKnownBrowser("other"), bounds);
      for (const hash of hashes.slice(0, 5)) {
        await identity.addKnownBrowser(sampleKnownBrowser(hash, { browserId: "one" }), bounds);
        if (hash === "old") await confirm(identity, "old", bounds);
      }
      assert.deepEqual(await findHashes(identity, hashes), ["a", "b", "old", "other"]);
    }),
  "of too many new browsers, as many of the first as of the latest stay, whatever the clock says":
    ({ store }) =>
      store.transaction(async ({ identity }) => {
        await identity.addAccount(sampleAccount("anna"));
        const hashes = ["g", "f", "e", "d", "c", "b", "a"];
        for (const [index, hash] of hashes.entries()) {
          const browser = sampleKnownBrowser(hash, { expiresAt: NOW + 1000 - index });
          await identity.addKnownBrowser(browser, { ...MANY_BROWSERS, maxUnconfirmed: 4 });
        }
        assert.deepEqual(await findHashes(identity, hashes), ["a", "b", "f", "g"]);
      }),
  "new browsers evict none that came back, and of too many of these the least recent goes": ({
    store,
  }) =>
    store.transaction(async ({ identity }) => {
      await identity.addAccount(sampleAccount("anna"));
      const bounds = { maxTokens: 4, maxUnconfirmed: 2, maxConfirmed: 3 };
      const used = ["phone", "laptop", "tablet"];
      for (const hash of used) {
        await identity.addKnownBrowser(sampleKnownBrowser(hash), bounds);
        await confirm(identity, hash, bounds);
      }
      // A token that was added later belongs to a browser that came back.
      const next = sampleKnownBrowser("next", { browserId: "browser-of-laptop" });
      await identity.addKnownBrowser(next, bounds);
      const scripts = Array.from({ length: 9 }, (_, index) => `script-${index}`);
      for (const hash of scripts) await identity.addKnownBrowser(sampleKnownBrowser(hash), bounds);
      const hashes = [...used, "next", ...scripts];
      const live = ["laptop", "next", "phone", "script-0", "script-8", "tablet"];
      assert.deepEqual(await findHashes(identity, hashes), live);
      await confirm(identity, "phone", bounds);
      await confirm(identity, "script-8", bounds);
      assert.deepEqual(await findHashes(identity, hashes), [
        "phone",
        "script-0",
        "script-8",
        "tablet",
      ]);
    }),
};
