import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { createInstanceKey } from "../../../src/identity/instance-key.ts";
import { MAX_SUBSCRIPTIONS } from "../../../src/events/subscriptions/new-subscriptions.ts";
import { scheduleFullReads } from "../../../src/events/subscriptions/subscriptions.ts";
import { STORE_KINDS } from "../../database/on-both-stores.ts";
import { addAccount, addSource, sampleSubscription } from "../store/samples.ts";
import { listEntries, writeCalendar } from "./calendar-text.ts";
import { createAddressGuard } from "../../../src/events/subscriptions/address-guard.ts";
import { FEED_HOST } from "./https-server.ts";
import { HOUR_MS, START, startInstance } from "./instance.ts";

const SCHOOL = [
  { uid: "1", summary: "Maths exam", start: "20261001" },
  { uid: "2", summary: "Essay", categories: "Hausaufgabe,German", start: "20261002" },
  { uid: "3", summary: "Swimming", start: "20261003" },
];

for (const kind of STORE_KINDS) {
  test(`a new subscription imports its feed (${kind})`, async (t) => {
    const instance = await startInstance(t, kind);
    instance.feed.body = writeCalendar(SCHOOL);
    instance.feed.etag = '"one"';
    const sourceId = await instance.subscribe({ name: "School" });
    const stored = await instance.stored(sourceId);
    assert.deepEqual(
      stored.map(({ type, title, subjectName, date }) => [type, title, subjectName, date]).sort(),
      [
        ["exam", "Maths exam", null, "2026-10-01"],
        ["homework", "Essay", "German", "2026-10-02"],
        ["task", "Swimming", null, "2026-10-03"],
      ],
    );
    const [listed] = await instance.subscriptions.list(instance.accountId);
    assert.deepEqual(listed, {
      sourceId,
      accountId: instance.accountId,
      name: "School",
      defaultType: "task",
      rules: [],
      createdAt: START,
      etag: '"one"',
      lastModified: null,
      lastFetchedAt: START,
      lastSucceededAt: START,
      lastError: null,
      warning: null,
      nextFetchAt: START + HOUR_MS,
      failures: 0,
      entryCount: 3,
      host: instance.server.origin,
      report: {
        added: 3,
        changed: 0,
        deleted: 0,
        unchanged: 0,
        held: 0,
        skippedCount: 0,
        skipped: [],
        notices: [],
      },
    });
  });

  test(`a feed that is the same changes no event (${kind})`, async (t) => {
    const instance = await startInstance(t, kind);
    instance.feed.body = writeCalendar(SCHOOL);
    const sourceId = await instance.subscribe();
    const before = await instance.stored(sourceId);
    // Without an ETag the whole feed is read again.
    instance.feed.body = writeCalendar(
      SCHOOL.map((entry) => ({ ...entry, lines: ["DTSTAMP:20260901T130000Z", "SEQUENCE:4"] })),
    );
    assert.equal(await instance.refresh(sourceId), "refreshed");
    assert.deepEqual(await instance.stored(sourceId), before);
    const [listed] = await instance.subscriptions.list(instance.accountId);
    assert.equal(listed?.report?.unchanged, 3);
    assert.equal(listed?.report?.added, 0);
  });

  test(`an event missing from a feed is deleted the second time (${kind})`, async (t) => {
    const instance = await startInstance(t, kind);
    instance.feed.body = writeCalendar(SCHOOL);
    instance.feed.etag = '"one"';
    const sourceId = await instance.subscribe();
    instance.feed.body = writeCalendar(SCHOOL.slice(0, 2));
    instance.feed.etag = '"two"';
    assert.equal(await instance.refresh(sourceId), "refreshed");
    assert.deepEqual(await instance.titles(sourceId), ["Essay", "Maths exam", "Swimming"]);
    assert.equal((await instance.subscriptions.list(instance.accountId))[0]?.report?.held, 1);
    // The feed does not change again: it is read in full nevertheless.
    assert.equal(await instance.refresh(sourceId), "refreshed");
    assert.deepEqual(await instance.titles(sourceId), ["Essay", "Maths exam"]);
    assert.equal((await instance.stored(sourceId)).length, 3);
    assert.equal((await instance.find(sourceId)).etag, '"two"');
  });

  test(`unsubscribing leaves tombstones, and subscribing again restores the same events (${kind})`, async (t) => {
    const instance = await startInstance(t, kind);
    instance.feed.body = writeCalendar([...SCHOOL, ...listEntries(1500)]);
    const sourceId = await instance.subscribe();
    const before = await instance.stored(sourceId);
    assert.equal(before.length, 1503);
    const { kind: result } = await instance.subscriptions.unsubscribe(instance.accountId, sourceId);
    assert.equal(result, "unsubscribed");
    const gone = await instance.stored(sourceId);
    assert.ok(gone.every(({ deletedAt }) => deletedAt !== null));
    assert.equal(gone.length, 1503);
    assert.deepEqual(await instance.subscriptions.list(instance.accountId), []);
    instance.clock.now += HOUR_MS;
    assert.equal(await instance.subscribe(), sourceId);
    const after = await instance.stored(sourceId);
    assert.deepEqual(
      after.map(({ eventId, createdAt }) => [eventId, createdAt]),
      before.map(({ eventId, createdAt }) => [eventId, createdAt]),
    );
  });
}

