import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import type { EventList } from "../../../src/contract/events/schemas.ts";
import type { ProofAccepted } from "../../../src/contract/password-proof.ts";
import type { SubscriptionFields } from "../../../src/events/pages.ts";
import type { EventSubscriptions } from "../../../src/events/subscriptions/subscriptions.ts";
import { testOnBothStores } from "../store/on-both-stores.ts";
import { sampleSource, sampleSubscription } from "../store/samples.ts";
import { APP, DAY_MS, HOUR_MS, OLIVE, PIET, START, startInstance } from "./events-instance.ts";
import {
  authorizePath,
  changePassword,
  connect,
  createWireVerifier,
  obtainCode,
  readEvents,
  redeem,
  signIn,
} from "./journey.ts";
import { readPage, type TestBrowser } from "./test-browser.ts";

const EVENT = {
  title: "Essay",
  subject: "English",
  type: "homework",
  date: "2026-09-01",
  time: "",
};

async function csrfOf(browser: TestBrowser): Promise<string> {
  return (await browser.see("home", "/")).frame.account?.csrf ?? "";
}

function assertNotice(response: Response, path: string, notice: string): void {
  assert.equal(response.status, 303);
  assert.equal(response.headers.get("location"), `${path}?notice=${notice}`);
}

const PATHS = ["/account/apps", "/account/events", "/account/subscriptions", "/account/settings"];

test("account pages are for signed-in people", async (t) => {
  const { createBrowser } = await startInstance(t);
  const browser = createBrowser();
  for (const path of ["/", ...PATHS]) {
    const seen = await browser.get(path);
    assert.deepEqual([seen.status, seen.headers.get("location")], [302, "/sign-in"], path);
  }
  for (const path of PATHS) {
    const sent = await browser.submit(path, { action: "revoke-all", csrf: "x" });
    assert.deepEqual([sent.status, sent.headers.get("location")], [303, "/sign-in"], path);
  }
});

test("no page that is only read waits for a writer", async (t) => {
  const { createBrowser, store } = await startInstance(t);
  const [browser, stranger] = [createBrowser(), createBrowser()];
  await signIn(browser);
  await browser.submit("/account/events", {
    ...EVENT,
    csrf: await csrfOf(browser),
    action: "add",
  });
  const { view } = await browser.see("events", "/account/events");
  const begin = async (person: TestBrowser) =>
    (await person.get(authorizePath())).headers.get("location") ?? "";
  const consent = await begin(browser);
  const unsigned = await begin(stranger);
  const writing = Promise.withResolvers<void>();
  const written = store.transaction(() => writing.promise);
  const seen = Promise.all([
    ...["/", consent, ...PATHS, `/account/events?edit=${view.events[0]?.eventId}`].map((path) =>
      browser.get(path),
    ),
    stranger.get(unsigned),
    stranger.get(unsigned.replace("sign-in", "consent")),
  ]);
  const first = await Promise.race([seen, setTimeout(5000, null, { ref: false })]);
  writing.resolve();
  await written;
  assert.deepEqual(
    first?.map(({ status }) => status),
    [200, 200, ...PATHS.map(() => 200), 200, 200, 302],
  );
});

test("every form is bound to its session, its site and its limits", async (t) => {
  const { createBrowser, ask } = await startInstance(t, { accounts: [OLIVE, PIET] });
  const [browser, other] = [createBrowser(), createBrowser()];
  await signIn(browser);
  await signIn(other, PIET);
  const csrf = await csrfOf(browser);
  const foreign = await csrfOf(other);
  for (const path of PATHS) {
    for (const [fields, headers] of [
      [{}, {}],
      [{ csrf: foreign }, {}],
      [{ csrf }, { "Sec-Fetch-Site": "cross-site" }],
      [{ csrf }, { "Sec-Fetch-Site": "same-site" }],
    ] as const) {
      const response = await browser.submit(path, { action: "add", ...fields }, headers);
      assert.equal(response.status, 403, path);
      assert.equal((await readPage("error", response)).view.code, "csrf-failed");
    }
    for (const action of ["", "nothing", "__proto__", "constructor"]) {
      const response = await browser.submit(path, { action, csrf });
      assert.equal(response.status, 400, `${path} ${action}`);
      assert.equal((await readPage("error", response)).view.code, "malformed-request");
    }
    const Cookie = [...browser.cookies].map((pair) => pair.join("=")).join("; ");
    const form = { Cookie, "Content-Type": "application/x-www-form-urlencoded" };
    for (const [headers, body, status] of [
      [form, `csrf=${csrf}&action=add&title=%ff`, 400],
      [form, `csrf=${csrf}&action=add&action=add`, 400],
      [form, Buffer.from(`csrf=${csrf}&action=add&title=\u00ff`, "latin1"), 400],
      [form, `csrf=${csrf}&action=add&title=${"x".repeat(65_536)}`, 413],
      [{ ...form, "Content-Type": "multipart/form-data; boundary=x" }, "--x--", 415],
    ] as const) {
      const response = await ask(path, { method: "POST", headers, body });
      assert.equal(response.status, status, `${path} ${String(body).slice(0, 80)}`);
    }
  }
});

