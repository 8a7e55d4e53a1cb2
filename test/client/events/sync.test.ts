/** Syncs over real HTTP, and their failures. */
import assert from "node:assert/strict";
import type { RequestListener } from "node:http";
import { test } from "node:test";
import type { EventsClientOptions, EventsSyncState } from "../../../src/client/index.ts";
import { serveOnLoopback } from "../../fixtures/loopback-server.ts";
import { BODY_MARK, connect, createClientOf, ORIGIN, printWhole, TOKEN } from "./connect.ts";
import {
  ALL_EXTRAS,
  createEvent,
  FULL,
  idsOf,
  listOf,
  NOW,
  OPTIONS,
  OUR_STATE,
  REQUEST,
  script,
  SINCE,
  STATE,
} from "./scripted-service.ts";

test("our service is asked as the contract says, and paged as it announces", async (t) => {
  const { asked, listener } = script(
    {
      events: [createEvent("b"), createEvent("a", "old"), createEvent("d")],
      has_more: true,
      next_updated_since: "1970-01-01T00:00:00.000Z",
      server_time: "2026-08-21T10:00:00.000Z",
      extras: ALL_EXTRAS,
    },
    {
      events: [createEvent("a", "old"), createEvent("b"), { id: "d", type: "info", deleted: true }],
      has_more: true,
      next_updated_since: "2026-08-01T00:00:00.001Z",
      server_time: "2026-08-21T10:15:00.000Z",
      extras: ALL_EXTRAS,
    },
    {
      events: [createEvent("a", "new"), { id: "b", type: "info", deleted: true }, createEvent("c")],
      has_more: false,
      next_updated_since: "2026-08-02T00:00:00.001Z",
      server_time: "2026-08-21T10:30:00.000Z",
      extras: ALL_EXTRAS,
    },
  );
  const client = await connect(t, listener, OPTIONS);
  assert.deepEqual(await client.syncEvents(REQUEST), {
    kind: "synced",
    mode: "full",
    isWhole: true,
    mayHaveMore: false,
    message: null,
    events: [
      { ...createEvent("a", "new"), subject_name: null, created_at: null },
      { ...createEvent("c"), subject_name: null, created_at: null },
    ],
    deletedIds: ["d", "b"],
    unreadable: [],
    // By the clock of the first response: a slow transaction may have become visible since.
    state: { ...OUR_STATE, cursor: "2026-08-21T09:55:00.000Z", fullSyncAt: NOW },
  });
  assert.deepEqual(asked, [
    FULL,
    `${FULL}&updated_since=1970-01-01T00%3A00%3A00.000Z&include_deleted=true`,
    `${FULL}&updated_since=2026-08-01T00%3A00%3A00.001Z&include_deleted=true`,
  ]);
});

test("later only what changed is asked for, with deletions where they were announced", async (t) => {
  const unchanged = { events: [], has_more: false, extras: ALL_EXTRAS };
  const { asked, listener } = script(unchanged, unchanged);
  const client = await connect(t, listener, OPTIONS);
  const result = await client.syncEvents({ ...REQUEST, state: OUR_STATE });
  assert.equal(result.kind === "synced" && result.mode, "incremental");
  assert.equal(result.kind === "synced" && result.isWhole, false);
  assert.deepEqual(result.state, { ...OUR_STATE, cursor: "2026-08-21T10:55:00.000Z" });
  await client.syncEvents({ ...REQUEST, state: STATE });
  assert.deepEqual(asked, [`${FULL}&${SINCE}&include_deleted=true`, `${FULL}&${SINCE}`]);
});

test("an app may ask for everything again", async (t) => {
  const { asked, listener } = script({ events: [] });
  const client = await connect(t, listener, OPTIONS);
  await client.syncEvents({ ...REQUEST, state: OUR_STATE, full: true });
  assert.deepEqual(asked, [FULL]);
});

