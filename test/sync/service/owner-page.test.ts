import assert from "node:assert/strict";
import { test } from "node:test";
import { SYNC_ROUTES } from "../../../src/contract/sync/routes.ts";
import {
  OWNER_ABSOLUTE_SECONDS,
  OWNER_IDLE_SECONDS,
} from "../../../src/contract/sync/owner-values.ts";
import type { SecurityEvent } from "../../../src/identity/security-event.ts";
import { sampleOperation, sampleOperations } from "../../../store-contract/samples.ts";
import { createPlace, testOnBothStores } from "../operations/on-both-stores.ts";
import { authorize, postJson, signIn } from "../sync-client.ts";
import { createAppSignIn } from "./app-sign-in.ts";
import { createOwnerBrowser } from "./owner-browser.ts";
import { ANNA, redeem, signInOptions, START, startSyncService } from "./sync-service.ts";

const SESSION = "trellis-sync-owner-session";
const HTML = { Accept: "text/html,application/xhtml+xml" };
const NEW_PASSWORD = "another horse battery staple";

const statusOf = async (response: Promise<Response>) => (await response).status;

test("a person of a shared server reads no command of its operator", async (t) => {
  const store = await (await createPlace(t, "SQLite")).open();
  const backups = { last: null, failingSince: null };
  const read = async (isShared: boolean) => {
    const { ask } = await startSyncService(store, {
      readBackups: async () => ({ ...backups, isShared }),
    });
    const browser = createOwnerBrowser(ask);
    await browser.signIn();
    return browser.readPage("/?tab=data");
  };
  assert.match(await read(false), /trellis sync backup FILE/);
  const page = await read(true);
  assert.match(page, /The operator of this server has made none yet/);
  assert.doesNotMatch(page, /<code>trellis/);
});

testOnBothStores(
  "the owner signs in to a page with devices, storage and activity",
  async (place) => {
    const store = await place.open();
    const { ask } = await startSyncService(store, {
      readBackups: async () => ({
        last: { createdAt: START - 3 * 3_600_000, bytes: 12_345_678 },
        failingSince: null,
      }),
    });
    await signIn(ask, signInOptions({ deviceId: "phone-of-anna" }));
    await store.operations.append(sampleOperations(7), START - 86_400_000);
    const browser = createOwnerBrowser(ask);
    const before = await browser.send("/");
    assert.equal(before.status, 200);
    const page = await before.text();
    assert.match(page, /needs JavaScript/);
    assert.doesNotMatch(page, /phone-of-anna/);
    const proved = await browser.signIn();
    assert.equal(proved.status, 200);
    const [cookie = ""] = proved.headers.getSetCookie();
    assert.match(
      cookie,
      new RegExp(
        `^${SESSION}=[A-Za-z0-9_-]{43}; Max-Age=${OWNER_ABSOLUTE_SECONDS}; Path=/; HttpOnly; SameSite=Strict$`,
      ),
    );
    assert.equal(((await proved.json()) as { next: string }).next, "/");
    const shown = await browser.send("/");
    assert.match(shown.headers.get("content-security-policy") ?? "", /default-src 'none'/);
    assert.equal(shown.headers.get("referrer-policy"), "no-referrer");
    assert.equal(shown.headers.get("cache-control"), "no-store");
    const text = await shown.text();
    for (const part of [
      /Signed in as <strong>anna/,
      /Device phone-of-anna/,
      /just now, 10:00/,
      /Times are in the time zone UTC\./,
    ]) {
      assert.match(text, part);
    }
    const data = await browser.readPage("/?tab=data");
    assert.doesNotMatch(data, /phone-of-anna/);
    for (const part of [
      /3 hours ago, 07:00<\/time> \(12.3 MB\)/,
      /7 changes in the last 30 days/,
      /<th scope="row">20 August<\/th>\s*<td>7<\/td>/,
    ]) {
      assert.match(data, part);
    }
    assert.match(await browser.readPage("/?lang=de"), /Gerät phone-of-anna/);
    assert.match(await browser.readPage("/?tab=data&lang=de"), /vor 3 Stunden/);
  },
);