testOnBothStores(
  "connected apps are seen and disconnected by their owner alone",
  async (place, t) => {
    const instance = await startInstance(t, { place, accounts: [OLIVE, PIET] });
    const { clock } = instance;
    const [olive, piet] = [instance.createBrowser(), instance.createBrowser()];
    await signIn(olive);
    await signIn(piet, PIET);
    const tokens: string[] = [];
    for (let count = 0; count < 3; count++) {
      tokens.push((await connect(instance, olive)).access_token);
      clock.now += 1000;
    }
    const { view } = await olive.see("apps", "/account/apps");
    assert.equal(view.grants.length, 3);
    assert.deepEqual(Object.keys(view.grants[0] ?? {}).sort(), [
      "absoluteExpiresAt",
      "appName",
      "createdAt",
      "grantId",
      "idleExpiresAt",
      "lastUsedAt",
    ]);
    assert.deepEqual(
      view.grants.map(({ appName, createdAt }) => [appName, createdAt]),
      [2000, 1000, 0].map((offset) => [APP.name, START + offset]),
    );
    assert.equal(view.grants[0]?.idleExpiresAt, START + 2000 + 180 * DAY_MS);
    const grant = view.grants[2]?.grantId ?? "";
    const foreign = { csrf: await csrfOf(piet), action: "revoke", grant };
    await piet.submit("/account/apps", foreign);
    assert.equal((await readEvents(instance, tokens[0] ?? "")).status, 200);

    const csrf = await csrfOf(olive);
    const revoke = { csrf, action: "revoke", grant };
    assertNotice(await olive.submit("/account/apps", revoke), "/account/apps", "revoked");
    assert.equal((await readEvents(instance, tokens[0] ?? "")).status, 401);
    assert.equal((await readEvents(instance, tokens[1] ?? "")).status, 200);
    await olive.submit("/account/apps", { csrf, action: "revoke-all" });
    assert.equal((await readEvents(instance, tokens[1] ?? "")).status, 401);
    const after = await olive.see("apps", "/account/apps?notice=revoked");
    assert.deepEqual(after.view, { grants: [], notice: "revoked" });
    assert.equal(after.frame.address, "/account/apps");
  },
);

