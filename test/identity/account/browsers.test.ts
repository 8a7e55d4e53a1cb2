/** The browsers that are signed in to an account, as a person sees and signs them out. */
import assert from "node:assert/strict";
import type { AccountBrowser } from "./account-browser.ts";
import { ANNA, testOnBothServicesAndStores } from "./account-services.ts";

const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0";
const SAFARI =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1";

const SIGNED_OUT = "notice=browser-signed-out";

testOnBothServicesAndStores(
  "a person signs another browser out, and only that",
  async (start, { name }) => {
    const { createBrowser, readEvents, paths } = await start();
    const [own, other, third] = [FIREFOX, SAFARI, FIREFOX].map((agent) => createBrowser(agent));
    assert.ok(own && other && third);
    for (const browser of [own, other, third]) await browser.signIn(ANNA);
    const readPage = async (browser: AccountBrowser) =>
      (await browser.send(name === "sync" ? paths.home : paths.waysInPage)).text();
    const page = await readPage(own);
    assert.match(page, /Firefox on Linux\s*<span class="badge marked">This browser/);
    const ids = [...page.matchAll(/name="browser" value="([^"]+)"/g)].map(([, id = ""]) => id);
    assert.equal(ids.length, 2, "this browser signs out at the top of the page");
    for (const { cookies } of [own, other, third]) {
      for (const value of cookies.values()) assert.ok(!ids.includes(value.slice(0, 16)));
    }
    for (const browser of ["", "\u0000", "x".repeat(16), ids[0]?.slice(0, 8) ?? ""]) {
      const gone: Response = await own.submit({ action: "sign-out-browser", browser });
      assert.equal(gone.status, 400);
      assert.match(await gone.text(), /browser is no longer signed in/);
    }
    // Its form in another session is refused.
    const safari = /Safari on iPhone[^]*?name="browser" value="([^"]+)"/.exec(page)?.[1] ?? "";
    const form = { action: "sign-out-browser", browser: safari };
    const forged = await third.submit({ ...form, csrf: await own.readCsrf() });
    assert.equal(forged.status, 403);
    assert.ok(await other.isSignedIn());
    const done = await own.submit(form);
    assert.match(done.headers.get("location") ?? "", new RegExp(SIGNED_OUT));
    assert.equal(await other.isSignedIn(), false);
    for (const browser of [own, third]) assert.ok(await browser.isSignedIn());
    assert.equal(readEvents().filter((kind) => kind === "device-signed-out").length, 1);
  },
);
