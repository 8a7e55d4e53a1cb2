/** Sign-in links, which let a browser past the guesses of strangers and are no credential. */
import assert from "node:assert/strict";
import { ANNA, MINUTE_MS, testOnBothServices } from "./account-services.ts";

const PATH = "/sign-in-link";
const DAY_MS = 86_400_000;

async function expectRefused(response: Response): Promise<void> {
  assert.equal(response.status, 401);
  const text = await response.text();
  assert.match(text, /authentication_failed/);
  assert.match(text, /The link was used before, has expired or is not complete/);
}

testOnBothServices(
  "while strangers guess, a new browser signs in with a link and the password",
  async (start) => {
    const { createBrowser, signInLink, readEvents, log, clock } = await start();
    const stranger = createBrowser();
    for (let count = 0; count < 5; count++) assert.equal(await stranger.guess(ANNA.username), 401);
    const browser = createBrowser();
    assert.equal((await browser.trySignIn(ANNA)).status, 429);
    const link = await signInLink();
    const used = await browser.useSignInLink(link);
    assert.deepEqual([used.status, await used.text()], [200, "{}"]);
    await browser.signIn(ANNA);
    assert.ok(log.some(({ path }) => path === PATH));
    assert.ok(!JSON.stringify([log, readEvents()]).includes(link));
    // From now on it is a browser like any other that has signed in: also when the link's own day is over.
    await browser.signOut();
    clock.now += 2 * DAY_MS;
    for (let count = 0; count < 5; count++) await stranger.guess(ANNA.username);
    await browser.signIn(ANNA);
    const kinds = readEvents().filter((kind) => kind !== "throttling-begun");
    assert.deepEqual(kinds, ["sign-in-link-used", "new-device"]);
  },
);

testOnBothServices("wrong passwords after a link hold that browser alone", async (start) => {
  const { createBrowser, signInLink } = await start();
  const browser = createBrowser();
  assert.equal((await browser.useSignInLink(await signInLink())).status, 200);
  const statuses = [];
  for (let count = 0; count < 6; count++) statuses.push(await browser.guess(ANNA.username));
  assert.deepEqual(statuses, [401, 401, 401, 401, 401, 429]);
  await createBrowser().signIn(ANNA);
  // Another link does not reset its count.
  assert.equal((await browser.useSignInLink(await signInLink())).status, 200);
  assert.equal((await browser.trySignIn(ANNA)).status, 429);
});

testOnBothServices("a link works once and for ten minutes", async (start) => {
  const { createBrowser, signInLink, clock } = await start();
  const browser = createBrowser();
  const [link, late] = [await signInLink(), await signInLink()];
  clock.now += 10 * MINUTE_MS - 1;
  assert.equal((await browser.useSignInLink(link)).status, 200);
  await expectRefused(await createBrowser().useSignInLink(link));
  clock.now += 1;
  await expectRefused(await browser.useSignInLink(late));
  for (const wrong of ["", "\u0000", "A".repeat(43)]) {
    await expectRefused(await browser.useSignInLink(wrong));
  }
});

testOnBothServices(
  "reading the page, and requests of other sites, use no link up",
  async (start, { name }) => {
    const { createBrowser, signInLink } = await start();
    const browser = createBrowser();
    const link = await signInLink();
    for (const path of [PATH, `${PATH}?lang=de`]) {
      const page = await browser.send(path);
      assert.equal(page.status, 200);
      assert.match(await page.text(), path === PATH ? /lang="en"/ : /lang="de"/);
      assert.equal((await browser.send(path, { method: "HEAD" })).status, 200);
    }
    for (const query of ["lang=de&lang=en", "lang=fr", "lang="]) {
      assert.equal((await browser.send(`${PATH}?${query}`)).status, 400, query);
    }
    for (const site of ["cross-site", "same-site"]) {
      const forged = await browser.postJson(PATH, { link }, { "Sec-Fetch-Site": site });
      assert.equal(forged.status, 403, site);
    }
    const json = { "Content-Type": "application/json" };
    for (const [headers, body, status] of [
      [{}, new URLSearchParams({ link }), 415],
      [{ "Content-Type": "text/plain" }, JSON.stringify({ link }), 415],
      [json, JSON.stringify({ link, more: 1 }), 400],
      [json, JSON.stringify({ link: [link] }), 400],
    ] as const) {
      const response = await browser.send(PATH, { method: "POST", headers, body });
      assert.equal(response.status, status, JSON.stringify(headers));
    }
    const preflight = { Origin: "https://evil.example", "Access-Control-Request-Method": "POST" };
    const refused = await browser.send(PATH, { method: "OPTIONS", headers: preflight });
    assert.equal(refused.headers.get("access-control-allow-origin"), null);
    assert.equal(refused.status, name === "sync" ? 403 : 405);
    assert.equal((await browser.useSignInLink(link)).status, 200);
  },
);

testOnBothServices("links are limited by network, apart from begun sign-ins", async (start) => {
  const { createBrowser, signInLink, clock } = await start({ signInsPerMinute: 5 });
  const browser = createBrowser();
  const link = await signInLink();
  for (let count = 0; count < 5; count++) await createBrowser().guess(ANNA.username);
  for (let count = 0; count < 5; count++) {
    await expectRefused(await browser.useSignInLink("A".repeat(43)));
  }
  const limited = await browser.useSignInLink(link);
  assert.equal(limited.status, 429);
  assert.match(limited.headers.get("retry-after") ?? "", /^\d+$/);
  assert.equal((await createBrowser("", "198.51.100.9").useSignInLink(link)).status, 200);
  clock.now += MINUTE_MS;
  assert.equal((await browser.useSignInLink(await signInLink())).status, 200);
});
