import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import type { SqlEventsStore } from "../../../src/events/sql/open-sql-events-store.ts";
import { testOnBothStores } from "../store/on-both-stores.ts";
import {
  DAY_MS,
  HOUR_MS,
  MINUTE_MS,
  OLIVE,
  PIET,
  startInstance,
  replaceRecords,
} from "./events-instance.ts";
import { authorizePath, signIn, trySignIn } from "./journey.ts";
import type { TestBrowser } from "./test-browser.ts";

const SESSION = "trellis-events-session";
const BROWSER = "trellis-events-browser";
const KNOWN = "trellis-events-known";

async function errorOf(response: Response): Promise<string> {
  return ((await response.json()) as { error: string }).error;
}

async function isSignedIn(browser: TestBrowser): Promise<boolean> {
  const response = await browser.get("/");
  if (response.status !== 200) assert.equal(response.headers.get("location"), "/sign-in");
  return response.status === 200;
}

testOnBothStores("who proves the password gets a session of their own", async (place, t) => {
  const { createBrowser } = await startInstance(t, { place, accounts: [OLIVE, PIET] });
  const [olive, piet] = [createBrowser(), createBrowser()];
  assert.equal(await isSignedIn(olive), false);
  assert.equal(await signIn(olive), "/");
  await signIn(piet, PIET);
  for (const [browser, { username }] of [
    [olive, OLIVE],
    [piet, PIET],
  ] as const) {
    const { frame } = await browser.see("home", "/");
    assert.equal(frame.account?.username, username);
    assert.equal(frame.serviceName, "Planner");
  }
  const [first, second] = [olive, piet].map(({ cookies }) => cookies.get(SESSION));
  assert.notEqual(first, second);
});

test("the cookie is for this host and its requests alone", async (t) => {
  const plain = await startInstance(t);
  const secure = await startInstance(t, { baseUrl: "https://events.example.com" });
  for (const [{ createBrowser }, prefix, suffix] of [
    [plain, "", ""],
    [secure, "__Host-", "; Secure"],
  ] as const) {
    const browser = createBrowser();
    const page = await browser.get("/sign-in");
    const value = "[A-Za-z0-9_-]{43}";
    const attributes = `Path=/; HttpOnly; SameSite=Lax${suffix}`;
    assert.match(
      page.headers.get("set-cookie") ?? "",
      new RegExp(`^${prefix}${BROWSER}=${value}; ${attributes}$`),
    );
    const [session, known, ...others] = (await trySignIn(browser)).headers.getSetCookie();
    assert.match(
      session ?? "",
      new RegExp(`^${prefix}${SESSION}=${value}; Max-Age=604800; ${attributes}$`),
    );
    assert.match(
      known ?? "",
      new RegExp(`^${prefix}${KNOWN}=${value}; Max-Age=31536000; ${attributes}$`),
    );
    assert.deepEqual(others, []);
    const names = [...browser.cookies.keys()].sort();
    assert.deepEqual(names, [`${prefix}${BROWSER}`, `${prefix}${KNOWN}`, `${prefix}${SESSION}`]);
    assert.equal((await browser.get("/")).status, 200);
  }
});

test("a repeated or malformed cookie is ignored", async (t) => {
  const { ask, createBrowser } = await startInstance(t);
  const browser = createBrowser();
  await signIn(browser);
  const value = browser.cookies.get(SESSION) ?? "";
  for (const cookie of [
    `${SESSION}=${value}; ${SESSION}=${"A".repeat(43)}`,
    `${SESSION}=${value}; ${SESSION}=`,
    `${SESSION}=${value}x`,
    `x${SESSION}=${value}`,
    `__Host-${SESSION}=${value}`,
    `${SESSION}="${value}"`,
  ]) {
    assert.equal((await ask("/", { headers: { Cookie: cookie } })).status, 302, cookie);
  }
  const right = `theme=dark; ${SESSION}=${value}`;
  assert.equal((await ask("/", { headers: { Cookie: right } })).status, 200);
});

// Another host of the domain can set a cookie for the whole domain. A browser sees these as cookies of other
// names, so it does not refuse them for their prefix.
test("no other cookie can pose as one with the prefix", async (t) => {
  const { ask, createBrowser } = await startInstance(t, { baseUrl: "https://events.example.com" });
  const browser = createBrowser();
  await signIn(browser);
  const own = `__Host-${SESSION}=${browser.cookies.get(`__Host-${SESSION}`)}`;
  for (const cookie of [
    `theme=dark,${own}`,
    `theme=dark, ${own}`,
    `\u00a0${own}`,
    `theme=dark; \u00a0${own}`,
    `\u0085${own}`,
    `=${own}`,
  ]) {
    assert.equal((await ask("/", { headers: { Cookie: cookie } })).status, 302, cookie);
  }
  assert.equal((await ask("/", { headers: { Cookie: own } })).status, 200);
});