test("a service of the contract alone is asked for all, then for what changed since its Date", async (t) => {
  const { asked, listener } = script({ events: listOf(499) }, { events: listOf(3) });
  const client = await connect(t, listener, OPTIONS);
  const first = await client.syncEvents(REQUEST);
  assert.equal(first.kind === "synced" && first.isWhole, true);
  assert.deepEqual(first.state, { ...STATE, cursor: "2026-08-21T10:55:00.000Z", fullSyncAt: NOW });
  const second = await client.syncEvents({ ...REQUEST, state: first.state });
  assert.equal(second.kind === "synced" && second.mode, "incremental");
  assert.deepEqual(asked, [FULL, `${FULL}&updated_since=2026-08-21T10%3A55%3A00.000Z`]);
});

test("without a Date the device's clock at the start of the sync must do", async (t) => {
  let now = NOW;
  const listener: RequestListener = (_, response) => {
    now += 60_000;
    response.sendDate = false;
    response.end(JSON.stringify({ events: [] }));
  };
  const client = await connect(t, listener, { now: () => now });
  const { state } = await client.syncEvents(REQUEST);
  assert.equal(state.cursor, "2026-08-21T11:55:00.000Z");
});

test("a full page may not be all: the person is told, and no more than 500 are ever asked for", async (t) => {
  const { asked, listener } = script(
    { events: listOf(500) },
    { events: listOf(500), has_more: true, next_updated_since: "2026-08-01T00:00:00Z" },
    { events: listOf(2) },
  );
  const client = await connect(t, listener, OPTIONS);
  const told = async (state: EventsSyncState | null) => {
    const result = await client.syncEvents({ ...REQUEST, state });
    assert.ok(result.kind === "synced" && result.mayHaveMore && !result.isWhole);
    assert.match(result.message ?? "", /may be missing/);
    assert.equal(result.events.length, 500);
    return result.state;
  };
  const first = await told(null);
  assert.deepEqual(first, { ...STATE, cursor: null, fullSyncAt: NOW });
  // A full list that was complete before: what has changed since then is asked for again.
  assert.deepEqual(await told(STATE), STATE);
  await client.syncEvents({ ...REQUEST, state: STATE });
  assert.deepEqual(asked, [FULL, `${FULL}&${SINCE}`, `${FULL}&${SINCE}`]);
});

test("a service that has outgrown a page is still asked for what changed", async (t) => {
  const { asked, listener } = script({ events: listOf(500) }, { events: listOf(1) });
  const client = await connect(t, listener, OPTIONS);
  const old = { ...STATE, fullSyncAt: NOW - 8 * 86_400_000 };
  const { state } = await client.syncEvents({ ...REQUEST, state: old });
  assert.deepEqual(state, { ...STATE, fullSyncAt: NOW });
  const second = await client.syncEvents({ ...REQUEST, state });
  assert.equal(second.kind === "synced" && second.mayHaveMore, false);
  assert.deepEqual(asked, [FULL, `${FULL}&${SINCE}`]);
});

test("of an event that a page has twice, the first that can be imported counts", async (t) => {
  const { listener } = script({
    events: [
      { ...createEvent("a"), date: null },
      createEvent("a", "first"),
      createEvent("a", "second"),
      { ...createEvent("a"), date: "soon" },
    ],
  });
  const { events } = await (await connect(t, listener, OPTIONS)).syncEvents(REQUEST);
  assert.deepEqual(
    events.map(({ title }) => title),
    ["first"],
  );
});

test("a byte order mark before a list is no part of it", async (t) => {
  const client = await connect(t, reply(200, {}, `\uFEFF{"events":[{"id":"a","type":"exam"}]}`));
  const result = await client.syncEvents(REQUEST);
  assert.deepEqual([result.kind, idsOf(result)], ["synced", ["a"]]);
});

