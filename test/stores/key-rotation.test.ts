/** `trellis sync key`: the instance key is replaced, and no signed-in device or app notices. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { spawn } from "node:child_process";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { mkdir, rename, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { openServiceStore } from "../../src/identity/open-service-store.ts";
import type { TokenResponse } from "../../src/contract/sync/schemas.ts";
import { StorageUnavailableError } from "../../src/database/database.ts";
import { createSubscription } from "../../src/events/subscriptions/subscription-input.ts";
import { createFeedUrlCipher } from "../../src/events/subscriptions/feed-url.ts";
import { createSubscriptions } from "../../src/events/subscriptions/subscriptions.ts";
import { createAccounts } from "../../src/identity/accounts.ts";
import {
  createInstanceKey,
  readKeyRing,
  type InstanceKey,
} from "../../src/identity/instance-key.ts";
import { instanceKeyId, rotateKeyRing } from "../../src/identity/key-ring.ts";
import { changeKeyRing } from "../../src/operate/change-key-ring.ts";
import { EVENTS_STORE } from "../../src/events/sql/open-store.ts";
import { openSyncStore, SYNC_STORE } from "../../src/sync/sql/open-store.ts";
import { nextRefreshToken } from "../../src/rules/sync/refresh-token.ts";
import { createRefreshKeys } from "../../src/sync/devices/refresh-keys.ts";
import { SYNC_REALM } from "../../src/sync/store.ts";
import { createStorePlaces, STORE_KINDS, type StorePlace } from "../database/on-both-stores.ts";
import { addEventsAccount } from "../events/add-account.ts";
import { runInside } from "../fixtures/run-inside.ts";
import { createOperation } from "../fixtures/sync-operation.ts";
import { addSyncAccount } from "../sync/add-account.ts";
import { createHostPlace, originOf } from "../sync/host/serve-host.ts";
import { pullFrom, pushTo } from "../sync/operations/device.ts";
import { ANNA, signInOptions, startSyncService } from "../sync/service/sync-service.ts";
import { postJson, signIn, type Ask } from "../sync/sync-client.ts";

const { testOnBothStores, createPlace } = createStorePlaces(openSyncStore);
const FEED = new URL("https://calendar.example.com/secret.ics");

async function createInstance({ folder, dataDir, store }: StorePlace<unknown>) {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const settings = { dataDir, sync: { store, profile: "open" }, events: { store } };
  await writeFile(join(folder, "trellis.config.json"), JSON.stringify(settings));
  const instanceKeyFile = join(dataDir, "instance.key");
  const open = () => openServiceStore(SYNC_STORE, { store, instanceKeyFile }, dataDir);
  const openEvents = () => openServiceStore(EVENTS_STORE, { store, instanceKeyFile }, dataDir);
  const run = (words: string, input = "") => runInside(folder, words.split(" "), { input });
  const succeed = async (words: string, input = "") => {
    const ending = await run(words, input);
    assert.equal(ending.code, 0, `${words}: ${ending.stderr}`);
    return ending.stdout;
  };
  const fail = async (words: string, message: RegExp) => {
    const { code, stderr } = await run(words);
    assert.equal(code, 1, words);
    assert.match(stderr, message);
  };
  /** The service as a server starts it, with the clock of the machine. */
  const serve = async () => {
    const opened = await open();
    const { instanceKey } = opened;
    const service = await startSyncService(opened, { instanceKey, profile: "open", now: Date.now });
    return { ...service, store: opened, instanceKey };
  };
  const first = await open();
  await addSyncAccount(first, first.instanceKey, ANNA);
  await first.close();
  return { folder, dataDir, keyFile: instanceKeyFile, open, openEvents, run, succeed, fail, serve };
}

async function refresh(ask: Ask, refreshToken: string) {
  const response = await postJson(ask, "/v1/refresh", {
    grantType: "refresh_token",
    refreshToken,
  });
  return {
    status: response.status,
    body: (await response.json()) as TokenResponse & { error?: string },
  };
}