test("cookies in several header lines are read like those in one", async (t) => {
  const { port, createBrowser } = await startInstance(t);
  const browser = createBrowser();
  await signIn(browser);
  const own = `${SESSION}=${browser.cookies.get(SESSION)}`;
  // `fetch` would join them itself.
  const lines = ["GET / HTTP/1.1", "Host: x", "Cookie: theme=dark", `Cookie: ${own}`];
  const socket = connect(port, "127.0.0.1");
  socket.end(`${[...lines, "Connection: close"].join("\r\n")}\r\n\r\n`);
  assert.match(await text(socket), /^HTTP\/1\.1 200 /);
});

test("a session ends after twelve idle hours, and after a week in any case", async (t) => {
  const { createBrowser, clock } = await startInstance(t);
  const browser = createBrowser();
  await signIn(browser);
  clock.now += 12 * HOUR_MS - 1;
  assert.equal(await isSignedIn(browser), true);
  clock.now += 12 * HOUR_MS - 1;
  assert.equal((await browser.ask("/", { method: "HEAD" })).status, 200);
  clock.now += 1;
  assert.equal(await isSignedIn(browser), false);

  await signIn(browser);
  const start = clock.now;
  while (clock.now + 10 * HOUR_MS < start + 7 * DAY_MS) {
    clock.now += 10 * HOUR_MS;
    assert.equal(await isSignedIn(browser), true);
  }
  clock.now = start + 7 * DAY_MS;
  assert.equal(await isSignedIn(browser), false);
});

test("a session skips the sign-in of the next app", async (t) => {
  const { createBrowser } = await startInstance(t);
  const browser = createBrowser();
  const path = (await browser.get(authorizePath())).headers.get("location") ?? "";
  const next = await signIn(browser, OLIVE, path);
  assert.match(next, /^\/consent\?interaction=/);
  const again = await browser.get(path);
  assert.deepEqual([again.status, again.headers.get("location")], [302, next]);
  assert.equal((await browser.get("/sign-in")).headers.get("location"), "/");
});

test("wrong proofs have the same response for known and unknown names", async (t) => {
  const { createBrowser } = await startInstance(t);
  const texts = new Set<string>();
  for (const account of [
    { ...OLIVE, password: "not the password" },
    { username: "nobody", password: "not the password" },
  ]) {
    const browser = createBrowser();
    const response = await trySignIn(browser, account);
    assert.equal(response.status, 401);
    assert.equal(response.headers.get("set-cookie"), null);
    texts.add(await response.text());
    assert.equal(await isSignedIn(browser), false);
  }
  assert.equal(texts.size, 1);
});

test("an invalid sign-in request is refused in JSON", async (t) => {
  const { createBrowser, ask } = await startInstance(t);
  const browser = createBrowser();
  const { csrf } = (await browser.see("signIn", "/sign-in")).view;
  for (const [body, status] of [
    [{ action: "begin", csrf }, 400],
    [{ action: "begin", csrf, username: "a\u0000b" }, 400],
    [{ action: "begin", csrf, username: "" }, 400],
    [{ action: "begin", csrf, username: "olive", more: 1 }, 400],
    [{ action: "complete", csrf, challengeId: "\u0000", clientNonce: "", proof: "" }, 401],
    [[], 400],
  ] as const) {
    const response = await browser.postJson("/sign-in", body);
    assert.equal(response.status, status, JSON.stringify(body));
    assert.equal(typeof (await errorOf(response)), "string");
  }
  const json = { "Content-Type": "application/json" };
  for (const [headers, body, status] of [
    [json, "{", 400],
    [json, JSON.stringify({ padding: "x".repeat(65_536) }), 413],
    [{ "Content-Type": "text/plain" }, "{}", 415],
  ] as const) {
    assert.equal((await ask("/sign-in", { method: "POST", headers, body })).status, status);
  }
});

test("a sign-in for an app ends when the app's request does", async (t) => {
  const { createBrowser, clock } = await startInstance(t);
  const browser = createBrowser();
  const path = (await browser.get(authorizePath())).headers.get("location") ?? "";
  const { csrf } = (await browser.see("signIn", path)).view;
  clock.now += 10 * MINUTE_MS;
  const late = await browser.postJson("/sign-in", { action: "begin", csrf, username: "olive" });
  assert.deepEqual([late.status, await errorOf(late)], [400, "interaction_expired"]);
});

testOnBothStores("a browser that reads a page later is one in use", async (place, t) => {
  const { createBrowser, clock, store } = await startInstance(t, { place });
  const { database } = store as SqlEventsStore;
  const readKnown = () =>
    database.query<{ token_hash: string; last_used: number }>(
      "SELECT token_hash, last_used FROM identity_known_browsers ORDER BY made",
    );
  const browser = createBrowser();
  await signIn(browser);
  assert.deepEqual(
    (await readKnown()).map((row) => row.last_used),
    [0],
  );
  // A page that is read later shows that the browser kept its cookie.
  clock.now += 11 * MINUTE_MS;
  assert.equal(await isSignedIn(browser), true);
  assert.deepEqual(
    (await readKnown()).map((row) => row.last_used),
    [1],
  );
});