test("the address is nowhere in the store", async (t) => {
  const instance = await startInstance(t);
  instance.feed.body = writeCalendar(SCHOOL);
  const sourceId = await instance.subscribe();
  await instance.store.close();
  for (const ending of ["", "-wal"]) {
    const path = join(instance.place.dataDir, `store.db${ending}`);
    const bytes = await readFile(path, "latin1").catch(() => "");
    assert.ok(!bytes.includes("secret-address"));
    if (ending === "") assert.ok(bytes.includes(sourceId));
  }
});

test("what was read differently is told in the preview and in the report", async (t) => {
  const instance = await startInstance(t);
  const { accountId, subscriptions } = instance;
  const event = "BEGIN:VEVENT\r\nUID:1\r\nDTSTART;TZID=Nowhere:20261001T080000\r\nEND:VEVENT";
  instance.feed.body = `BEGIN:VCALENDAR\r\n${event}\r\nEND:VCALENDAR\r\n`;
  const notices = [{ code: "unknown-zone", count: 1, examples: ["Nowhere"] }];
  const result = await subscriptions.preview(accountId, instance.fields());
  assert.ok(result.kind === "previewed");
  assert.deepEqual(result.preview.notices, notices);
  await instance.subscribe();
  assert.deepEqual((await subscriptions.list(accountId))[0]?.report?.notices, notices);
});

test("an unchanged feed is a good fetch that counts as nothing", async (t) => {
  const instance = await startInstance(t);
  instance.feed.body = writeCalendar(SCHOOL);
  instance.feed.etag = '"one"';
  const sourceId = await instance.subscribe();
  const before = await instance.find(sourceId);
  assert.equal(await instance.refresh(sourceId), "refreshed");
  assert.equal(instance.server.requests.at(-1)?.headers["if-none-match"], '"one"');
  const { now } = instance.clock;
  assert.deepEqual(await instance.find(sourceId), {
    ...before,
    lastFetchedAt: now,
    lastSucceededAt: now,
    nextFetchAt: now + HOUR_MS,
  });
});

test("a feed that never changes is read in full after a week: its series go on", async (t) => {
  const instance = await startInstance(t);
  const lines = ["RRULE:FREQ=WEEKLY"];
  instance.feed.body = writeCalendar([{ uid: "1", start: "20260907", lines }]);
  instance.feed.etag = '"one"';
  const sourceId = await instance.subscribe();
  const { length } = await instance.stored(sourceId);
  await instance.refresh(sourceId, 6 * 24 * HOUR_MS);
  assert.equal((await instance.stored(sourceId)).length, length);
  await instance.refresh(sourceId, 2 * 24 * HOUR_MS);
  assert.equal((await instance.stored(sourceId)).length, length + 1);
});

test("changes of a feed are changes of its events", async (t) => {
  const instance = await startInstance(t);
  instance.feed.body = writeCalendar(SCHOOL);
  instance.feed.etag = '"one"';
  const sourceId = await instance.subscribe();
  const before = new Map((await instance.stored(sourceId)).map((event) => [event.title, event]));
  instance.feed.etag = '"two"';
  instance.feed.body = writeCalendar([
    { ...SCHOOL[0], uid: "1", start: "20261008" },
    ...SCHOOL.slice(1),
    { uid: "4", summary: "Quiz" },
  ]);
  await instance.refresh(sourceId);
  const after = new Map((await instance.stored(sourceId)).map((event) => [event.title, event]));
  const moved = after.get("Maths exam");
  assert.equal(moved?.date, "2026-10-08");
  assert.equal(moved.eventId, before.get("Maths exam")?.eventId);
  assert.ok(moved.updatedAt > (before.get("Maths exam")?.updatedAt ?? Infinity));
  assert.deepEqual(after.get("Essay"), before.get("Essay"));
  assert.equal(after.get("Quiz")?.type, "test");
  assert.equal((await instance.find(sourceId)).etag, '"two"');
});

