import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { createAdministration } from "../../../src/events/maintenance/administration.ts";
import { createInstanceKey } from "../../../src/identity/instance-key.ts";
import { createPlace, testOnBothStores } from "../store/on-both-stores.ts";
import { APP, OLIVE, PIET, START, startInstance } from "./events-instance.ts";
import { connect, readEvents, signIn } from "./journey.ts";

const instanceKey = createInstanceKey(randomBytes(32));

testOnBothStores("accounts are created with their time zone, listed and found", async (place) => {
  const store = await place.open();
  let ticks = START;
  const now = () => ticks++;
  const administration = createAdministration({
    store,
    instanceKey,
    timeZone: "Europe/Berlin",
    now,
  });
  const made = await administration.createAccount("Ame\u0301lie", OLIVE.password, "america/lima");
  assert.equal(made.kind, "done");
  await administration.createAccount("piet", PIET.password);
  for (const [username, password, timeZone, kind] of [
    ["piet", PIET.password, "UTC", "account-exists"],
    ["x\u0000", PIET.password, "UTC", "invalid-username"],
    ["jan", "short", "UTC", "password-refused"],
    ["jan", PIET.password, "Mars/Olympus", "unknown-time-zone"],
  ] as const) {
    const result = await administration.createAccount(username, password, timeZone);
    assert.equal(result.kind, kind);
  }
  const listed = await administration.listAccounts();
  assert.deepEqual(
    listed.map(({ username, timeZone, language }) => [username, timeZone, language]),
    [
      ["Amélie", "America/Lima", null],
      ["piet", "Europe/Berlin", null],
    ],
  );
  assert.ok(!JSON.stringify(listed).includes("erifier"));
  assert.equal((await administration.findAccount("Ame\u0301lie"))?.timeZone, "America/Lima");
  assert.equal(await administration.findAccount("nobody"), null);
});

test("a password set by the operator ends every session", async (t) => {
  const place = await createPlace(t, "SQLite");
  const key = createInstanceKey(randomBytes(32));
  const instance = await startInstance(t, { place, instanceKey: key });
  const { store, clock } = instance;
  const administration = createAdministration({ store, instanceKey: key, now: () => clock.now });
  const browser = instance.createBrowser();
  await signIn(browser);
  const changed = { ...OLIVE, password: "a completely new password" };
  const result = await administration.changePassword(OLIVE.username, changed.password, false);
  assert.equal(result.kind === "done" && result.endedSessions, 1);
  const counts = await store.transaction(({ identity }) => identity.listSecurityCounts());
  assert.deepEqual(
    counts.map(({ kind, total }) => [kind, total]),
    [
      ["new-device", 1],
      ["password-changed", 1],
    ],
  );
  assert.equal((await browser.get("/")).status, 302);
  await signIn(browser, changed);
  assert.equal(
    (await administration.changePassword("nobody", "long enough 123", true)).kind,
    "no-account",
  );
  assert.equal(
    (await administration.changePassword("olive", "short", true)).kind,
    "password-refused",
  );
});

test("the operator sees and ends grants", async (t) => {
  const instance = await startInstance(t, { accounts: [OLIVE, PIET] });
  const { store, clock } = instance;
  const administration = createAdministration({ store, instanceKey, now: () => clock.now });
  const [olive, piet] = [instance.createBrowser(), instance.createBrowser()];
  await signIn(olive);
  await signIn(piet, PIET);
  const tokens: string[] = [];
  for (const browser of [olive, olive, piet]) {
    tokens.push((await connect(instance, browser)).access_token);
    clock.now += 1000;
  }
  const statuses = async () => {
    const found: number[] = [];
    for (const token of tokens) found.push((await readEvents(instance, token)).status);
    return found;
  };
  const all = (await administration.listGrants()) ?? [];
  assert.deepEqual(
    all.map(({ username, clientId }) => [username, clientId]),
    [
      ["piet", APP.id],
      ["olive", APP.id],
      ["olive", APP.id],
    ],
  );
  assert.ok(!JSON.stringify(all).includes("Hash"));
  assert.equal((await administration.listGrants("olive"))?.length, 2);
  assert.equal(await administration.listGrants("nobody"), null);
  assert.equal(await administration.revokeGrant(all[2]?.grantId ?? ""), true);
  assert.equal(await administration.revokeGrant(all[2]?.grantId ?? ""), false);
  assert.deepEqual(await statuses(), [401, 200, 200]);
  assert.equal(await administration.revokeAllGrants("olive"), 1);
  assert.equal(await administration.revokeAllGrants("nobody"), null);
  assert.deepEqual(await statuses(), [401, 401, 200]);
});