testOnBothStores("the owner sees a quota, and that it is used up", async (place) => {
  const store = await place.open();
  let maxBytes = 1e9;
  const usedBytes = async () => 0;
  const readPage = async (path: string) => {
    const { ask } = await startSyncService(store, { quota: { storage: { maxBytes, usedBytes } } });
    const browser = createOwnerBrowser(ask);
    await browser.signIn();
    return browser.readPage(path);
  };
  const roomy = await readPage("/?tab=data");
  assert.match(roomy, /[\d.]+ (?:kB|MB) of 1,000 MB/);
  assert.doesNotMatch(roomy, /used up/);
  maxBytes = 1000;
  assert.match(await readPage("/?tab=data"), /of 1 kB[^]*Your storage is full\./);
  assert.match(await readPage("/?tab=data&lang=de"), /von 1 kB[^]*Dein Speicher ist voll\./);
});

test("the owner of sealed data sees that the server cannot read it", async (t) => {
  const store = await (await createPlace(t, "SQLite")).open();
  const readPages = async (profile: "open" | "sealed") => {
    const browser = createOwnerBrowser((await startSyncService(store, { profile })).ask);
    await browser.signIn();
    return {
      en: await browser.readPage("/?tab=data"),
      de: await browser.readPage("/?tab=data&lang=de"),
    };
  };
  const { en, de } = await readPages("sealed");
  assert.match(
    en,
    /End-to-end encrypted: this server cannot read your data[^]*<code>trellis sync open FILE<\/code>/,
  );
  assert.match(
    de,
    /Ende-zu-Ende-verschlüsselt: Dieser Server kann deine Daten nicht lesen[^]*sync open DATEI<\/code>/,
  );
  assert.doesNotMatch(en, /without a password/);
  const clear = await readPages("open");
  assert.doesNotMatch(clear.en + clear.de, /[Ss]ealed|[Vv]ersiegelt|sync open/);
});

testOnBothStores("a language or a tab that is repeated or unknown is refused", async (place) => {
  const { ask } = await startSyncService(await place.open());
  const browser = createOwnerBrowser(ask);
  await browser.signIn();
  for (const query of [
    "lang=de&lang=de",
    "lang=de&lang=en",
    "lang=fr",
    "lang=",
    "lang=%ff",
    "tab=data&tab=data",
    "tab=Data",
  ]) {
    for (const [path, init] of [
      ["/", {}],
      ["/", { method: "HEAD" }],
      ["/", { method: "POST", body: new URLSearchParams({ action: "sign-out" }) }],
      ["/owner/sign-in", { method: "POST" }],
      ["/owner/password", { method: "POST" }],
      ["/owner/export.json", {}],
    ] as const) {
      assert.equal(await statusOf(browser.send(`${path}?${query}`, init)), 400, `${path}?${query}`);
    }
  }
  // For clients that are no browsers there is no page, whatever they ask.
  assert.equal(await statusOf(ask("/?lang=de&lang=de", { headers: { Accept: "*/*" } })), 404);
  const isNotice = async (query: string) =>
    /The name of the device was saved/.test(await browser.readPage(`/?lang=en&${query}`));
  assert.equal(await isNotice("notice=device-named"), true);
  assert.equal(await isNotice("notice=device-named&notice=device-named"), false);
});