test("events of a shrunk feed are kept until a person accepts it", async (t) => {
  const instance = await startInstance(t);
  instance.feed.body = writeCalendar(listEntries(10));
  instance.feed.etag = '"one"';
  const sourceId = await instance.subscribe();
  instance.feed.body = writeCalendar(listEntries(4));
  instance.feed.etag = '"two"';
  for (let time = 0; time < 4; time++) {
    assert.equal(await instance.refresh(sourceId), "refreshed");
    assert.equal((await instance.titles(sourceId)).length, 10);
    const [listed] = await instance.subscriptions.list(instance.accountId);
    assert.equal(listed?.warning, "feed-shrunk");
    assert.equal(listed?.report?.held, 6);
  }
  instance.clock.now += HOUR_MS;
  const accepted = { acceptShrink: true };
  await instance.subscriptions.refresh(instance.accountId, sourceId, accepted);
  assert.equal((await instance.titles(sourceId)).length, 4);
  assert.equal((await instance.find(sourceId)).warning, null);
});

test("an empty calendar deletes nothing", async (t) => {
  const instance = await startInstance(t);
  instance.feed.body = writeCalendar(SCHOOL);
  const sourceId = await instance.subscribe();
  instance.feed.body = writeCalendar([]);
  for (let time = 0; time < 3; time++) await instance.refresh(sourceId);
  assert.equal((await instance.titles(sourceId)).length, 3);
  assert.equal((await instance.find(sourceId)).warning, "feed-shrunk");
});

test("an event that returns after it was missing once is not deleted the next time", async (t) => {
  const instance = await startInstance(t);
  const sourceId = await (async () => {
    instance.feed.body = writeCalendar(SCHOOL);
    return instance.subscribe();
  })();
  for (const entries of [SCHOOL.slice(0, 2), SCHOOL, SCHOOL.slice(0, 2)]) {
    instance.feed.body = writeCalendar(entries);
    await instance.refresh(sourceId);
    assert.equal((await instance.titles(sourceId)).length, 3);
  }
});

test("a cancelled event is deleted, and restored when it is no longer cancelled", async (t) => {
  const instance = await startInstance(t);
  instance.feed.body = writeCalendar(SCHOOL);
  const sourceId = await instance.subscribe();
  const [first, ...rest] = SCHOOL;
  instance.feed.body = writeCalendar([
    { uid: "1", ...first, lines: ["STATUS:CANCELLED"] },
    ...rest,
  ]);
  await instance.refresh(sourceId);
  assert.deepEqual(await instance.titles(sourceId), ["Essay", "Swimming"]);
  instance.feed.body = writeCalendar(SCHOOL);
  await instance.refresh(sourceId);
  assert.deepEqual(await instance.titles(sourceId), ["Essay", "Maths exam", "Swimming"]);
  assert.equal((await instance.stored(sourceId)).length, 3);
});

test("a failing feed keeps its events and is fetched less and less often", async (t) => {
  const instance = await startInstance(t);
  instance.feed.body = writeCalendar(SCHOOL);
  const sourceId = await instance.subscribe();
  const before = await instance.stored(sourceId);
  const bad = [
    { error: "server-failed", status: 500, body: "" },
    { error: "not-found", status: 404, body: writeCalendar([]) },
    { error: "html", status: 200, body: "<!doctype html><title>Sign in</title>" },
    { error: "empty", status: 200, body: "" },
    { error: "too-large", status: 200, body: Buffer.alloc(50 * 1024 * 1024, 32) },
    { error: "not-a-calendar", status: 200, body: "Sorry, try later" },
  ];
  const hours: number[] = [];
  for (const { error, ...response } of bad) {
    Object.assign(instance.feed, response);
    assert.equal(await instance.refresh(sourceId), error);
    const found = await instance.find(sourceId);
    assert.equal(found.lastError, error);
    assert.equal(found.lastSucceededAt, START);
    hours.push((found.nextFetchAt - instance.clock.now) / HOUR_MS);
  }
  assert.deepEqual(hours, [1, 2, 4, 8, 16, 24]);
  assert.deepEqual(await instance.stored(sourceId), before);
  Object.assign(instance.feed, { status: 200, body: writeCalendar(SCHOOL) });
  assert.equal(await instance.refresh(sourceId), "refreshed");
  const found = await instance.find(sourceId);
  assert.deepEqual([found.lastError, found.failures], [null, 0]);
});