testOnBothStores("events are added, changed and deleted by hand", async (place, t) => {
  const instance = await startInstance(t, { place, timeZone: "Europe/Berlin" });
  const { clock, store, accountIds } = instance;
  const browser = instance.createBrowser();
  await signIn(browser);
  const { access_token: token } = await connect(instance, browser);
  const csrf = await csrfOf(browser);
  const path = "/account/events";
  await browser.submit("/account/settings", {
    csrf,
    action: "profile",
    timeZone: "Europe/Berlin",
    language: "",
  });
  const send = (fields: Record<string, string>) => browser.submit(path, { csrf, ...fields });
  assertNotice(await send({ action: "add", ...EVENT }), path, "added");
  clock.now += HOUR_MS;
  const timed = { ...EVENT, title: "=SUM(A1)\u0000\tTest\r\n", type: "exam", time: "00:30" };
  assertNotice(await send({ action: "add", ...timed, subject: " " }), path, "added");

  const read = async () =>
    ((await (await readEvents(instance, token)).json()) as EventList).events.map(
      ({ id: _id, ...event }) => event,
    );
  assert.deepEqual(await read(), [
    {
      type: "exam",
      subject_name: null,
      title: "=SUM(A1) Test",
      date: "2026-09-01T00:30:00+02:00",
      created_at: new Date(START + HOUR_MS).toISOString(),
    },
    {
      type: "homework",
      subject_name: "English",
      title: "Essay",
      date: "2026-09-01",
      created_at: new Date(START).toISOString(),
    },
  ]);

  const { view } = await browser.see("events", `${path}?notice=added`);
  assert.deepEqual([view.notice, view.total, view.page, view.pages], ["added", 2, 1, 1]);
  const event = view.events[0]?.eventId ?? "";
  const editing = await browser.see("events", `${path}?edit=${event}`);
  assert.equal(editing.view.editing, event);
  assert.deepEqual(editing.view.fields, {
    title: "=SUM(A1) Test",
    subject: "",
    type: "exam",
    date: "2026-09-01",
    time: "00:30",
  });
  const winter = { ...editing.view.fields, date: "2026-12-01", time: "08:15:30" };
  assertNotice(await send({ action: "save", event, ...winter }), path, "saved");
  assert.equal((await read())[1]?.date, "2026-12-01T08:15:30+01:00");
  // The form shows minutes; an unchanged time keeps its seconds.
  const shown = (await browser.see("events", `${path}?edit=${event}`)).view.fields;
  assert.equal(shown.time, "08:15");
  await send({ action: "save", event, ...shown, title: "Another" });
  assert.deepEqual(
    [(await read())[1]?.title, (await read())[1]?.date],
    ["Another", "2026-12-01T08:15:30+01:00"],
  );
  await send({ action: "save", event, ...shown, time: "08:16" });
  assert.equal((await read())[1]?.date, "2026-12-01T08:16:00+01:00");
  assertNotice(await send({ action: "delete", event }), path, "deleted");
  assert.equal((await read()).length, 1);
  for (const fields of [
    { action: "delete", event },
    { action: "save", event, ...EVENT },
    { action: "delete", event: "\u0000" },
  ]) {
    const gone = await readPage("events", await send(fields));
    assert.equal(gone.view.error, "not-found");
  }

  const accountId = accountIds.get("olive") ?? "";
  await store.transaction(async ({ sources, events }) => {
    const source = {
      sourceId: "feed",
      accountId,
      kind: "file",
      name: "feed",
      createdAt: 0,
    } as const;
    await sources.findOrAdd(source);
    const content = { type: "test", subjectName: null, title: "x", date: null, dateAt: null };
    const change = {
      kind: "put",
      eventId: "of-feed",
      content,
      createdAt: "2026-01-01T00:00:00Z",
    } as const;
    await events.write(accountId, "feed", [change], clock.now);
  });
  const foreign = await readPage("events", await send({ action: "delete", event: "of-feed" }));
  assert.equal(foreign.view.error, "not-found");
  assert.equal((await browser.see("events", `${path}?edit=of-feed`)).view.error, "not-found");
});

test("an event that is saved as it was is no change to an app", async (t) => {
  const instance = await startInstance(t);
  const browser = instance.createBrowser();
  await signIn(browser);
  const { access_token: token } = await connect(instance, browser);
  const path = "/account/events";
  const form = { csrf: await csrfOf(browser), ...EVENT };
  await browser.submit(path, { ...form, action: "add" });
  const event = (await browser.see("events", path)).view.events[0]?.eventId ?? "";
  instance.clock.now += HOUR_MS;
  const since = `limit=9&updated_since=${new Date(instance.clock.now).toISOString()}`;
  const changes = async () =>
    ((await (await readEvents(instance, token, since)).json()) as EventList).events.length;
  assertNotice(await browser.submit(path, { ...form, action: "save", event }), path, "saved");
  assert.equal(await changes(), 0);
  const renamed = { ...form, action: "save", event, title: "Another" };
  assertNotice(await browser.submit(path, renamed), path, "saved");
  assert.equal(await changes(), 1);
});