testOnBothStores(
  "the store has no session id, and nothing of the owner's page revives",
  async (place) => {
    const store = await place.open();
    const { ask } = await startSyncService(store);
    const browser = createOwnerBrowser(ask);
    await browser.signIn();
    const rows = await store.database.query("SELECT * FROM sync_browser_sessions");
    assert.equal(rows.length, 1);
    assert.ok(!JSON.stringify(rows).includes(browser.cookies.get(SESSION) ?? "missing"));
    // A database that was rolled back to before the sign-out is behind the session epoch.
    await store.database.transaction((tx) =>
      tx.query(
        `INSERT INTO identity_session_epochs (instance, realm, epoch) VALUES ($instance, 'sync', 0)
         ON CONFLICT (instance, realm) DO NOTHING`,
      ),
    );
    const copied = [...browser.cookies];
    await browser.submit({ action: "sign-out" });
    await browser.signIn();
    await store.database.transaction((tx) =>
      tx.query("UPDATE identity_session_epochs SET epoch = epoch - 1"),
    );
    await store.close();
    const again = await place.open();
    assert.equal(again.sessionsWereRevoked, true);
    assert.deepEqual(await again.database.query("SELECT * FROM sync_browser_sessions"), []);
    assert.equal(copied.length, 2);
  },
);

testOnBothStores("the owner's cookie opens nothing under /v1", async (place) => {
  const { ask } = await startSyncService(await place.open());
  const browser = createOwnerBrowser(ask);
  await browser.signIn();
  assert.match(await browser.readPage(), /Signed in as/);
  const cookie = browser.cookieHeader();
  const session = browser.cookies.get(SESSION) ?? "";
  for (const { method, path, ...route } of Object.values(SYNC_ROUTES)) {
    const init = (headers: Record<string, string>): RequestInit => ({
      method,
      headers: { ...(method === "POST" && { "Content-Type": "application/json" }), ...headers },
      ...(method === "POST" && { body: "{}" }),
    });
    const plain = await ask(path, init({}));
    for (const headers of [
      { Cookie: cookie },
      { Cookie: cookie, "Sec-Fetch-Site": "same-origin", Origin: "http://localhost:4811" },
    ]) {
      const response = await ask(path, init(headers));
      assert.equal(response.status, plain.status, `${method} ${path}`);
      assert.deepEqual(response.headers.getSetCookie(), [], `${method} ${path}`);
    }
    const asBearer = await ask(path, init({ Authorization: `Bearer ${session}` }));
    assert.equal(asBearer.status, plain.status, `${method} ${path} with the cookie as a token`);
    if ("auth" in route) assert.equal(plain.status, 401, path);
  }
});

testOnBothStores("a session of the page ends when it is idle, and at last", async (place) => {
  const { ask, clock } = await startSyncService(await place.open());
  const browser = createOwnerBrowser(ask);
  await browser.signIn();
  clock.now += OWNER_IDLE_SECONDS * 1000 - 1;
  assert.match(await browser.readPage(), /Signed in as/);
  clock.now += OWNER_IDLE_SECONDS * 1000;
  assert.doesNotMatch(await browser.readPage(), /Signed in as/);
  await browser.signIn();
  const end = clock.now + OWNER_ABSOLUTE_SECONDS * 1000;
  while (clock.now < end - OWNER_IDLE_SECONDS * 1000) {
    clock.now += OWNER_IDLE_SECONDS * 500;
    assert.match(await browser.readPage(), /Signed in as/);
  }
  clock.now = end;
  assert.doesNotMatch(await browser.readPage(), /Signed in as/);
});

testOnBothStores("a device is named by its app until its owner names it", async (place) => {
  const { ask } = await startSyncService(await place.open());
  const browser = createOwnerBrowser(ask);
  await browser.signIn();
  const names = async () =>
    [...(await browser.readPage()).matchAll(/<h3>([^<]*)<\/h3>/g)].map(([, name]) => name);
  const options = signInOptions({ deviceId: "phone", displayName: "Pixel\u0007 9" });
  await signIn(ask, options);
  assert.equal((await names())[0], "Pixel  9");
  await browser.submit({ action: "name", device: "phone", name: "Annas Handy" });
  await signIn(ask, options);
  assert.equal((await names())[0], "Annas Handy");
  await assert.rejects(signIn(ask, { ...options, displayName: "x".repeat(61) }), /returned 400/);
  assert.equal((await names())[0], "Annas Handy");
});