test("the Retry-After of a server counts", async (t) => {
  const instance = await startInstance(t);
  instance.feed.body = writeCalendar(SCHOOL);
  const sourceId = await instance.subscribe();
  Object.assign(instance.feed, { status: 429, headers: { "Retry-After": "36000" } });
  assert.equal(await instance.refresh(sourceId), "too-many-requests");
  const { nextFetchAt } = await instance.find(sourceId);
  assert.equal(nextFetchAt, instance.clock.now + 10 * HOUR_MS);
});

test("a person waits a minute before a feed is fetched again", async (t) => {
  const instance = await startInstance(t);
  instance.feed.body = writeCalendar(SCHOOL);
  const sourceId = await instance.subscribe();
  assert.equal(await instance.refresh(sourceId, 59_999), "too-soon");
  assert.equal(instance.server.requests.length, 1);
  assert.equal(await instance.refresh(sourceId, 1), "refreshed");
  assert.notEqual(await instance.subscriptions.refreshNow(sourceId), null);
  assert.equal(instance.server.requests.length, 3);
});

test("a preview shows entries and their types, and writes nothing", async (t) => {
  const instance = await startInstance(t);
  instance.feed.body = writeCalendar([
    ...SCHOOL,
    { uid: "5", summary: "Old test", start: "20260820" },
    { uid: "6", summary: "Off", lines: ["STATUS:CANCELLED"] },
    { uid: "7", summary: "Broken", start: "20260230" },
    { uid: "8", summary: "Chess", start: "20261004" },
  ]);
  const fields = instance.fields({
    rules: "game: chess, go\nexam: exam\nhomework: hausaufgabe",
  });
  const result = await instance.subscriptions.preview(instance.accountId, fields);
  assert.ok(result.kind === "previewed", JSON.stringify(result));
  assert.deepEqual(result.preview, {
    entries: [
      { type: "exam", title: "Maths exam", subjectName: null, date: "2026-10-01", because: "exam" },
      {
        type: "homework",
        title: "Essay",
        subjectName: "German",
        date: "2026-10-02",
        because: "hausaufgabe",
      },
      { type: "task", title: "Swimming", subjectName: null, date: "2026-10-03", because: null },
      { type: "game", title: "Chess", subjectName: null, date: "2026-10-04", because: "chess" },
      { type: "task", title: "Old test", subjectName: null, date: "2026-08-20", because: null },
    ],
    total: 5,
    countsByType: { exam: 1, homework: 1, task: 2, game: 1 },
    skippedCount: 1,
    skipped: [{ what: "7", reason: "bad-date" }],
    notices: [],
  });
  assert.deepEqual(await instance.subscriptions.list(instance.accountId), []);
  const sources = await instance.store.transaction(({ sources }) =>
    sources.list(instance.accountId),
  );
  assert.deepEqual(sources, []);
});

test("a feed that cannot be fetched or read is not subscribed to", async (t) => {
  const instance = await startInstance(t);
  const subscribe = async (given: { url?: string }) => {
    const fields = instance.fields(given);
    const result = await instance.subscriptions.subscribe(instance.accountId, fields);
    return result.kind === "refused" ? result.error : null;
  };
  instance.feed.body = "<html>";
  assert.deepEqual(await subscribe({}), { kind: "fetch-failed", code: "html" });
  assert.deepEqual(await subscribe({ url: "http://feed.example/" }), { kind: "url-invalid" });
  assert.deepEqual(await subscribe({ url: "https://a:b@feed.example/" }), {
    kind: "fetch-failed",
    code: "url-credentials",
  });
  assert.deepEqual(await instance.subscriptions.list(instance.accountId), []);
});