async function renew(ask: Ask, refreshToken: string): Promise<TokenResponse> {
  const { status, body } = await refresh(ask, refreshToken);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

async function describeDevice(ask: Ask, accessToken: string): Promise<number> {
  const headers = { Authorization: `Bearer ${accessToken}` };
  return (await ask("/v1/device", { headers })).status;
}

const currentId = (keyFile: string) => {
  const ring = readKeyRing(keyFile);
  assert.ok(ring !== null);
  return instanceKeyId(ring.secret);
};

function retiredIds(keyFile: string): string[] {
  return (readKeyRing(keyFile)?.retired ?? []).map(({ secret }) => instanceKeyId(secret));
}

testOnBothStores(
  "a rotated key signs no device out, and is refused once dropped",
  async (place) => {
    const instance = await createInstance(place);
    const { keyFile, succeed, fail } = instance;
    const before = await instance.serve();
    const [phone, laptop, tablet] = [
      await signIn(before.ask, signInOptions({ deviceId: "phone" })),
      await signIn(before.ask, signInOptions({ deviceId: "laptop" })),
      await signIn(before.ask, signInOptions({ deviceId: "tablet" })),
    ];
    const operations = [1, 2, 3].map((sequence) =>
      createOperation({ sequence, entityId: `note/${sequence}`, payload: { title: "a" } }),
    );
    await pushTo(before.store, operations);
    const page = await pullFrom(before.store, undefined, 2);
    // Its response is lost on the way.
    const lost = await renew(before.ask, tablet.refreshToken);
    const secretBefore = readFileSync(keyFile);
    const first = currentId(keyFile);

    await fail("sync key rotate --yes", /^The store is in use: stop `trellis serve`[^\n]*\n$/);
    await before.store.close();
    await fail(
      "sync key rotate",
      /^This replaces the instance key [0-9a-f]{12} of sync: nothing was changed; add --yes/,
    );
    assert.match(await succeed("sync key rotate --dry-run"), /3 devices stay signed in/);
    assert.deepEqual(readFileSync(keyFile), secretBefore);
    const printed = await succeed("sync key rotate --yes");
    const second = currentId(keyFile);
    assert.notEqual(second, first);
    assert.deepEqual(retiredIds(keyFile), [first]);
    assert.match(
      printed,
      new RegExp(`key of sync is now ${second}, 0 days old, 1 retired\n${first}`),
    );
    assert.equal(statSync(keyFile).mode & 0o777, 0o600);
    assert.deepEqual(
      readdirSync(place.dataDir).filter((name) => name.endsWith(".tmp")),
      [],
    );
    assert.match(
      await succeed("sync status"),
      new RegExp(`Key {10}${second}, 0 days old, 1 retired`),
    );
    assert.match((await instance.run("doctor")).stdout, new RegExp(`by this user only: ${second}`));
    assert.match(await succeed("sync key list"), new RegExp(`Retired {3}${first}.*3 devices not`));

    const after = await instance.serve();
    assert.equal(await describeDevice(after.ask, phone.accessToken), 200);
    const rest = await pullFrom(after.store, page.cursor, 2);
    assert.deepEqual([rest.requiresSnapshot, rest.operations], [false, operations.slice(2)]);
    const repeated = await renew(after.ask, tablet.refreshToken);
    assert.equal(repeated.refreshToken, lost.refreshToken, "a lost response is repeated as it was");
    const renewed = await renew(after.ask, phone.refreshToken);
    const again = await renew(after.ask, phone.refreshToken);
    assert.equal(again.refreshToken, renewed.refreshToken);
    const { current } = createRefreshKeys(after.instanceKey);
    assert.equal(nextRefreshToken(phone.refreshToken, current).text, renewed.refreshToken);
    // A thief of the old key makes the token that the device would have got from it.
    const stolen = createRefreshKeys(createInstanceKey(secretBefore)).current;
    const forged = nextRefreshToken(phone.refreshToken, stolen).text;
    assert.equal((await refresh(after.ask, forged)).status, 401);
    const third = await renew(after.ask, renewed.refreshToken);
    // Now it would be the previous one, whose response might have been lost.
    assert.equal((await refresh(after.ask, forged)).status, 401);
    // A copy of a token from before the rotation, used after the device has renewed it.
    const tabletNow = await renew(after.ask, lost.refreshToken);
    assert.equal((await refresh(after.ask, tablet.refreshToken)).status, 401);
    assert.equal((await refresh(after.ask, tabletNow.refreshToken)).status, 401, "it is revoked");
    assert.equal(await describeDevice(after.ask, tabletNow.accessToken), 401);
    await signIn(after.ask, signInOptions({ deviceId: "new" }));
    await after.store.close();

    await fail(
      `sync key drop ${second} --yes`,
      /is in force: replace it with `trellis sync key rot/,
    );
    await fail("sync key drop 000000000000 --yes", /^There is no retired key "000000000000"/);
    await fail(`sync key drop ${first}`, /1 device has not renewed since and must sign in again/);
    await succeed(`sync key drop ${first} --yes`);
    assert.deepEqual(retiredIds(keyFile), []);
    const dropped = await instance.serve();
    assert.equal(
      (await refresh(dropped.ask, laptop.refreshToken)).body.error,
      "invalid_refresh_token",
    );
    await renew(dropped.ask, third.refreshToken);
    await signIn(dropped.ask, signInOptions({ deviceId: "laptop" }));
    await dropped.store.close();

    writeFileSync(keyFile, secretBefore);
    await fail("sync devices list", /is not the one that the sync store belongs to/);
  },
);

/** Kills the process when its transaction has begun to seal. */
async function interruptRotation(keyFile: string, store: string): Promise<void> {
  const script = fileURLToPath(new URL("interrupted-rotation.ts", import.meta.url));
  const child = spawn(process.execPath, [script, keyFile, store], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = once(child, "close");
  const [line] = (await Promise.race([once(child.stdout, "data"), ended])) as [unknown];
  assert.equal(String(line), "sealing\n");
  child.kill("SIGKILL");
  await ended;
}

testOnBothStores("a rotation that is killed is completed by the next start", async (place, t) => {
  const instance = await createInstance(place);
  const before = await instance.serve();
  const phone = await signIn(before.ask, signInOptions());
  const decoy = await findDecoy(before.store, before.instanceKey);
  await before.store.close();
  const first = currentId(instance.keyFile);
  await interruptRotation(instance.keyFile, place.store);
  assert.deepEqual(retiredIds(instance.keyFile), [first]);
  assert.match((await instance.run("doctor")).stdout, /its rotation was interrupted/);
  assert.match(await instance.succeed("sync devices list"), /^phone\n/, "a reader changes nothing");

  // Two processes start at once, as workers do.
  const opened = await Promise.all([instance.open(), instance.open()]);
  t.after(() => Promise.all(opened.map((store) => store.close())));
  assert.doesNotMatch((await instance.run("doctor")).stdout, /interrupted/);
  const [store] = opened;
  const { instanceKey } = store;
  const { ask } = await startSyncService(store, { instanceKey, now: Date.now });
  assert.equal(await describeDevice(ask, phone.accessToken), 200);
  await renew(ask, phone.refreshToken);
  await signIn(ask, signInOptions({ deviceId: "laptop" }));
  assert.deepEqual(await findDecoy(store, instanceKey), decoy, "unknown names look as before");
});

function findDecoy(
  store: Awaited<ReturnType<typeof openSyncStore>>,
  instanceKey: InstanceKey,
): Promise<unknown> {
  const accounts = createAccounts({ realm: SYNC_REALM, instanceKey });
  return store.transaction(({ identity }) => accounts.findCredentials(identity, "nobody"));
}

testOnBothStores("backups from before a rotation are verified and restored", async (place, t) => {
  const instance = await createInstance(place);
  const at = (name: string) => join(place.folder, name);
  const passphrase = "a passphrase for the key";
  await instance.succeed(`sync backup ${at("old.backup")}`);
  await instance.succeed(
    `sync backup ${at("keyed.backup")} --with-key --passphrase-stdin`,
    passphrase,
  );
  const first = currentId(instance.keyFile);
  await instance.succeed("sync key rotate --yes");
  await instance.succeed("sync key rotate --yes");
  const withKeys = `sync backup ${at("new.backup")} --with-key --passphrase-stdin`;
  await instance.succeed(withKeys, passphrase);
  for (const name of ["old.backup", "keyed.backup", "new.backup"]) {
    assert.match(await instance.succeed(`sync verify ${at(name)}`), /complete and authentic/);
  }
  await instance.succeed(`sync restore ${at("old.backup")} --yes`);
  const keyed = `sync restore ${at("keyed.backup")} --with-key --passphrase-stdin --yes`;
  await instance.succeed(keyed, passphrase);

  // On another machine: the account comes from the old backup, the keys from the new one.
  const elsewhere = await createPlace(
    t,
    place.store.startsWith("postgres") ? "PostgreSQL" : "SQLite",
  );
  const { dataDir } = elsewhere;
  const settings = { dataDir, sync: { store: elsewhere.store, profile: "open" } };
  await writeFile(join(elsewhere.folder, "trellis.config.json"), JSON.stringify(settings));
  const run = (words: string, input = "") =>
    runInside(elsewhere.folder, words.split(" "), { input });
  const restored = await run(
    `sync restore ${at("new.backup")} --with-key --passphrase-stdin --yes`,
    passphrase,
  );
  assert.equal(restored.code, 0, restored.stderr);
  const instanceKeyFile = join(dataDir, "instance.key");
  assert.deepEqual(readKeyRing(instanceKeyFile), readKeyRing(instance.keyFile));
  const section = { store: elsewhere.store, instanceKeyFile };
  const open = () => openServiceStore(SYNC_STORE, section, dataDir);
  const empty = await open();
  await empty.database.transaction((tx) => tx.script("DELETE FROM identity_accounts"));
  await empty.close();
  const old = await run(`sync restore ${at("old.backup")} --yes`);
  assert.equal(old.code, 0, old.stderr);
  assert.doesNotMatch(old.stdout, /encrypted with another instance key/);
  const store = await open();
  t.after(() => store.close());
  const { instanceKey } = store;
  const { ask } = await startSyncService(store, { instanceKey, now: Date.now });
  await signIn(ask, signInOptions());

  await instance.succeed(`sync key drop ${first} --yes`);
  await instance.fail(
    `sync restore ${at("old.backup")} --yes`,
    /not authentic under the instance key that is here: it was written with another/,
  );
});

testOnBothStores("one rotation is for all services of the key file", async (place, t) => {
  const instance = await createInstance(place);
  const before = await instance.openEvents();
  const accountId = await addEventsAccount(before, before.instanceKey, ANNA);
  assert.ok(accountId !== null);
  const cipher = createFeedUrlCipher(before.instanceKey);
  const sourceId = cipher.hash(accountId, FEED);
  const settings = { name: "School", defaultType: "info", rules: [] };
  const input = { accountId, url: FEED, sourceId, settings };
  await before.transaction(async ({ sources, subscriptions }) => {
    const ids = { sourceId, name: sourceId };
    await sources.findOrAdd({ ...ids, accountId, kind: "subscription", createdAt: 1 });
    await subscriptions.add(createSubscription(input, cipher, 1));
  });
  await instance.fail("sync key rotate --yes", /^The store is in use/);
  await before.close();
  const backup = join(place.folder, "old.backup");
  await instance.succeed(`events backup ${backup}`);
  assert.match(await instance.succeed("sync key rotate --yes"), /key of sync and events is now/);

  const expectFeed = async () => {
    const store = await instance.openEvents();
    t.after(() => store.close());
    const { instanceKey } = store;
    const subscriptions = createSubscriptions({
      store,
      instanceKey,
      fetchFeed: () => Promise.reject(new Error("Nothing is fetched")),
      defaultTimeZone: "UTC",
      forOperator: true,
    });
    const [listed] = await subscriptions.list(accountId);
    assert.deepEqual([listed?.sourceId, listed?.host], [sourceId, FEED.origin]);
    const found = await subscriptions.findByUrl(accountId, FEED.href);
    assert.equal(found?.sourceId, sourceId);
    const url = createFeedUrlCipher(instanceKey).open(accountId, found?.sealedUrl ?? "");
    assert.equal(url?.href, FEED.href, "it is sealed with the key in force");
    const accounts = createAccounts({ realm: "events", instanceKey });
    const { accountId: opened } = await store.transaction(({ identity }) =>
      accounts.findCredentials(identity, ANNA.username),
    );
    assert.equal(opened, accountId);
    await store.close();
  };
  await expectFeed();
  await instance.succeed(`events restore ${backup} --yes`);
  await expectFeed();
  const [first = ""] = retiredIds(instance.keyFile);
  await instance.succeed(`events key drop ${first} --yes`);
  await expectFeed();
  assert.match(await instance.succeed("events status"), /^Key {12}[0-9a-f]{12}, 0 days old$/m);
});

test("no key is dropped while a store that may need it is away", async (t) => {
  const place = await createPlace(t, "SQLite");
  const instance = await createInstance(place);
  const { folder, dataDir, store } = place;
  // Events has a file of its own, and names the key by a link.
  const [file, away] = [join(folder, "events.db"), join(folder, "away.db")];
  const instanceKeyFile = join(folder, "linked.key");
  await symlink(instance.keyFile, instanceKeyFile);
  const events = { store: `sqlite:${file}`, instanceKeyFile };
  const settings = { dataDir, sync: { store, profile: "open" }, events };
  await writeFile(join(folder, "trellis.config.json"), JSON.stringify(settings));
  const create = "events account create --username anna --password-stdin";
  await instance.succeed(create, ANNA.password);
  const first = currentId(instance.keyFile);
  assert.match(await instance.succeed("sync key rotate --yes"), /key of sync and events is now/);
  await rename(file, away);
  const isAway = /^There is no events store at ".*", but the high-water mark .*: put it back/;
  await instance.fail(`sync key drop ${first} --yes`, isAway);
  assert.deepEqual(retiredIds(instance.keyFile), [first]);
  await rename(away, file);
  await instance.succeed(`events key drop ${first} --yes`);
  await instance.succeed("events status");
});

test("a rotation that the store ends says that the new file is to be kept", async (t) => {
  const place = await createPlace(t, "SQLite");
  const instance = await createInstance(place);
  const full = () => Promise.reject(new StorageUnavailableError("the disk is full"));
  const service = { ...SYNC_STORE, reseal: full };
  const highWaterPath = join(place.dataDir, service.highWaterFile);
  const rotation = changeKeyRing(
    instance.keyFile,
    [{ service, store: place.store, highWaterPath }],
    async (ring) => rotateKeyRing(ring, Date.now(), Date.now()),
  );
  await assert.rejects(rotation, /the disk is full\. The new key is in its place already: keep it/);
  assert.equal(retiredIds(instance.keyFile).length, 1);
  await instance.succeed("sync key rotate --yes");
  assert.equal(retiredIds(instance.keyFile).length, 2);
  const { ask, store } = await instance.serve();
  t.after(() => store.close());
  await signIn(ask, signInOptions());
});

for (const kind of STORE_KINDS) {
  test(`the key of one instance among several is rotated (${kind})`, async (t: TestContext) => {
    const { dataDir, store } = await createHostPlace(t, kind);
    const instances = Object.fromEntries(
      ["ada", "bob"].map((name) => [name, { baseUrl: originOf(name) }]),
    );
    const settings = { dataDir, sync: { instances, ...(store !== undefined && { store }) } };
    await writeFile(join(dataDir, "trellis.config.json"), JSON.stringify(settings));
    const run = async (words: string, input = "") => {
      const ending = await runInside(dataDir, ["sync", ...words.split(" ")], { input });
      assert.equal(ending.code, 0, `${words}: ${ending.stderr}`);
      return ending.stdout;
    };
    const create = "account create --username anna --password-stdin";
    for (const name of ["ada", "bob"]) await run(`${create} --instance ${name}`, ANNA.password);
    const keyOf = async (name: string) => {
      const list = JSON.parse(await run(`key list --instance ${name} --json`)) as {
        key: { id: string };
      };
      return list.key.id;
    };
    const [ada, bob] = [await keyOf("ada"), await keyOf("bob")];
    await run("key rotate --instance ada --yes");
    assert.notEqual(await keyOf("ada"), ada);
    assert.equal(await keyOf("bob"), bob);
    const [retired = ""] = /(?<=Retired {3})\w+/.exec(await run("key list --instance ada")) ?? [];
    assert.equal(retired, ada);
    await run(`key drop ${retired} --instance ada --yes`);
    await run("key rotate --instance ada --yes");
    assert.match(await run("status --instance ada"), /1 retired/);
    assert.doesNotMatch(await run("status --instance bob"), /retired/);
  });
}