testOnBothStores("the owner names a device and signs it out", async (place) => {
  const { ask } = await startSyncService(await place.open());
  const { accessToken } = await signIn(ask, signInOptions({ deviceId: "phone" }));
  const bearer = { headers: { Authorization: `Bearer ${accessToken}` } };
  const browser = createOwnerBrowser(ask);
  await browser.signIn();
  const named = await browser.submit({
    action: "name",
    device: "phone",
    name: " Annas\u0000 <b>Handy</b> ",
  });
  assert.equal(named.status, 303);
  assert.equal(named.headers.get("location"), "/?notice=device-named");
  assert.match(await browser.readPage(), /<h3>Annas {1,2}&lt;b&gt;Handy&lt;\/b&gt;<\/h3>/);
  // It keeps the name when it signs in again.
  await signIn(ask, signInOptions({ deviceId: "phone" }));
  assert.match(await browser.readPage(), /<h3>Annas/);
  const long = await browser.submit({ action: "name", device: "phone", name: "x".repeat(61) });
  assert.equal(long.status, 400);
  assert.match(await long.text(), /name is too long/);
  for (const device of ["tablet", "\u0000", ""]) {
    const gone = await browser.submit({ action: "revoke", device });
    assert.equal(gone.status, 400);
    assert.match(await gone.text(), /no longer signed in/);
  }
  assert.equal((await ask("/v1/device", bearer)).status, 401, "replaced by the second sign-in");
  const { accessToken: second } = await signIn(ask, signInOptions({ deviceId: "phone" }));
  const current = { headers: { Authorization: `Bearer ${second}` } };
  assert.equal((await ask("/v1/device", current)).status, 200);
  const revoked = await browser.submit({ action: "revoke", device: "phone" });
  assert.equal(revoked.headers.get("location"), "/?notice=device-signed-out");
  assert.equal((await ask("/v1/device", current)).status, 401);
  assert.match(await browser.readPage("/?notice=device-signed-out"), /No device is signed in/);
});

testOnBothStores("signing out everywhere ends devices, browsers and codes", async (place) => {
  const { ask } = await startSyncService(await place.open());
  const { accessToken } = await signIn(ask, signInOptions());
  const { code } = await authorize(ask, signInOptions({ deviceId: "laptop" }), "attempt-1");
  const [browser, other] = [createOwnerBrowser(ask), createOwnerBrowser(ask)];
  await browser.signIn();
  await other.signIn();
  const response = await browser.submit({ action: "sign-out-everywhere" });
  assert.equal(response.headers.get("location"), "/?notice=signed-out-everywhere");
  const bearer = { headers: { Authorization: `Bearer ${accessToken}` } };
  assert.equal((await ask("/v1/device", bearer)).status, 401);
  assert.equal((await redeem(ask, code, "attempt-1")).status, 400);
  for (const each of [browser, other]) assert.doesNotMatch(await each.readPage(), /Signed in as/);
});

testOnBothStores("what ends every device ends the browsers of the page", async (place) => {
  const { ask, administration } = await startSyncService(await place.open());
  const browser = createOwnerBrowser(ask);
  const { accessToken } = await signIn(ask, signInOptions());
  await browser.signIn();
  const headers = { Authorization: `Bearer ${accessToken}` };
  await postJson(ask, "/v1/revoke", { scope: "all" }, headers);
  assert.doesNotMatch(await browser.readPage(), /Signed in as/, "POST /v1/revoke");
  await browser.signIn();
  await administration.revokeAllDevices();
  assert.doesNotMatch(await browser.readPage(), /Signed in as/, "trellis sync devices");
  await browser.signIn();
  await postJson(ask, "/v1/revoke", { scope: "device" }, headers);
  assert.match(await browser.readPage(), /Signed in as/, "one device");
});

