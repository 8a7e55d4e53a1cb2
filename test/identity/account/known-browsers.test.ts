/** A browser that comes back with its session stays known. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { isKnownBrowser, rememberBrowser } from "../../../src/identity/known-browsers.ts";
import type { AccountBrowser } from "./account-browser.ts";
import { ANNA, MINUTE_MS, testOnBothServices } from "./account-services.ts";

/** In a cookie, or in the storage of the page. */
function knownValueOf({ storage, cookies }: AccountBrowser): string {
  const cookie = [...cookies].find(([name]) => name.endsWith("-known"));
  return storage.known ?? cookie?.[1] ?? "";
}

testOnBothServices(
  "a page that extends the session keeps its browser known, whatever scripts sign in",
  async (start) => {
    const { createBrowser, transaction, clock, paths } = await start();
    const scriptsSignIn = (count: number) =>
      transaction(async ({ identity }) => {
        const account = await identity.findAccount(ANNA.username);
        for (let index = 0; index < count; index++) {
          await rememberBrowser(identity, null, account?.accountId ?? "", clock.now, randomBytes);
        }
      });
    const isKnown = (browser: AccountBrowser) =>
      transaction(({ identity }) => isKnownBrowser(identity, knownValueOf(browser), clock.now));
    // Of the browsers that never came back, the first half stays, too.
    await scriptsSignIn(20);
    const [reader, absent] = [createBrowser(), createBrowser()];
    for (const browser of [reader, absent]) await browser.signIn(ANNA);
    clock.now += 11 * MINUTE_MS;
    assert.equal((await reader.send(paths.waysInPage)).status, 200);
    await scriptsSignIn(20);
    const areKnown = [await isKnown(reader), await isKnown(absent)];
    assert.deepEqual(areKnown, [true, false]);
  },
);
