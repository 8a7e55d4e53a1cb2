import assert from "node:assert/strict";
import { createAdministration } from "../../../src/events/maintenance/administration.ts";
import { createInstanceKey } from "../../../src/identity/instance-key.ts";
import { testOnBothStores } from "../store/on-both-stores.ts";
import {
  OLIVE,
  PIET,
  startInstance,
  type EventsInstance,
  type InstanceOptions,
} from "./events-instance.ts";
import { guessUntilThrottled } from "./journey.ts";
import type { TestBrowser } from "./test-browser.ts";

const PATH = "/sign-in-link";

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
  "a link is for its account, works once, and wrong passwords hold its browser",
  async (place, t) => {
    const { createBrowser, makeLink, administration } = await start(t, { place });
    await guessUntilThrottled(createBrowser(), OLIVE.username);
    await guessUntilThrottled(createBrowser(), PIET.username);
    const browser = createBrowser();
    const link = await makeLink(PIET.username);
    const used = await use(browser, link);
    assert.match(
      used.headers.getSetCookie().join(),
      /^trellis-events-known=[\w-]{43}; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    assert.equal((await use(createBrowser(), link)).status, 401);
    assert.equal(await guessUntilThrottled(browser, OLIVE.username), 0);
    assert.equal(await guessUntilThrottled(browser, PIET.username), 5);
    assert.equal(await administration.createSignInLink("bob"), null);
  },
);