test("an account cannot tell a private address from a name that does not exist", async (t) => {
  const instance = await startInstance(t);
  const { accountId, store } = instance;
  instance.feed.body = writeCalendar(SCHOOL);
  const sourceId = await instance.subscribe();
  const port = instance.server.port;
  const hosts = { private: "intranet.example", missing: "nowhere.example" };
  const fetchFeed = instance.server.fetcher({
    guard: createAddressGuard(),
    resolve: (host, callback) =>
      host === hosts.missing
        ? callback(Object.assign(new Error("ENOTFOUND"), { code: "ENOTFOUND" }), [])
        : callback(null, [{ address: "10.0.0.7", family: 4 }]),
  });
  const told = { kind: "refused", error: { kind: "fetch-failed", code: "host-not-found" } };
  const pages = instance.connect(store, { fetchFeed });
  for (const host of [hosts.private, hosts.missing, "10.0.0.7", "localhost", "[::1]"]) {
    const fields = instance.fields({ url: `https://${host}:${port}/` });
    assert.deepEqual(await pages.preview(accountId, fields), told, host);
    assert.deepEqual(await pages.subscribe(accountId, fields), told, host);
  }
  // Of a subscription whose name now leads to a private address.
  instance.clock.now += HOUR_MS;
  assert.deepEqual(await pages.refresh(accountId, sourceId), told);
  assert.equal((await pages.list(accountId))[0]?.lastError, "host-not-found");

  const operator = instance.connect(store, { fetchFeed, forOperator: true });
  const fields = instance.fields({ url: `https://${hosts.private}:${port}/` });
  const exact = { kind: "refused", error: { kind: "fetch-failed", code: "address-refused" } };
  assert.deepEqual(await operator.preview(accountId, fields), exact);
  assert.equal((await operator.list(accountId))[0]?.lastError, "address-refused");
});

test("invalid input has an error, and nothing is fetched", async (t) => {
  const instance = await startInstance(t);
  for (const [given, error] of [
    [{ name: "x".repeat(101) }, { kind: "name-too-long" }],
    [{ defaultType: "x".repeat(65) }, { kind: "type-invalid" }],
    [{ rules: "game: chess\nno words here" }, { kind: "rules-invalid", line: 2 }],
  ] as const) {
    for (const act of ["preview", "subscribe"] as const) {
      const result = await instance.subscriptions[act](instance.accountId, instance.fields(given));
      assert.deepEqual(result, { kind: "refused", error });
    }
  }
  assert.equal(instance.server.requests.length, 0);
});

test("one address is subscribed to once for each account", async (t) => {
  const instance = await startInstance(t);
  instance.feed.body = writeCalendar(SCHOOL);
  const sourceId = await instance.subscribe();
  const webcal = instance.fields({
    url: ` WEBCAL://${FEED_HOST}:${instance.server.port}/secret-address.ics#x `,
  });
  assert.deepEqual(await instance.subscriptions.subscribe(instance.accountId, webcal), {
    kind: "refused",
    error: { kind: "already-subscribed" },
  });
  assert.equal(instance.server.requests.length, 1);
  const other = await addAccount(instance.store, "eve");
  const result = await instance.subscriptions.subscribe(other, webcal);
  assert.ok(result.kind === "subscribed");
  assert.notEqual(result.sourceId, sourceId);
  const found = await instance.subscriptions.findByUrl(other, webcal.url);
  assert.equal(found?.sourceId, result.sourceId);
});

test("two who subscribe to one address at once get one subscription", async (t) => {
  const instance = await startInstance(t);
  instance.feed.body = writeCalendar(SCHOOL);
  const results = await Promise.all(
    [1, 2, 3].map(() => instance.subscriptions.subscribe(instance.accountId, instance.fields())),
  );
  assert.deepEqual(results.map(({ kind }) => kind).sort(), ["refused", "refused", "subscribed"]);
});

test("an account has so many subscriptions and no more", async (t) => {
  const instance = await startInstance(t);
  instance.feed.body = writeCalendar(SCHOOL);
  const { accountId, store } = instance;
  for (let index = 1; index < MAX_SUBSCRIPTIONS; index++) {
    const source = await addSource(store, accountId, `feed ${index}`, { kind: "subscription" });
    await store.transaction(({ subscriptions }) => subscriptions.add(sampleSubscription(source)));
  }
  await instance.subscribe();
  const result = await instance.subscriptions.subscribe(
    accountId,
    instance.fields({ url: `${instance.server.origin}/one-more` }),
  );
  assert.deepEqual(result, { kind: "refused", error: { kind: "too-many" } });
  assert.equal(instance.server.requests.length, 1);
  const operator = instance.connect(store, { forOperator: true });
  const more = await operator.subscribe(
    accountId,
    instance.fields({ url: `${instance.server.origin}/one-more` }),
  );
  assert.equal(more.kind, "subscribed");
});

