import assert from "node:assert/strict";
import { createAdministration } from "../../../src/events/maintenance/administration.ts";
import { createInstanceKey } from "../../../src/identity/instance-key.ts";
import { testOnBothStores } from "../store/on-both-stores.ts";
import {
  MINUTE_MS,
  OLIVE,
  PIET,
  startInstance,
  type EventsInstance,
  type InstanceOptions,
} from "./events-instance.ts";
import { guessUntilThrottled, signIn } from "./journey.ts";
import type { TestBrowser } from "./test-browser.ts";

const PATH = "/sign-in-link";
const KNOWN = "trellis-events-known";

type Context = Parameters<typeof startInstance>[0];

async function start(t: Context, options: InstanceOptions) {
  const instance: EventsInstance = await startInstance(t, { accounts: [OLIVE, PIET], ...options });
  const administration = createAdministration({
    store: instance.store,
    instanceKey: createInstanceKey(new Uint8Array(32)),
    now: () => instance.clock.now,
  });
  const makeLink = async (username = OLIVE.username) => {
    const link = await administration.createSignInLink(username);
    assert.ok(link !== null);
    return link.secret;
  };
  return { ...instance, administration, makeLink };
}

const use = (browser: TestBrowser, link: string) =>
  browser.postJson(PATH, { link }, { "Sec-Fetch-Site": "same-origin" });

testOnBothStores(
  "while strangers guess, a new browser signs in with a link and the password",
  async (place, t) => {
    const { createBrowser, makeLink, notices, log } = await start(t, { place });
    assert.equal(await guessUntilThrottled(createBrowser(), OLIVE.username), 5);
    const browser = createBrowser();
    assert.equal(await guessUntilThrottled(browser, OLIVE.username), 0);
    const link = await makeLink();
    const used = await use(browser, link);
    assert.equal(used.status, 200);
    assert.match(
      used.headers.getSetCookie().join(),
      /^trellis-events-known=[\w-]{43}; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    const introduced = browser.cookies.get(KNOWN);
    await signIn(browser);
    assert.notEqual(browser.cookies.get(KNOWN), introduced);
    const kinds = notices.flatMap((notice) =>
      notice.kind === "security-event" ? [notice.event.kind] : [],
    );
    assert.deepEqual(kinds, ["throttling-begun", "sign-in-link-used", "new-device"]);
    assert.ok(!JSON.stringify([log, notices]).includes(link));
  },
);

testOnBothStores(
  "a link is for its account, works once, and wrong passwords hold its browser",
  async (place, t) => {
    const { createBrowser, makeLink, clock } = await start(t, { place });
    await guessUntilThrottled(createBrowser(), OLIVE.username);
    await guessUntilThrottled(createBrowser(), PIET.username);
    const browser = createBrowser();
    const [link, late] = [await makeLink(PIET.username), await makeLink()];
    assert.equal((await use(browser, link)).status, 200);
    assert.equal((await use(createBrowser(), link)).status, 401);
    assert.equal(await guessUntilThrottled(browser, OLIVE.username), 0);
    assert.equal(await guessUntilThrottled(browser, PIET.username), 5);
    clock.now += 10 * MINUTE_MS;
    const refused = await use(browser, late);
    assert.equal(refused.status, 401);
    const { error_description: description } = (await refused.json()) as Record<string, string>;
    assert.match(description ?? "", /^The link was used before, has expired or is not complete/);
  },
);

testOnBothStores(
  "reading the page, and requests of other sites, use no link up",
  async (place, t) => {
    const { createBrowser, makeLink, administration, ask } = await start(t, { place });
    const browser = createBrowser();
    const link = await makeLink();
    await browser.see("signInLink", PATH);
    const german = await browser.see("signInLink", `${PATH}?lang=de`);
    assert.equal(german.frame.language, "de");
    assert.equal((await ask(PATH, { method: "HEAD" })).status, 200);
    for (const query of ["lang=de&lang=en", "lang=fr"]) {
      assert.equal((await browser.get(`${PATH}?${query}`)).status, 400, query);
    }
    const statusOf = async (response: Promise<Response>) => (await response).status;
    for (const site of ["cross-site", "same-site"]) {
      const headers = { "Sec-Fetch-Site": site };
      assert.equal(await statusOf(browser.postJson(PATH, { link }, headers)), 403);
    }
    assert.equal(await statusOf(browser.submit(PATH, { link })), 415);
    const preflight = { Origin: "https://evil.example", "Access-Control-Request-Method": "POST" };
    const refused = await ask(PATH, { method: "OPTIONS", headers: preflight });
    assert.equal(refused.headers.get("access-control-allow-origin"), null);
    assert.equal(refused.status, 405);
    assert.equal(await statusOf(use(browser, link)), 200);
    assert.equal(await administration.createSignInLink("bob"), null);
  },
);

testOnBothStores("links are limited by network, apart from begun sign-ins", async (place, t) => {
  const limits = { authorize: { requests: 5, windowSeconds: 60 } };
  const { createBrowser, makeLink, clock } = await start(t, { place, limits });
  const browser = createBrowser();
  assert.equal(await guessUntilThrottled(createBrowser(), OLIVE.username), 5);
  for (let count = 0; count < 5; count++) {
    assert.equal((await use(browser, "A".repeat(43))).status, 401);
  }
  const link = await makeLink();
  assert.equal((await use(browser, link)).status, 429);
  clock.now += MINUTE_MS;
  assert.equal((await use(browser, link)).status, 200);
});