test("strangers do not use up the sign-ins of a known browser", async (t) => {
  const { createBrowser } = await startInstance(t, {
    limits: { authorize: { requests: 3, windowSeconds: 60 } },
  });
  const browser = createBrowser();
  await signIn(browser);
  const begin = async (person: TestBrowser) => {
    const { csrf } = (await person.see("signIn", "/sign-in")).view;
    const body = { action: "begin", csrf, username: OLIVE.username };
    return (await person.postJson("/sign-in", body)).status;
  };
  browser.cookies.delete(SESSION);
  const stranger = createBrowser();
  for (let count = 0; count < 3; count++) await begin(stranger);
  assert.equal(await begin(stranger), 429);
  assert.equal(await begin(browser), 200);
});

test("sign-ins are limited by network, and one beyond the limit writes nothing", async (t) => {
  let challenges = 0;
  const { createBrowser, ask, clock } = await startInstance(t, {
    limits: { authorize: { requests: 3, windowSeconds: 60 } },
    wrapStore: replaceRecords((records) => ({
      identity: {
        ...records.identity,
        addChallenge: (...given) => {
          challenges++;
          return records.identity.addChallenge(...given);
        },
      },
    })),
  });
  const browser = createBrowser();
  const { csrf } = (await browser.see("signIn", "/sign-in")).view;
  const begin = (address: string) =>
    browser.postJson(
      "/sign-in",
      { action: "begin", csrf, username: "olive" },
      { "X-Forwarded-For": address },
    );
  for (let count = 0; count < 3; count++) assert.equal((await begin("192.0.2.7")).status, 200);
  const limited = await begin("192.0.2.7");
  assert.deepEqual([limited.status, await errorOf(limited)], [429, "temporarily_unavailable"]);
  assert.equal(limited.headers.get("retry-after"), "60");
  assert.equal(challenges, 3);
  // The limit is that of authorization requests, which are counted apart.
  const headers = { "X-Forwarded-For": "192.0.2.7" };
  assert.equal((await ask(authorizePath(), { headers })).status, 302);
  assert.equal((await begin("192.0.2.8")).status, 200);
  clock.now += MINUTE_MS;
  assert.equal((await begin("192.0.2.7")).status, 200);
  // A site has four times the limit of a network, whatever its networks.
  const statuses = [];
  for (let index = 0; index < 20; index++) {
    statuses.push((await begin(`2001:db8:1:${index}::1`)).status);
  }
  assert.deepEqual(statuses, [...Array(12).fill(200), ...Array(8).fill(429)]);
});

test("a network beyond its limit is refused before its body is parsed, unless its browser is known", async (t) => {
  const { createBrowser } = await startInstance(t, {
    limits: { authorize: { requests: 1, windowSeconds: 60 } },
  });
  const [browser, stranger] = [createBrowser(), createBrowser()];
  await signIn(browser);
  const { csrf } = (await stranger.see("signIn", "/sign-in")).view;
  const begin = { action: "begin", csrf, username: "olive" };
  assert.equal((await stranger.postJson("/sign-in", begin)).status, 429);
  assert.equal((await stranger.postJson("/sign-in", { broken: true })).status, 429);
  assert.equal((await browser.postJson("/sign-in", { broken: true })).status, 400);
});

test("begun changes of a password count as begun sign-ins", async (t) => {
  const { createBrowser } = await startInstance(t, {
    limits: { authorize: { requests: 3, windowSeconds: 60 } },
  });
  const browser = createBrowser();
  await signIn(browser);
  browser.cookies.delete(KNOWN);
  const csrf = (await browser.see("settings", "/account/settings")).frame.account?.csrf;
  const begin = () => browser.postJson("/account/settings", { action: "begin", csrf });
  for (let count = 0; count < 2; count++) assert.equal((await begin()).status, 200);
  const limited = await begin();
  assert.deepEqual([limited.status, await errorOf(limited)], [429, "temporarily_unavailable"]);
  assert.equal(limited.headers.get("retry-after"), "60");
});

test("a request whose id begins like that of a plain sign-in is an app's all the same", async (t) => {
  const start = Buffer.from("own-", "base64url");
  const { createBrowser, clock } = await startInstance(t, {
    randomBytes: (length) => Uint8Array.from(Buffer.concat([start, randomBytes(length)], length)),
  });
  const browser = createBrowser();
  const path = (await browser.get(authorizePath())).headers.get("location") ?? "";
  assert.match(path, /interaction=own-/);
  const { csrf } = (await browser.see("signIn", path)).view;
  assert.equal(await signIn(browser, OLIVE, path), path.replace("sign-in", "consent"));
  clock.now += 10 * MINUTE_MS;
  const late = await browser.postJson("/sign-in", { action: "begin", csrf, username: "olive" });
  assert.deepEqual([late.status, await errorOf(late)], [400, "interaction_expired"]);
});