test("an absent list is empty, and entries that cannot be read are reported once", async (t) => {
  const bad = { events: [null, { id: "x" }, { type: "exam" }, createEvent("a")] };
  const { listener } = script(bad, {});
  const client = await connect(t, listener, OPTIONS);
  const result = await client.syncEvents(REQUEST);
  assert.deepEqual(idsOf(result), ["a"]);
  const empty = await client.syncEvents(REQUEST);
  assert.deepEqual([empty.kind, empty.events], ["synced", []]);
  assert.deepEqual(result.unreadable, [
    { reason: "not-an-object", id: null },
    { reason: "missing-type", id: "x" },
    { reason: "missing-id", id: null },
  ]);
  const next = { has_more: true, next_updated_since: "1970-01-01T00:00:00Z", extras: ["pages"] };
  const again = script({ ...bad, ...next }, bad);
  const twice = await (await connect(t, again.listener, OPTIONS)).syncEvents(REQUEST);
  assert.equal(again.asked.length, 2);
  assert.equal(twice.unreadable.length, 3);
});

test("a failure between pages keeps what came, and the next sync goes on from there", async (t) => {
  let isDown = false;
  const asked: string[] = [];
  const listener: RequestListener = ({ url = "" }, response) => {
    asked.push(new URL(url, ORIGIN).searchParams.get("updated_since") ?? "");
    if (isDown) return void response.writeHead(500).end(BODY_MARK);
    const isFirst = !url.includes("updated_since");
    isDown = isFirst;
    response.end(
      JSON.stringify({
        events: [createEvent(isFirst ? "a" : "b")],
        has_more: isFirst,
        next_updated_since: "2026-08-01T00:00:00Z",
        server_time: "2026-08-21T10:00:00Z",
        extras: ALL_EXTRAS,
      }),
    );
  };
  const client = await connect(t, listener, OPTIONS);
  const failed = await client.syncEvents({ ...REQUEST, state: STATE, full: true });
  assert.equal(failed.kind, "failed");
  assert.deepEqual(idsOf(failed), ["a"]);
  isDown = false;
  const finished = await client.syncEvents({ ...REQUEST, state: failed.state });
  assert.deepEqual(idsOf(finished), ["b"]);
  assert.equal(finished.kind === "synced" && finished.isWhole, false);
  assert.deepEqual(finished.state, {
    ...OUR_STATE,
    cursor: "2026-08-21T09:55:00.000Z",
    fullSyncAt: NOW,
  });
  // The third is the plain request that follows a refusal, which failed as well.
  assert.deepEqual(asked, ["", "2026-08-01T00:00:00Z", "", "2026-08-01T00:00:00Z"]);
});

const reply =
  (status: number, headers: Record<string, string> = {}, body = BODY_MARK): RequestListener =>
  (_, response) =>
    void response.writeHead(status, headers).end(body);

const small = { limits: { timeoutMs: 200, maxResponseBytes: 4096 } };

