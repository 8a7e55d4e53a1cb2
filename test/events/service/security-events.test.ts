import assert from "node:assert/strict";
import { testOnBothStores } from "../store/on-both-stores.ts";
import { OLIVE, startInstance, type EventsInstance } from "./events-instance.ts";
import {
  changePassword,
  connect,
  createWireVerifier,
  obtainCode,
  redeem,
  signIn,
  trySignIn,
} from "./journey.ts";

const WRONG = { ...OLIVE, password: "not the password" };

async function readCounts({ store }: EventsInstance): Promise<Record<string, number>> {
  const counts = await store.transaction(({ identity }) => identity.listSecurityCounts());
  return Object.fromEntries(counts.map(({ kind, total }) => [kind, total]));
}

testOnBothStores("attacks on sign-ins and codes are reported and counted", async (place, t) => {
  const instance = await startInstance(t, { place });
  const browser = instance.createBrowser();
  await signIn(browser);
  // The browser is known now, so its next sign-in is none of a new device.
  browser.cookies.delete("trellis-events-session");
  await signIn(browser);
  await connect(instance, browser);
  const code = await obtainCode(browser);
  assert.equal((await redeem(instance, code)).status, 200);
  assert.equal((await redeem(instance, code)).status, 400);
  instance.clock.now += 3000;
  assert.equal((await redeem(instance, code)).status, 400);
  for (let attempt = 0; attempt < 5; attempt++) {
    assert.equal((await trySignIn(instance.createBrowser(), WRONG)).status, 401);
  }
  assert.equal((await trySignIn(instance.createBrowser(), WRONG)).status, 429);
  const verifier = await createWireVerifier("another password");
  assert.equal((await changePassword(browser, OLIVE, verifier)).response.status, 200);

  const event = (kind: string) => ({
    kind: "security-event",
    event: { kind, network: "127.0.0.0/24" },
  });
  assert.deepEqual(
    instance.notices.filter(({ kind }) => kind === "security-event"),
    ["new-device", "code-replay", "throttling-begun", "password-changed"].map(event),
  );
  assert.deepEqual(await readCounts(instance), {
    "new-device": 1,
    "code-replay": 1,
    "throttling-begun": 1,
    "password-changed": 1,
  });
});