test("manual fetches of an account are limited", async (t) => {
  const instance = await startInstance(t);
  const kinds = new Set<string>();
  for (let time = 0; time < 35; time++) {
    const result = await instance.subscriptions.preview(instance.accountId, instance.fields());
    if (result.kind === "refused") kinds.add(result.error.kind);
  }
  assert.deepEqual([...kinds], ["fetch-failed", "too-soon"]);
  assert.equal(instance.server.requests.length, 30);
  // The limit of the account is used up, but not by the operator and not for the operator.
  instance.feed.body = writeCalendar(SCHOOL);
  const operator = instance.connect(instance.store, { forOperator: true });
  const result = await operator.preview(instance.accountId, instance.fields());
  assert.equal(result.kind, "previewed");
});

test("subscriptions of others are not there", async (t) => {
  const instance = await startInstance(t);
  instance.feed.body = writeCalendar(SCHOOL);
  const sourceId = await instance.subscribe();
  const before = await instance.find(sourceId);
  const eve = await addAccount(instance.store, "eve");
  instance.clock.now += HOUR_MS;
  const refusal = { kind: "refused", error: { kind: "not-found" } };
  const { subscriptions } = instance;
  const settings = { name: "Mine", defaultType: "", rules: "" };
  assert.deepEqual(await subscriptions.save(eve, sourceId, settings), refusal);
  assert.deepEqual(await subscriptions.refresh(eve, sourceId), refusal);
  assert.deepEqual(await subscriptions.unsubscribe(eve, sourceId), refusal);
  assert.equal(await subscriptions.findSettings(eve, sourceId), null);
  assert.deepEqual(await subscriptions.list(eve), []);
  assert.deepEqual(await instance.find(sourceId), before);
});

test("new rules change the types of entries, although the feed is unchanged", async (t) => {
  const instance = await startInstance(t);
  instance.feed.body = writeCalendar(SCHOOL);
  instance.feed.etag = '"one"';
  const sourceId = await instance.subscribe();
  const settings = await instance.subscriptions.findSettings(instance.accountId, sourceId);
  assert.match(settings?.rules ?? "", /Klausur/);
  instance.clock.now += HOUR_MS / 2;
  await instance.subscriptions.save(instance.accountId, sourceId, {
    name: "Club",
    defaultType: "training",
    rules: "writing: essay",
  });
  const saved = await instance.find(sourceId);
  assert.deepEqual([saved.name, saved.etag, saved.nextFetchAt], ["Club", null, instance.clock.now]);
  assert.equal(await instance.refresh(sourceId, 0), "refreshed");
  const types = (await instance.stored(sourceId)).map(({ title, type }) => `${title}: ${type}`);
  assert.deepEqual(types.sort(), ["Essay: writing", "Maths exam: training", "Swimming: training"]);
});

test("a new name alone fetches nothing, and the built-in rules stay built in", async (t) => {
  const instance = await startInstance(t);
  instance.feed.body = writeCalendar(SCHOOL);
  instance.feed.etag = '"one"';
  const sourceId = await instance.subscribe();
  const before = await instance.find(sourceId);
  const settings = await instance.subscriptions.findSettings(instance.accountId, sourceId);
  assert.ok(settings !== null);
  const renamed = { ...settings, name: "Club" };
  await instance.subscriptions.save(instance.accountId, sourceId, renamed);
  assert.deepEqual(await instance.find(sourceId), { ...before, name: "Club" });
});