const FAILURES: Readonly<Record<string, readonly [RequestListener, object]>> = {
  "a server error": [reply(500), { kind: "http-status", status: 500 }],
  "a proxy's page": [reply(404), { kind: "http-status", status: 404 }],
  "a token without the scope": [reply(403), { kind: "http-status", status: 403 }],
  "an empty success": [reply(204, {}, ""), { kind: "http-status", status: 204 }],
  "not modified": [reply(304, {}, ""), { kind: "http-status", status: 304 }],
  "a limit that says when": [
    reply(429, { "Retry-After": "7" }),
    { kind: "rate-limited", retryAfterSeconds: 7 },
  ],
  "a limit that names a date": [
    reply(429, { "Retry-After": "Fri, 21 Aug 2026 12:01:00 GMT" }),
    { kind: "rate-limited", retryAfterSeconds: 60 },
  ],
  "a limit that does not": [reply(429), { kind: "rate-limited", retryAfterSeconds: null }],
  "a page instead of JSON": [
    reply(200, {}, `<html>${BODY_MARK}</html>`),
    { kind: "malformed-response", detail: "not JSON" },
  ],
  "half of a response": [
    reply(200, {}, `{"events":[{"id":"${BODY_MARK}`),
    { kind: "malformed-response", detail: "not JSON" },
  ],
  "a bare list": [
    reply(200, {}, `["${BODY_MARK}"]`),
    { kind: "malformed-response", detail: "not a list of events" },
  ],
  "a list that is none": [
    reply(200, {}, `{"events":"${BODY_MARK}"}`),
    { kind: "malformed-response", detail: "not a list of events" },
  ],
  "bytes that are no text": [
    (_, response) => void response.end(Buffer.from([0x7b, 0xff, 0x7d])),
    { kind: "malformed-response", detail: "not UTF-8" },
  ],
  "a response that never ends": [
    (_, response) => {
      const timer = setInterval(() => response.write(BODY_MARK.repeat(100)), 1);
      response.on("close", () => clearInterval(timer));
    },
    { kind: "too-large", maxBytes: 4096 },
  ],
  "a response larger than it says": [
    reply(200, {}, `{"events":[],"x":"${BODY_MARK.repeat(1000)}"}`),
    { kind: "too-large", maxBytes: 4096 },
  ],
  "a response that never begins": [() => {}, { kind: "timeout", timeoutMs: 200 }],
  "a body that stops half way": [
    (_, response) => void response.write(`{"events":[{"id":"${BODY_MARK}`),
    { kind: "timeout", timeoutMs: 200 },
  ],
  "a body that drips": [
    (_, response) => {
      const timer = setInterval(() => response.write(" "), 20);
      response.on("close", () => clearInterval(timer));
    },
    { kind: "timeout", timeoutMs: 200 },
  ],
  "a connection that breaks": [
    ({ socket }) => void socket.destroy(),
    { kind: "unreachable", code: "UND_ERR_SOCKET" },
  ],
};

for (const [name, [listener, error]] of Object.entries(FAILURES)) {
  test(`${name} is a failure that says nothing secret`, async (t) => {
    // Only those that are about time may run out of it on a busy machine.
    const timeoutMs = "kind" in error && error.kind === "timeout" ? 200 : 10_000;
    const limits = { ...small.limits, timeoutMs };
    const client = await connect(t, listener, { ...OPTIONS, limits });
    const result = await client.syncEvents({ ...REQUEST, state: STATE });
    assert.equal(result.kind, "failed");
    assert.deepEqual(result.kind === "failed" && result.error, error);
    assert.deepEqual(result.state, STATE);
    const printed = printWhole(result);
    assert.ok(!printed.includes(TOKEN) && !printed.includes(BODY_MARK), printed);
  });
}

for (const status of [301, 302, 303, 307, 308]) {
  test(`a redirect by ${status} is not followed: the token is not sent elsewhere`, async (t) => {
    let visits = 0;
    const elsewhere = await serveOnLoopback(t, (_, response) => {
      visits++;
      response.end('{"events":[]}');
    });
    const client = await connect(
      t,
      reply(status, { Location: `${elsewhere}/api/events` }),
      OPTIONS,
    );
    const result = await client.syncEvents(REQUEST);
    assert.deepEqual(result.kind === "failed" && result.error, { kind: "redirected" });
    assert.equal(visits, 0);
    assert.ok(!printWhole(result).includes(TOKEN));
  });
}

test("a dead token means that the person connects again", async (t) => {
  const client = await connect(t, reply(401, { "WWW-Authenticate": "Bearer" }), OPTIONS);
  const result = await client.syncEvents({ ...REQUEST, state: STATE });
  assert.equal(result.kind, "reconnect-needed");
  assert.deepEqual(result.state, STATE);
  assert.ok(!printWhole(result).includes(BODY_MARK));
});

test("a token that fits into no header is never handed to the runtime", async (t) => {
  let visits = 0;
  const client = await connect(t, (_, response) => void (visits++, response.end("{}")), OPTIONS);
  for (const accessToken of ["", `${TOKEN}\n`, `${TOKEN} x`, `${TOKEN}é`, "x".repeat(8193)]) {
    const result = await client.syncEvents({ accessToken, state: null });
    assert.equal(result.kind, "reconnect-needed");
    assert.ok(!printWhole(result).includes(TOKEN));
  }
  assert.equal(visits, 0);
});