test("an invalid event is shown with its error and the entered values", async (t) => {
  const { createBrowser } = await startInstance(t);
  const browser = createBrowser();
  await signIn(browser);
  const csrf = await csrfOf(browser);
  for (const [given, error] of [
    [{ title: " \u0007 " }, "title-missing"],
    [{ title: "x".repeat(501) }, "title-too-long"],
    [{ subject: "x".repeat(501) }, "subject-too-long"],
    [{ type: "" }, "type-missing"],
    [{ type: "x".repeat(65) }, "type-too-long"],
    [{ date: "" }, "date-invalid"],
    [{ date: "2026-02-30" }, "date-invalid"],
    [{ date: "9999-01-01" }, "date-invalid"],
    [{ date: "2026-09-01T10:00:00Z" }, "date-invalid"],
    [{ time: "25:00" }, "time-invalid"],
    [{ time: "8" }, "time-invalid"],
  ] as const) {
    const fields = { ...EVENT, ...given };
    const response = await browser.submit("/account/events", { csrf, action: "add", ...fields });
    const { view } = await readPage("events", response);
    assert.equal(view.error, error, JSON.stringify(given).slice(0, 80));
    assert.deepEqual(view.fields, fields);
    assert.equal(view.total, 0);
  }
});

test("events are turned over page by page", async (t) => {
  const { createBrowser, store, accountIds, clock } = await startInstance(t);
  const browser = createBrowser();
  await signIn(browser);
  const accountId = accountIds.get("olive") ?? "";
  await store.transaction(async ({ sources, events }) => {
    const source = {
      sourceId: "m",
      accountId,
      kind: "manual",
      name: "manual",
      createdAt: 0,
    } as const;
    await sources.findOrAdd(source);
    const changes = Array.from({ length: 101 }, (_, index) => {
      const at = Date.UTC(2026, 8, 1 + index);
      const date = new Date(at).toISOString().slice(0, 10);
      const content = { type: "task", subjectName: null, title: `${index}`, date, dateAt: at };
      const createdAt = "2026-01-01T00:00:00Z";
      return { kind: "put", eventId: `e${index}`, content, createdAt } as const;
    });
    await events.write(accountId, "m", changes, clock.now);
  });
  for (const [query, page, first, count] of [
    ["", 1, "0", 50],
    ["?page=2", 2, "50", 50],
    ["?page=3", 3, "100", 1],
    ["?page=4", 3, "100", 1],
    ["?page=999999999999", 1, "0", 50],
    ["?page=-1", 1, "0", 50],
  ] as const) {
    const { view } = await browser.see("events", `/account/events${query}`);
    assert.deepEqual([view.page, view.pages, view.total], [page, 3, 101], query);
    assert.deepEqual([view.events[0]?.title, view.events.length], [first, count], query);
  }
  for (const [query, found, titles] of [
    ["?text=100", 1, ["100"]],
    ["?text=10&page=9", 2, ["10", "100"]],
    ["?text=nowhere", 0, []],
    ["?source=nowhere&text=100", 1, ["100"]],
    ["?source=m&text=100&state=any", 1, ["100"]],
    ["?state=undated", 0, []],
  ] as const) {
    const { view } = await browser.see("events", `/account/events${query}`);
    assert.deepEqual([view.total, view.found, view.first], [101, found, 1], query);
    assert.deepEqual(
      view.events.map(({ title }) => title),
      titles,
      query,
    );
  }
});