testOnBothStores(
  "a new password leaves devices signed in, unless the owner says otherwise",
  async (place) => {
    const { ask } = await startSyncService(await place.open());
    const browser = createOwnerBrowser(ask);
    await browser.signIn();
    const { accessToken } = await signIn(ask, signInOptions());
    const bearer = { headers: { Authorization: `Bearer ${accessToken}` } };
    assert.equal((await browser.changePassword(NEW_PASSWORD)).status, 200);
    assert.match(await browser.readPage("/?notice=password-changed"), /password was changed/);
    assert.equal((await ask("/v1/device", bearer)).status, 200);
    const renewed = { ...ANNA, password: NEW_PASSWORD };
    await browser.changePassword(ANNA.password, { signOutDevices: true }, renewed);
    assert.equal((await ask("/v1/device", bearer)).status, 401);
  },
);

testOnBothStores(
  "forms and proofs of other sites and of other sessions are refused",
  async (place) => {
    const { ask } = await startSyncService(await place.open(), {
      corsOrigins: ["https://app.example"],
    });
    await signIn(ask, signInOptions());
    const [browser, other] = [createOwnerBrowser(ask), createOwnerBrowser(ask)];
    await browser.signIn();
    await other.signIn();
    const { csrf } = await browser.readForm("password");
    const form = (token: string) => ({
      method: "POST",
      body: new URLSearchParams({ csrf: token, action: "revoke", device: "phone" }),
    });
    const stolen = await browser.send("/", form((await other.readForm("password")).csrf));
    assert.equal(stolen.status, 403);
    assert.match(await stolen.text(), /nothing was changed/);
    for (const site of ["cross-site", "same-site"]) {
      const init = { ...form(csrf), headers: { "Sec-Fetch-Site": site } };
      assert.equal((await browser.send("/", init)).status, 403, site);
      const begin = { action: "begin", csrf };
      const headers = { "Sec-Fetch-Site": site };
      assert.equal((await browser.postJson("/owner/password", begin, headers)).status, 403, site);
    }
    for (const Origin of ["https://app.example", "https://elsewhere.example", "null"]) {
      const response = await browser.send("/", { ...form(csrf), headers: { Origin } });
      assert.equal(response.status, 403, Origin);
      assert.equal(response.headers.get("access-control-allow-origin"), null);
      const preflight = await ask("/owner/sign-in", {
        method: "OPTIONS",
        headers: { Origin, "Access-Control-Request-Method": "POST" },
      });
      assert.equal(preflight.status, 403, Origin);
    }
    const anonymous = await ask("/", { ...form(csrf), headers: HTML });
    assert.equal(anonymous.status, 303);
    assert.match(await browser.readPage(), /Device phone/, "nothing was changed");
  },
);

testOnBothStores(
  "a proof for an app does not sign in to the page, nor the reverse",
  async (place) => {
    const { ask } = await startSyncService(await place.open());
    const browser = createOwnerBrowser(ask);
    const app = createAppSignIn(ask);
    // Each proof is valid where it belongs, and nowhere else.
    assert.equal(await statusOf(app.complete(await app.prove())), 200);
    assert.equal(await statusOf(browser.complete(await app.prove())), 401);
    assert.equal(await statusOf(app.complete(await browser.prove())), 401);
    assert.equal(await statusOf(browser.complete(await browser.prove())), 200);
  },
);