test("whatever an app's own fetch throws, only a code of it is shown", async () => {
  const sync = (error: unknown) => {
    const changes: Partial<EventsClientOptions> = {
      fetch: (_, init) => {
        const cause = Object.assign(new Error(JSON.stringify(init.headers)), {
          code: init.headers,
        });
        return Promise.reject(error ?? new TypeError(`failed: ${TOKEN}`, { cause }));
      },
    };
    return createClientOf("http://unused", changes).syncEvents(REQUEST);
  };
  for (const [error, code] of [
    [undefined, null],
    [TOKEN, null],
    [Object.assign(new Error(TOKEN), { code: TOKEN }), null],
    [
      new Error(TOKEN, { cause: Object.assign(new Error(TOKEN), { code: "ENOTFOUND" }) }),
      "ENOTFOUND",
    ],
    [Object.assign(new Error(TOKEN), { code: "CERT_HAS_EXPIRED" }), "CERT_HAS_EXPIRED"],
  ] as const) {
    const result = await sync(error);
    assert.deepEqual(result.kind === "failed" && result.error, { kind: "unreachable", code });
    assert.ok(!printWhole(result).includes(TOKEN));
  }
});

test("an app can stop a sync", async (t) => {
  const controller = new AbortController();
  const client = await connect(t, () => controller.abort(new Error(TOKEN)), OPTIONS);
  const result = await client.syncEvents({ ...REQUEST, signal: controller.signal });
  assert.deepEqual(result.kind === "failed" && result.error, { kind: "cancelled" });
  assert.ok(!printWhole(result).includes(TOKEN));
});

test("a state of another service is not used here", async (t) => {
  const { asked, listener } = script({ events: [], has_more: false });
  const client = await connect(t, listener, OPTIONS);
  await client.syncEvents({ ...REQUEST, state: { ...STATE, origin: "https://other.example" } });
  assert.deepEqual(asked, [FULL]);
});

test("nothing is written to the console", async (t) => {
  const lines: unknown[] = [];
  for (const name of ["log", "info", "warn", "error", "debug"] as const) {
    t.mock.method(console, name, (...words: unknown[]) => void lines.push(words));
  }
  const client = await connect(t, reply(500), OPTIONS);
  await client.syncEvents(REQUEST);
  assert.deepEqual(lines, []);
});

for (const status of [400, 403, 404, 410, 422]) {
  test(`changes refused with ${status} are followed by a full sync, which ends as it ends`, async (t) => {
    const asked: string[] = [];
    let isUp = true;
    const listener: RequestListener = ({ url = "" }, response) => {
      asked.push(url);
      if (!isUp || url !== FULL) return void response.writeHead(status).end(BODY_MARK);
      response.end(JSON.stringify({ events: [createEvent("a")] }));
    };
    const client = await connect(t, listener, OPTIONS);
    const result = await client.syncEvents({ ...REQUEST, state: STATE });
    assert.ok(result.kind === "synced" && result.mode === "full", printWhole(result));
    assert.deepEqual(idsOf(result), ["a"]);
    assert.equal(result.state.fullSyncAt, NOW);
    isUp = false;
    const failed = await client.syncEvents({ ...REQUEST, state: STATE });
    assert.equal(failed.kind, "failed");
    assert.deepEqual(failed.state, STATE);
    assert.deepEqual(asked, [`${FULL}&${SINCE}`, FULL, `${FULL}&${SINCE}`, FULL]);
  });
}

for (const status of [401, 429, 500, 503]) {
  test(`changes that end with ${status} are not followed by another request`, async (t) => {
    let asked = 0;
    const listener: RequestListener = (_, response) => {
      asked++;
      response.writeHead(status).end(BODY_MARK);
    };
    const client = await connect(t, listener, OPTIONS);
    const { state } = await client.syncEvents({ ...REQUEST, state: STATE });
    assert.deepEqual(state, STATE);
    assert.equal(asked, 1);
  });
}
