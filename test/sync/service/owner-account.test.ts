/** What the owner sees of sign-ins, browsers and passkeys, and the deletion of everything. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import type { SecurityEvent } from "../../../src/identity/security-event.ts";
import { sampleOperation, sampleOperations } from "../../../store-contract/samples.ts";
import type { SqlSyncStore } from "../../../src/sync/sql/open-sql-store.ts";
import { createPlace, testOnBothStores } from "../operations/on-both-stores.ts";
import { authorize, signIn, type Ask } from "../sync-client.ts";
import { createOwnerBrowser, type OwnerBrowser } from "./owner-browser.ts";
import { ANNA, redeem, signInOptions, startSyncService } from "./sync-service.ts";

const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0";
const SAFARI =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1";
const NOT_FRESH_MS = 15 * 60_000;

function section(page: string, id: string): string {
  const [, content = ""] = new RegExp(`id="${id}"([^]*?)</(?:section|main)>`).exec(page) ?? [];
  return content.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
}

async function isInitialized(ask: Ask): Promise<boolean> {
  const response = await ask("/v1/instance-info");
  return ((await response.json()) as { initialized: boolean }).initialized;
}

async function signedIn(ask: Ask, userAgent = FIREFOX): Promise<OwnerBrowser> {
  const browser = createOwnerBrowser(ask, userAgent);
  assert.equal((await browser.signIn()).status, 200);
  return browser;
}

test("the owner sees sign-ins of apps in the history, in the language of the page", async (t) => {
  const { ask } = await startSyncService(await (await createPlace(t, "SQLite")).open());
  await signIn(ask, signInOptions({ headers: { "User-Agent": SAFARI } }));
  const browser = await signedIn(ask);
  const history = section(await browser.readPage("/?tab=history"), "main");
  assert.match(history, /Signed in to an app new browser Safari on iPhone/);
  const german = section(await browser.readPage("/?tab=history&lang=de"), "main");
  assert.match(german, /In einer App angemeldet neuer Browser Safari auf iPhone/);
});

async function fillInstance(ask: Ask, store: SqlSyncStore) {
  const { accessToken } = await signIn(ask, signInOptions());
  const { code } = await authorize(ask, signInOptions({ deviceId: "laptop" }), "attempt-1");
  await store.operations.append(sampleOperations(5), Date.now());
  const bearer = { Authorization: `Bearer ${accessToken}` };
  const pulled = await ask("/v1/pull", { headers: bearer });
  const { cursor } = (await pulled.json()) as { cursor: string };
  return { bearer, code, cursor };
}

testOnBothStores("the owner deletes everything: data, devices and account", async (place) => {
  const events: SecurityEvent[] = [];
  const store = await place.open();
  const { ask, administration } = await startSyncService(store, {
    onNotice: (notice) => {
      if (notice.kind === "security-event") events.push(notice.event);
    },
  });
  // Another process on the same store, which has seen the account.
  const other = await startSyncService(await place.open());
  assert.equal(await isInitialized(other.ask), true);
  const { bearer, code, cursor } = await fillInstance(ask, store);
  const browser = await signedIn(ask);
  const elsewhere = await signedIn(other.ask);
  await browser.addPasskey();
  const wrong = await browser.submit({ action: "delete-everything", name: "Anna" });
  assert.equal(wrong.status, 400);
  assert.match(await wrong.text(), /Nothing was deleted: that is not your username/);
  assert.equal(await isInitialized(ask), true);

  const done = await browser.submit({ action: "delete-everything", name: " anna " });
  assert.equal(done.headers.get("location"), "/?notice=everything-deleted");
  assert.deepEqual(events.at(-1), { kind: "everything-deleted", network: "192.0.2.0/24" });
  for (const each of [ask, other.ask]) {
    assert.equal(await isInitialized(each), false);
    assert.equal((await each("/v1/device", { headers: bearer })).status, 401);
  }
  assert.equal((await redeem(ask, code, "attempt-1")).status, 400);
  const page = await browser.readPage("/?notice=everything-deleted");
  assert.match(page, /stored for you was deleted[^]*open the link that you received/);
  assert.doesNotMatch(page, /data-login=/, "there is nothing to sign in to");
  assert.doesNotMatch(await elsewhere.readPage(), /Signed in as/);
  for (const table of [
    "sync_operations",
    "sync_ledger",
    "sync_entities",
    "sync_keys",
    "sync_days",
    "sync_sessions",
    "sync_access_tokens",
    "sync_browser_sessions",
    "identity_accounts",
    "identity_challenges",
    "identity_secrets",
    "identity_failures",
    "identity_known_browsers",
    "identity_passkeys",
    "identity_sign_ins",
  ]) {
    const [row] = await store.database.query<{ rows: number }>(
      `SELECT count(*) AS rows FROM ${table}`,
    );
    assert.equal(row?.rows, 0, table);
  }

  // The operator creates an account again. A device that signs in starts anew, and uploads what it has.
  const created = await administration.createAccount("anna", ANNA.password);
  assert.equal(created.kind, "done");
  assert.equal(await isInitialized(other.ask), true);
  const { accessToken } = await signIn(ask, signInOptions());
  const headers = { Authorization: `Bearer ${accessToken}` };
  const pulled = await ask(`/v1/pull?cursor=${cursor}`, { headers });
  assert.match(await pulled.text(), /"recoveryReason":"[a-z_]+"/, "its cursor is not believed");
  assert.doesNotMatch(
    section(await (await signedIn(ask)).readPage("/?tab=history"), "main"),
    /refused/,
  );
});

testOnBothStores(
  "deleting everything needs a recent sign-in, and the owner's form",
  async (place) => {
    const store = await place.open();
    const { ask, clock } = await startSyncService(store);
    const { bearer } = await fillInstance(ask, store);
    const [browser, other] = [await signedIn(ask), await signedIn(ask)];
    const csrf = /name="csrf" value="([^"]*)"/.exec(await browser.readPage())?.[1] ?? "";
    const members = { action: "delete-everything", name: "anna" };
    const post = (from: OwnerBrowser, form: Record<string, string>, headers = {}) =>
      from.send("/", { method: "POST", headers, body: new URLSearchParams(form) });
    for (const [name, response] of [
      ["without a token", await post(browser, members)],
      ["with that of another session", await post(other, { ...members, csrf })],
      [
        "from another site",
        await post(browser, { ...members, csrf }, { "Sec-Fetch-Site": "cross-site" }),
      ],
    ] as const) {
      assert.equal(response.status, 403, name);
    }
    const stranger = createOwnerBrowser(ask);
    assert.equal((await post(stranger, { ...members, csrf })).status, 303, "without a session");
    clock.now += NOT_FRESH_MS;
    const stale = await browser.submit(members);
    assert.equal(stale.status, 400);
    assert.match(await stale.text(), /Please sign in again first/);
    assert.doesNotMatch(await browser.readPage("/?tab=data"), /value="delete-everything"/);
    // Nothing was deleted by any of them.
    assert.equal(await isInitialized(ask), true);
    assert.equal((await store.operations.page(0, 100)).count, 5);
    const again = await browser.submit({ action: "sign-in-again" });
    assert.equal(again.headers.get("location"), "/?notice=sign-in-again");
    assert.match(
      await browser.readPage("/?notice=sign-in-again"),
      /Please sign in again\. You then have 15 minutes/,
    );
    await browser.signIn();
    const { status } = await browser.submit(members);
    assert.equal(status, 303);
    assert.equal(await isInitialized(ask), false);
    assert.equal((await ask("/v1/device", { headers: bearer })).status, 401);
    const replayed = await post(browser, { ...members, csrf });
    assert.equal(replayed.status, 303, "the session is gone");
  },
);

testOnBothStores("a push that races the deletion stores nothing", async (place) => {
  const store = await place.open();
  const { ask, service } = await startSyncService(store, { profile: "open" });
  const { bearer } = await fillInstance(ask, store);
  const browser = await signedIn(ask);
  // The push is authenticated, and its body arrives after the deletion.
  const body = Promise.withResolvers<Uint8Array>();
  const reading = Promise.withResolvers<void>();
  const headers = new Headers({ ...bearer, "Content-Type": "application/json" });
  const pushing = service.http.respond({
    method: "POST",
    target: "/v1/push",
    header: (name) => headers.get(name),
    remoteAddress: "192.0.2.1",
    body: async function* () {
      reading.resolve();
      yield await body.promise;
    },
  });
  await reading.promise;
  const done = await browser.submit({ action: "delete-everything", name: "anna" });
  assert.equal(done.status, 303);
  const { text } = sampleOperation(9, { entityId: "habit/1", deviceId: "phone" });
  body.resolve(Buffer.from(`{"operations":[${text}]}`));
  assert.equal((await pushing).status, 401);
  assert.equal((await store.operations.page(0, 10)).count, 0);
});

test("a SQLite file has nothing left of what was deleted", async (t) => {
  const place = await createPlace(t, "SQLite");
  const store = await place.open();
  const { ask } = await startSyncService(store, { profile: "open" });
  const payload = '{"text":"A-SECRET-OF-ANNA"}';
  await store.operations.append([sampleOperation(1, { payload })], Date.now());
  const browser = await signedIn(ask);
  const readFiles = async () => {
    const file = place.store.replace(/^sqlite:/, "");
    const parts = await Promise.all(
      [file, `${file}-wal`].map((path) => readFile(path, "latin1").catch(() => "")),
    );
    return parts.join("");
  };
  assert.match(await readFiles(), /A-SECRET-OF-ANNA/);
  assert.equal((await browser.submit({ action: "delete-everything", name: "anna" })).status, 303);
  const left = await readFiles();
  assert.doesNotMatch(left, /A-SECRET-OF-ANNA/);
  assert.doesNotMatch(left, /anna/);
});

test("a new password leaves passkeys, of which its owner and the operator are told", async (t) => {
  const { ask, administration } = await startSyncService(
    await (await createPlace(t, "SQLite")).open(),
  );
  const browser = await signedIn(ask);
  const change = async (password: string, from = ANNA) => {
    const { next } = (await (await browser.changePassword(password, {}, from)).json()) as {
      readonly next: string;
    };
    return browser.readPage(next);
  };
  const changed = { ...ANNA, password: "another horse battery staple" };
  const page = await change(changed.password);
  assert.match(page, /Your password was changed/);
  assert.doesNotMatch(page, /Your passkeys still work/, "there is none");
  await browser.addPasskey();
  assert.match(await change(ANNA.password, changed), /Your passkeys still work. Please remove any/);
  const third = "a third horse battery staple";
  for (const [keepsPasskeys, removed] of [
    [true, 0],
    [false, 1],
    [false, 0],
  ] as const) {
    const result = await administration.changePassword(third, keepsPasskeys);
    assert.ok(result.kind === "done");
    assert.equal(result.removedPasskeys, removed);
  }
});

test("a session that ends meanwhile changes no way in, and deletes nothing", async (t) => {
  const store = await (await createPlace(t, "SQLite")).open();
  let endsNext = false;
  const { ask } = await startSyncService({
    ...store,
    // As a new password would, between the look for the session and the change.
    async findBrowserSession(hash, now) {
      const session = await store.findBrowserSession(hash, now);
      if (endsNext) await store.transaction((records) => records.browserSessions.close(hash));
      return session;
    },
  });
  const { passkey } = await (await signedIn(ask)).addPasskey();
  const endWith = async (members: Record<string, string>) => {
    endsNext = false;
    const browser = await signedIn(ask);
    const csrf = /name="csrf" value="([^"]*)"/.exec(await browser.readPage())?.[1] ?? "";
    endsNext = true;
    const body = new URLSearchParams({ csrf, ...members });
    const response = await browser.send("/", { method: "POST", body });
    assert.equal(response.headers.get("location"), "/", "nothing is said to be done");
  };
  await endWith({ action: "remove-passkey", passkey: passkey?.id ?? "" });
  await endWith({ action: "delete-everything", name: ANNA.username });
  assert.equal(await isInitialized(ask), true);
  endsNext = false;
  assert.match(section(await (await signedIn(ask)).readPage("/?tab=sign-in"), "passkeys"), /Phone/);
});

testOnBothStores(
  "the page says how often the server makes backups, and warns only without",
  async (place) => {
    const store = await place.open();
    const readStorage = async (backups: object) => {
      const { ask } = await startSyncService(store, {
        readBackups: async () => ({ last: null, failingSince: null, ...backups }),
      });
      return section(await (await signedIn(ask)).readPage("/?tab=data"), "storage");
    };
    assert.match(await readStorage({}), /No backup is known Make one on the server/);
    const scheduled = await readStorage({ every: "day" });
    assert.match(scheduled, /will make the first one soon The server makes one every day/);
    assert.doesNotMatch(scheduled, /Make one/);
  },
);