testOnBothStores(
  "a proof does not sign in with another challenge, in another browser, or at another instance",
  async (place, t) => {
    const { ask } = await startSyncService(await place.open());
    const [browser, other] = [createOwnerBrowser(ask), createOwnerBrowser(ask)];
    const [first, second] = [await browser.prove(), await browser.prove()];
    const mixed = { ...first, challengeId: second.challengeId };
    assert.equal(await statusOf(browser.complete(mixed)), 401, "another challenge");
    assert.equal(await statusOf(browser.complete(second)), 401, "the challenge is used up");
    assert.equal(await statusOf(other.complete(first)), 401, "another browser");
    const third = await browser.prove();
    // The same account and password, and even the same instance key.
    const twin = await startSyncService(await (await createPlace(t, "SQLite")).open());
    assert.equal(await statusOf(createOwnerBrowser(twin.ask).complete(third)), 401, "instance");
    assert.equal(await statusOf(browser.complete(third)), 200, "where it belongs");
    assert.equal(await statusOf(browser.complete(third)), 401, "again");
  },
);

testOnBothStores("what the owner does is noted, wherever it is done", async (place) => {
  const events: SecurityEvent[] = [];
  const store = await place.open();
  const { ask, administration } = await startSyncService(store, {
    onNotice: (notice) => {
      if (notice.kind === "security-event") events.push(notice.event);
    },
  });
  const readCounts = async () => {
    const counts = await store.transaction(({ identity }) => identity.listSecurityCounts());
    return Object.fromEntries(counts.map(({ kind, total }) => [kind, total]));
  };
  const takeEvents = () => events.splice(0).filter(({ kind }) => kind !== "new-device");
  const network = "192.0.2.0/24";
  const browser = createOwnerBrowser(ask);
  await browser.signIn();
  await signIn(ask, signInOptions());
  await browser.submit({ action: "revoke", device: "phone" });
  assert.deepEqual(takeEvents(), [{ kind: "device-signed-out", network }]);
  await browser.submit({ action: "revoke", device: "phone" });
  assert.deepEqual(takeEvents(), [], "it was signed out already");
  await browser.changePassword(NEW_PASSWORD);
  assert.deepEqual(takeEvents(), [{ kind: "password-changed", network }]);
  const renewed = { ...ANNA, password: NEW_PASSWORD };
  await browser.changePassword(ANNA.password, { signOutDevices: true }, renewed);
  assert.deepEqual(takeEvents(), [
    { kind: "password-changed", network },
    { kind: "signed-out-everywhere", network },
  ]);
  await browser.submit({ action: "sign-out-everywhere" });
  assert.deepEqual(takeEvents(), [{ kind: "signed-out-everywhere", network }]);
  const done = {
    "new-device": 2,
    "device-signed-out": 1,
    "password-changed": 2,
    "signed-out-everywhere": 2,
  };
  assert.deepEqual(await readCounts(), done);
  for (const revoke of [
    (headers: Record<string, string>) => postJson(ask, "/v1/revoke", { scope: "device" }, headers),
    (headers: Record<string, string>) => ask("/v1/device", { method: "DELETE", headers }),
    (headers: Record<string, string>) => postJson(ask, "/v1/revoke", { scope: "all" }, headers),
  ]) {
    const { accessToken } = await signIn(ask, signInOptions());
    assert.equal((await revoke({ Authorization: `Bearer ${accessToken}` })).status, 200);
  }
  assert.deepEqual(takeEvents(), [
    { kind: "device-signed-out", network },
    { kind: "device-signed-out", network },
    { kind: "signed-out-everywhere", network },
  ]);
  // A command has no request, and no log: it counts.
  await signIn(ask, signInOptions());
  await administration.revokeDevice("phone");
  await administration.revokeDevice("phone");
  await administration.revokeAllDevices();
  await administration.changePassword(NEW_PASSWORD);
  assert.deepEqual(takeEvents(), []);
  assert.deepEqual(await readCounts(), {
    "new-device": 6,
    "device-signed-out": 4,
    "password-changed": 3,
    "signed-out-everywhere": 5,
  });
});