test("another time zone of the account moves the dates, although the feed is unchanged", async (t) => {
  const instance = await startInstance(t);
  instance.feed.body = writeCalendar([{ uid: "1", start: "20261001T223000" }]);
  instance.feed.etag = '"one"';
  const sourceId = await instance.subscribe();
  const { accountId, clock } = instance;
  assert.equal((await instance.stored(sourceId))[0]?.date, "2026-10-01T22:30:00+00:00");
  await instance.store.transaction(async (records) => {
    await records.profiles.put({ accountId, timeZone: "Europe/Berlin", language: null });
    await scheduleFullReads(records, accountId, clock.now);
  });
  // As soon as a manual fetch is allowed.
  assert.equal((await instance.find(sourceId)).nextFetchAt, clock.now + 60_000);
  await instance.refresh(sourceId, 60_000);
  assert.equal((await instance.stored(sourceId))[0]?.date, "2026-10-02T00:30:00+02:00");
});

test("a changed time zone counts at the next fetch", async (t) => {
  const instance = await startInstance(t);
  instance.feed.body = writeCalendar([{ uid: "1", start: "20261001T223000" }]);
  instance.feed.etag = '"one"';
  const sourceId = await instance.subscribe();
  const profile = { accountId: instance.accountId, timeZone: "Asia/Tokyo", language: null };
  await instance.store.transaction(({ profiles }) => profiles.put(profile));
  await instance.refresh(sourceId);
  assert.equal((await instance.stored(sourceId))[0]?.date, "2026-10-02T07:30:00+09:00");
});

test("an import that began under old rules writes nothing any more", async (t) => {
  const instance = await startInstance(t);
  instance.feed.body = writeCalendar(SCHOOL);
  const sourceId = await instance.subscribe();
  const before = await instance.stored(sourceId);
  instance.feed.body = writeCalendar(listEntries(5));
  instance.feed.before = async () => {
    await instance.subscriptions.save(instance.accountId, sourceId, {
      name: "",
      defaultType: "other",
      rules: "",
    });
  };
  instance.clock.now += HOUR_MS;
  const result = await instance.subscriptions.refreshNow(sourceId);
  assert.deepEqual(result, { kind: "superseded" });
  assert.deepEqual(await instance.stored(sourceId), before);
  assert.equal((await instance.find(sourceId)).defaultType, "other");
});

test("an import of a subscription that ended meanwhile writes nothing", async (t) => {
  const instance = await startInstance(t);
  instance.feed.body = writeCalendar(SCHOOL);
  const sourceId = await instance.subscribe();
  instance.feed.before = async () => {
    await instance.subscriptions.unsubscribe(instance.accountId, sourceId);
  };
  instance.clock.now += HOUR_MS;
  assert.deepEqual(await instance.subscriptions.refreshNow(sourceId), { kind: "superseded" });
  assert.deepEqual(await instance.titles(sourceId), []);
});

test("a URL sealed under another key has its own error", async (t) => {
  const instance = await startInstance(t);
  instance.feed.body = writeCalendar(SCHOOL);
  const sourceId = await instance.subscribe();
  instance.clock.now += HOUR_MS;
  const stranger = instance.connect(instance.store, {
    instanceKey: createInstanceKey(randomBytes(32)),
  });
  const result = await stranger.refresh(instance.accountId, sourceId);
  const error = { kind: "fetch-failed", code: "address-lost" };
  assert.deepEqual(result, { kind: "refused", error });
  assert.equal((await stranger.list(instance.accountId))[0]?.host, "");
  assert.equal((await instance.titles(sourceId)).length, 3);
});

test("an id that another source has is left alone and reported", async (t) => {
  const instance = await startInstance(t);
  instance.feed.body = writeCalendar(SCHOOL);
  const sourceId = await instance.subscribe();
  const [first] = await instance.stored(sourceId);
  assert.ok(first !== undefined);
  const { accountId, clock } = instance;
  await instance.store.transaction(async ({ events, sources }) => {
    await events.write(
      accountId,
      sourceId,
      [{ kind: "delete", eventId: first.eventId }],
      clock.now,
    );
    const manual = {
      sourceId: "by-hand",
      accountId,
      kind: "manual",
      name: "",
      createdAt: 0,
    } as const;
    await sources.findOrAdd(manual);
    const put = { kind: "put", eventId: first.eventId, content: first, createdAt: "" } as const;
    await events.write(accountId, "by-hand", [put], clock.now);
  });
  await instance.refresh(sourceId);
  const [listed] = await instance.subscriptions.list(accountId);
  assert.deepEqual(listed?.report?.skipped, [{ what: first.eventId, reason: "id-taken" }]);
  assert.equal(listed?.report?.added, 0);
  assert.equal((await instance.titles("by-hand")).length, 1);
});