test("subscriptions go through their port, and never show the whole address", async (t) => {
  const asked: unknown[] = [];
  const preview = {
    entries: [],
    total: 0,
    countsByType: {},
    skippedCount: 0,
    skipped: [],
    notices: [],
  };
  const subscriptions: EventSubscriptions = {
    async preview(...given) {
      asked.push(["preview", ...given]);
      return { kind: "previewed", preview };
    },
    async subscribe(accountId: string, fields: SubscriptionFields) {
      asked.push(["subscribe", accountId, fields]);
      return fields.url === "https://twice.example"
        ? { kind: "refused", error: { kind: "already-subscribed" } }
        : { kind: "subscribed", sourceId: "s1" };
    },
    async save(...given) {
      asked.push(["save", ...given]);
      return { kind: "refused", error: { kind: "rules-invalid", line: 2 } };
    },
    async refresh(...given) {
      asked.push(["refresh", ...given]);
      return { kind: "refreshed" };
    },
    async unsubscribe(...given) {
      asked.push(["unsubscribe", ...given]);
      return { kind: "unsubscribed" };
    },
    list: async () => [],
    findSettings: async (_accountId, sourceId) =>
      sourceId === "s1" ? { name: "School", defaultType: "task", rules: "exam: Klausur" } : null,
  };
  const { createBrowser, accountIds } = await startInstance(t, { subscriptions });
  const accountId = accountIds.get("olive") ?? "";
  const browser = createBrowser();
  await signIn(browser);
  const csrf = await csrfOf(browser);
  const path = "/account/subscriptions";
  const typed = {
    url: " webcal://school.example/secret\u0000 ",
    name: "School",
    defaultType: "task",
    rules: "exam: Klausur\r\ntest: Test\u0007",
  };
  const cleaned = {
    url: "webcal://school.example/secret",
    name: "School",
    defaultType: "task",
    rules: "exam: Klausur \ntest: Test",
  };
  const send = (action: string, fields: Record<string, string>) =>
    browser.submit(path, { csrf, action, ...fields });
  const previewed = await readPage("subscriptions", await send("preview", typed));
  assert.deepEqual(previewed.view.preview, preview);
  assert.deepEqual(previewed.view.fields, cleaned);
  assertNotice(await send("subscribe", typed), path, "subscribed");
  const twice = { ...typed, url: "https://twice.example" };
  const refused = await readPage("subscriptions", await send("subscribe", twice));
  assert.deepEqual(refused.view.error, { kind: "already-subscribed" });
  assert.equal(refused.view.fields.url, twice.url);
  const saved = await readPage("subscriptions", await send("save", { ...typed, source: "s1" }));
  assert.deepEqual(saved.view.error, { kind: "rules-invalid", line: 2 });
  assert.deepEqual([saved.view.editing, saved.view.fields.url], ["s1", ""]);
  assertNotice(await send("refresh", { source: "s1" }), path, "refreshed");
  assertNotice(await send("accept", { source: "s1" }), path, "refreshed");
  assertNotice(await send("unsubscribe", { source: "s1" }), path, "unsubscribed");
  const { url: _url, ...settings } = cleaned;
  assert.deepEqual(asked, [
    ["preview", accountId, cleaned],
    ["subscribe", accountId, cleaned],
    ["subscribe", accountId, { ...cleaned, url: twice.url }],
    ["save", accountId, "s1", settings],
    ["refresh", accountId, "s1"],
    ["refresh", accountId, "s1", { acceptShrink: true }],
    ["unsubscribe", accountId, "s1"],
  ]);
  const editing = await browser.see("subscriptions", `${path}?edit=s1&notice=saved`);
  assert.equal(editing.view.fields.name, "School");
  assert.equal(editing.view.notice, "saved");
  const gone = await browser.see("subscriptions", `${path}?edit=s2`);
  assert.deepEqual(gone.view.error, { kind: "not-found" });
});

test("the language is that of the query, then of the profile, then of the browser", async (t) => {
  const { createBrowser } = await startInstance(t);
  const browser = createBrowser();
  const languageOf = async (path: string, accept: string) => {
    const response = await browser.get(path, { Accept: "text/html", "Accept-Language": accept });
    return (JSON.parse(await response.text()) as { frame: { language: string } }).frame.language;
  };
  assert.equal(await languageOf("/sign-in", "de-AT, en;q=0.5"), "de");
  assert.equal(await languageOf("/sign-in", "fr"), "en");
  assert.equal(await languageOf("/sign-in?lang=en", "de"), "en");
  assert.equal(await languageOf("/sign-in?lang=fr", "de"), "de");
  assert.equal(await languageOf("/nowhere?lang=de", "en"), "de");
  await signIn(browser);
  const csrf = await csrfOf(browser);
  const profile = { csrf, action: "profile", timeZone: "europe/vienna", language: "de" };
  const saved = await browser.submit("/account/settings", profile);
  assertNotice(saved, "/account/settings", "saved");
  assert.equal(await languageOf("/", "en"), "de");
  assert.equal(await languageOf("/?lang=en", "de"), "en");
  const { view, frame } = await browser.see("settings", "/account/settings?lang=en&notice=saved");
  assert.deepEqual([view.timeZone, view.language, view.notice], ["Europe/Vienna", "de", "saved"]);
  assert.equal(frame.account?.timeZone, "Europe/Vienna");
  assert.equal(frame.address, "/account/settings");
  assert.ok(view.timeZones.includes("UTC") && view.timeZones.includes("Europe/Berlin"));
  for (const timeZone of ["", "Mars/Olympus", "+02:00", "\u0000"]) {
    const response = await browser.submit("/account/settings", { ...profile, timeZone });
    const { view: wrong } = await readPage("settings", response);
    assert.equal(wrong.error, "time-zone-unknown", timeZone);
  }
});