testOnBothStores("the export has every live entity, and is streamed", async (place) => {
  const store = await place.open();
  const { ask } = await startSyncService(store);
  await store.operations.append(
    [
      sampleOperation(1, { payload: '{"exact":0.10,"big":9007199254740993}' }),
      ...sampleOperations(1200, "tablet"),
      sampleOperation(1, { deviceId: "watch", entityId: "note/gone" }),
      sampleOperation(2, { deviceId: "watch", entityId: "note/gone", kind: "delete" }),
    ],
    START,
  );
  const browser = createOwnerBrowser(ask);
  const before = await browser.send("/owner/export.json");
  assert.equal(before.status, 303);
  await browser.signIn();
  const response = await browser.send("/owner/export.json");
  assert.equal(
    response.headers.get("content-disposition"),
    'attachment; filename="sync-export-2026-08-21.json"',
  );
  const sizes: number[] = [];
  let text = "";
  for await (const chunk of response.body ?? []) {
    sizes.push(chunk.length);
    text += Buffer.from(chunk).toString("utf8");
  }
  assert.ok(sizes.length > 1 && Math.max(...sizes) < 70_000, `chunks of ${sizes.join(", ")}`);
  assert.match(text, /"payload":\{"exact":0\.10,"big":9007199254740993\}/);
  const { entities } = JSON.parse(text) as { entities: { entityId: string }[] };
  assert.equal(entities.length, 1201);
  assert.ok(entities.every(({ entityId }) => entityId !== "note/gone"));
});

testOnBothStores("the page is for browsers, and can be off", async (place) => {
  const store = await place.open();
  const { ask } = await startSyncService(store);
  for (const init of [{}, { headers: { Accept: "application/json" } }, { method: "POST" }]) {
    const response = await ask("/", init);
    assert.equal(response.status, 404);
    assert.deepEqual(response.headers.getSetCookie(), []);
    assert.equal(((await response.json()) as { error: string }).error, "not_found");
  }
  const off = await startSyncService(store, { ownerPage: false });
  for (const path of ["/", "/owner/sign-in", "/owner/password", "/owner/export.json"]) {
    for (const method of ["GET", "POST"]) {
      const response = await off.ask(path, { method, headers: HTML });
      assert.equal(response.status, 404, `${method} ${path}`);
      assert.deepEqual(response.headers.getSetCookie(), []);
    }
  }
});

test("an address that is not there is a page for browsers, and JSON for programs", async (t) => {
  const { ask } = await startSyncService(await (await createPlace(t, "SQLite")).open());
  for (const path of ["/nowhere", "/v1/nowhere", "//elsewhere.example/"]) {
    const program = await ask(path, { headers: { Accept: "*/*" } });
    const browser = await ask(`${path}?lang=de`, { headers: HTML });
    assert.deepEqual([program.status, browser.status], [404, 404]);
    const page = await browser.text();
    const reference = `<code>404 not_found</code>`;
    assert.ok(page.includes(reference) && page.includes("Seite nicht gefunden"), path);
    assert.ok(page.includes(`<code>${browser.headers.get("x-request-id")}</code>`));
    assert.match(page, /href="\?lang=en"/, "no path that another origin could be read into");
    assert.equal(((await program.json()) as { error: string }).error, "not_found");
    const shared = (headers: Headers) =>
      [...headers].filter(([name]) => !/^(?:content-|x-request-id|date)/.test(name));
    assert.deepEqual(shared(browser.headers), shared(program.headers));
  }
});

testOnBothStores("over https only this host can set the cookies", async (place) => {
  const { ask } = await startSyncService(await place.open(), { baseUrl: "https://sync.example" });
  const browser = createOwnerBrowser(ask);
  const cookies = [
    ...(await browser.send("/")).headers.getSetCookie(),
    ...(await browser.signIn()).headers.getSetCookie(),
  ];
  assert.equal(cookies.length, 2);
  for (const cookie of cookies) {
    assert.match(cookie, /^__Host-trellis-sync-owner-/);
    assert.match(cookie, /; Path=\/; HttpOnly; SameSite=Strict; Secure$/);
  }
});