test("another time zone has every feed of the account read in full again", async (t) => {
  const { createBrowser, store, accountIds } = await startInstance(t);
  const browser = createBrowser();
  await signIn(browser);
  const csrf = await csrfOf(browser);
  const source = sampleSource(accountIds.get(OLIVE.username) ?? "", "School", {
    kind: "subscription",
  });
  const due = START + DAY_MS;
  await store.transaction(async ({ sources, subscriptions }) => {
    await sources.findOrAdd(source);
    const validators = { etag: '"1"', lastModified: "Tue, 01 Sep 2026 08:00:00 GMT" };
    await subscriptions.add(sampleSubscription(source, { ...validators, nextFetchAt: due }));
  });
  const change = async (timeZone: string) => {
    await browser.submit("/account/settings", { csrf, action: "profile", timeZone, language: "" });
    return store.transaction(({ subscriptions }) => subscriptions.find(source.sourceId));
  };
  const { view } = await browser.see("settings", "/account/settings");
  const unchanged = await change(view.timeZone);
  assert.deepEqual([unchanged?.etag, unchanged?.nextFetchAt], ['"1"', due]);
  const changed = await change("Pacific/Auckland");
  assert.deepEqual([changed?.etag, changed?.lastModified], [null, null]);
  assert.ok((changed?.nextFetchAt ?? due) < due);
});

testOnBothStores(
  "a new password closes all other sessions, and revokes apps on request",
  async (place, t) => {
    const instance = await startInstance(t, { place, accounts: [OLIVE, PIET] });
    const [here, elsewhere, piet] = [
      instance.createBrowser(),
      instance.createBrowser(),
      instance.createBrowser(),
    ];
    await signIn(here);
    await signIn(elsewhere);
    await signIn(piet, PIET);
    const { access_token: token } = await connect(instance, here);
    const path = "/account/settings";
    const changed = { ...OLIVE, password: "a completely new password" };
    const verifier = await createWireVerifier(changed.password);
    const change = (browser: TestBrowser, account: typeof OLIVE, given: object = {}) =>
      changePassword(browser, account, verifier, given);

    for (const given of [
      { verifier: { ...verifier, iterations: 1 } },
      { verifier: { ...verifier, salt: "AAAA" } },
      { verifier: { ...verifier, storedKey: `${verifier.storedKey}=` } },
      { disconnectApps: "yes" },
    ]) {
      assert.equal((await change(here, OLIVE, given)).response.status, 400);
    }
    const code = await obtainCode(here);
    const { response, expectedServerSignature } = await change(here, OLIVE);
    assert.equal((await redeem(instance, code)).status, 400);
    assert.equal(response.status, 200, await response.clone().text());
    assert.deepEqual((await response.json()) as ProofAccepted, {
      serverSignature: expectedServerSignature,
      next: `${path}?notice=password-changed`,
    });
    assert.equal(
      (await here.see("settings", `${path}?notice=password-changed`)).view.notice,
      "password-changed",
    );
    assert.equal((await elsewhere.get("/")).status, 302);
    assert.equal((await piet.get("/")).status, 200);
    assert.equal((await readEvents(instance, token)).status, 200);
    const again = await change(here, changed, { disconnectApps: true });
    assert.equal(again.response.status, 200);
    assert.equal((await readEvents(instance, token)).status, 401);
  },
);
