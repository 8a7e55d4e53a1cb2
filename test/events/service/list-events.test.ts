import assert from "node:assert/strict";
import { request, type IncomingMessage } from "node:http";
import { test } from "node:test";
import type { EventList } from "../../../src/contract/events/schemas.ts";
import type { EventChange, EventsStore } from "../../../src/events/store.ts";
import { hashSecret } from "../../../src/identity/one-time-secrets.ts";
import { testOnBothStores } from "../store/on-both-stores.ts";
import {
  APP,
  BASE_URL,
  DAY_MS,
  HOUR_MS,
  OLIVE,
  OTHER_APP,
  PIET,
  START,
  startInstance,
  replaceRecords,
} from "./events-instance.ts";
import { connect, readEvents, signIn } from "./journey.ts";

const REALM = 'Bearer realm="events"';

function put(eventId: string, date: string | null, title = eventId): EventChange {
  const dateAt = date === null ? null : Date.parse(date);
  return {
    kind: "put",
    eventId,
    content: { type: "homework", subjectName: "Maths", title, date, dateAt },
    createdAt: "2026-08-01T00:00:00Z",
  };
}

async function write(
  store: EventsStore,
  accountId: string,
  changes: readonly EventChange[],
  now: number,
): Promise<void> {
  await store.transaction(async ({ sources, events }) => {
    const { sourceId } = await sources.findOrAdd({
      sourceId: `file-of-${accountId}`,
      accountId,
      kind: "file",
      name: "school",
      createdAt: now,
    });
    await events.write(accountId, sourceId, changes, now);
  });
}

async function idsOf(response: Response): Promise<string[]> {
  return ((await response.json()) as EventList).events.map(({ id }) => id);
}

test("credentials are judged before the query, each with its own challenge", async (t) => {
  const instance = await startInstance(t);
  const { ask, store, clock, accountIds } = instance;
  const { access_token: token } = await connect(instance);
  const accountId = accountIds.get(OLIVE.username) ?? "";
  await store.transaction(({ grants }) =>
    grants.add({
      grantId: "without-the-scope-0000",
      accountId,
      clientId: "demo",
      scope: "read:other",
      tokenHash: hashSecret("tre_at_other-scope"),
      createdAt: clock.now,
      lastUsedAt: clock.now,
      idleExpiresAt: clock.now + DAY_MS,
      absoluteExpiresAt: clock.now + DAY_MS,
    }),
  );
  const invalid = "The request is not what this route takes";
  for (const [query, authorization, status, challenge] of [
    ["", null, 401, REALM],
    ["?limit=0", null, 401, REALM],
    ["", "Basic ZGVtbzo=", 401, REALM],
    ["", "Bearer", 400, `${REALM}, error="invalid_request", error_description="${invalid}"`],
    ["", "Bearer a b", 400, `${REALM}, error="invalid_request", error_description="${invalid}"`],
    ["", "Bearer ä", 400, `${REALM}, error="invalid_request", error_description="${invalid}"`],
    [`?limit=1&access_token=${token}`, `Bearer ${token}`, 400, 'error="invalid_request"'],
    [`?limit=1&access_token=${token}`, null, 400, 'error="invalid_request"'],
    ["?limit=0", "Bearer unknown", 401, 'error="invalid_token"'],
    ["?limit=0", "Bearer tre_at_unknown", 401, 'error="invalid_token"'],
    ["?limit=0", "Bearer tre_at_other-scope", 403, 'error="insufficient_scope"'],
    ["?limit=0", `bearer  ${token}`, 400, null],
  ] as const) {
    const response = await ask(`/api/events${query}`, {
      headers:
        authorization === null
          ? {}
          : { Authorization: Buffer.from(authorization).toString("latin1") },
    });
    const what = `${query} ${authorization}`;
    assert.equal(response.status, status, what);
    const given = response.headers.get("www-authenticate");
    if (challenge === null) assert.equal(given, null, what);
    else if (challenge.startsWith(REALM)) assert.equal(given, challenge, what);
    else assert.ok(given?.startsWith(`${REALM}, ${challenge}`), `${what}: ${given}`);
    const text = await response.text();
    if (given === REALM) assert.equal(text, "");
    else assert.deepEqual(Object.keys(JSON.parse(text) as object), ["error", "error_description"]);
    assert.equal(response.headers.get("cache-control"), "no-store");
  }
  const scope = await ask("/api/events?limit=1", {
    headers: { Authorization: "Bearer tre_at_other-scope" },
  });
  assert.match(
    scope.headers.get("www-authenticate") ?? "",
    /error="insufficient_scope", scope="read:events"/,
  );
});

test("the query is checked after the token", async (t) => {
  const instance = await startInstance(t);
  const { access_token: token } = await connect(instance);
  for (const query of [
    "",
    "limit=",
    "limit=0",
    "limit=1001",
    "limit=05",
    "limit=1e2",
    "limit=+5",
    "limit=5&limit=5",
    "limit=%ff",
    "limit=5&updated_since=yesterday",
    "limit=5&updated_since=",
    "limit=5&updated_since=2026-02-30T00:00:00Z",
    "limit=5&updated_since=2026-08-21T00:00:00Z&updated_since=2026-08-21T00:00:00Z",
    "limit=5&include_deleted=yes",
  ]) {
    const response = await readEvents(instance, token, query);
    assert.equal(response.status, 400, query);
    const { error } = (await response.json()) as { error: string };
    assert.equal(error, "invalid_request");
  }
  for (const query of [
    "limit=1",
    "limit=1000&what=ever",
    "limit=5&updated_since=2026-08-21",
    "limit=5&updated_since=2026-08-21T10:15:30.123456",
    "limit=5&updated_since=2099-01-01T00:00:00%2B02:00",
  ]) {
    assert.equal((await readEvents(instance, token, query)).status, 200, query);
  }
});

test("a body is refused, a token in a form too, whatever the header says", async (t) => {
  const instance = await startInstance(t);
  const { access_token: token } = await connect(instance);
  const ask = (body: string) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const headers = {
        Authorization: `Bearer ${token}`,
        "Content-Type": "application/x-www-form-urlencoded",
        "Content-Length": body.length,
      };
      const options = {
        host: "127.0.0.1",
        port: instance.port,
        path: "/api/events?limit=1",
        headers,
      };
      request(options, (response) => resolve(response.resume()))
        .on("error", reject)
        .end(body);
    });
  const refused = await ask(`access_token=${token}`);
  assert.equal(refused.statusCode, 400);
  assert.match(refused.headers["www-authenticate"] ?? "", /error="invalid_request"/);
  assert.equal((await ask("what=ever")).statusCode, 400);
});

test("a session cookie does not authenticate an app", async (t) => {
  const instance = await startInstance(t);
  const browser = instance.createBrowser();
  await signIn(browser);
  const response = await browser.get("/api/events?limit=5");
  assert.equal(response.status, 401);
  assert.equal(response.headers.get("www-authenticate"), REALM);
});

testOnBothStores(
  "a full list has upcoming events first, with all six members",
  async (place, t) => {
    const instance = await startInstance(t, { place, accounts: [OLIVE, PIET] });
    const { store, accountIds } = instance;
    const [olive = "", piet = ""] = [accountIds.get("olive"), accountIds.get("piet")];
    const { access_token: token } = await connect(instance);
    const empty = await readEvents(instance, token);
    assert.deepEqual(await empty.json(), {
      events: [],
      has_more: false,
      next_updated_since: "1970-01-01T00:00:00.000Z",
      server_time: new Date(START).toISOString(),
      extras: ["deletions", "pages", "server_time"],
    });
    const dates = [
      ["past", "2026-08-01"],
      ["today", "2026-08-21"],
      ["later", "2026-09-01T08:00:00+02:00"],
      ["soon", "2026-08-25"],
      ["older", "2026-07-01"],
      ["undated", null],
    ] as const;
    await write(
      store,
      olive,
      dates.map(([id, date]) => put(id, date)),
      START,
    );
    await write(store, piet, [put("of-piet", "2026-08-22")], START);
    const response = await readEvents(instance, token);
    assert.equal(response.headers.get("cache-control"), "private, no-store");
    assert.equal(response.headers.get("content-type"), "application/json; charset=utf-8");
    assert.equal(response.headers.get("link"), null);
    const list = (await response.json()) as EventList;
    assert.deepEqual(
      list.events.map(({ id }) => id),
      ["today", "soon", "later", "past", "older", "undated"],
    );
    assert.deepEqual(list.events[0], {
      id: "today",
      type: "homework",
      subject_name: "Maths",
      title: "today",
      date: "2026-08-21",
      created_at: "2026-08-01T00:00:00Z",
    });
    assert.equal(list.next_updated_since, new Date(START + 6).toISOString());

    const first = await readEvents(instance, token, "limit=2");
    assert.equal(
      first.headers.get("link"),
      `<${BASE_URL}/api/events?limit=2&updated_since=1970-01-01T00%3A00%3A00.000Z>; rel="next"`,
    );
    assert.deepEqual(await idsOf(first), ["today", "soon"]);
  },
);

testOnBothStores(
  "following the links reads every change once, with deletions on request",
  async (place, t) => {
    const instance = await startInstance(t, { place });
    const { store, accountIds, clock } = instance;
    const accountId = accountIds.get("olive") ?? "";
    const { access_token: token } = await connect(instance);
    const ids = Array.from({ length: 7 }, (_, index) => `event-${index}`);
    await write(
      store,
      accountId,
      ids.map((id) => put(id, "2026-09-01")),
      clock.now,
    );
    clock.now += HOUR_MS;
    await write(store, accountId, [{ kind: "delete", eventId: "event-3" }], clock.now);

    const readAll = async (query: string) => {
      const read: string[] = [];
      for (
        let next = `/api/events?limit=2&updated_since=1970-01-01T00:00:00Z${query}`;
        next !== "";
      ) {
        const response = await instance.ask(next, {
          headers: { Authorization: `Bearer ${token}` },
        });
        const link = response.headers.get("link") ?? "";
        next = /^<http:\/\/localhost:4821([^>]+)>/.exec(link)?.[1] ?? "";
        const list = (await response.json()) as EventList;
        assert.equal(list.has_more, next !== "");
        read.push(...list.events.map((event) => ("deleted" in event ? `-${event.id}` : event.id)));
      }
      return read;
    };
    const live = ids.filter((id) => id !== "event-3");
    assert.deepEqual(await readAll(""), live);
    assert.deepEqual(await readAll("&include_deleted=true"), [...live, "-event-3"]);

    const since = encodeURIComponent(new Date(clock.now).toISOString());
    const changed = await readEvents(
      instance,
      token,
      `limit=9&include_deleted=true&updated_since=${since}`,
    );
    const { events, next_updated_since: next } = (await changed.json()) as EventList;
    assert.deepEqual(events, [
      {
        id: "event-3",
        type: "info",
        subject_name: null,
        title: null,
        date: null,
        created_at: "2026-08-01T00:00:00Z",
        deleted: true,
      },
    ]);
    assert.equal(next, new Date(clock.now + 1).toISOString());
    const future = await readEvents(instance, token, "limit=9&updated_since=2099-01-01T00:00:00Z");
    assert.deepEqual(await idsOf(future), []);
  },
);

test("a HEAD has the headers of a GET, no body, and keeps nothing alive", async (t) => {
  const instance = await startInstance(t);
  const { access_token: token } = await connect(instance);
  const got = await readEvents(instance, token);
  const init = { method: "HEAD", headers: { Authorization: `Bearer ${token}` } };
  const head = await readEvents(instance, token, "limit=500", init);
  assert.equal(head.status, 200);
  assert.equal(head.headers.get("content-length"), got.headers.get("content-length"));
  assert.equal(await head.text(), "");
  instance.clock.now += 100 * DAY_MS;
  assert.equal((await readEvents(instance, token, "limit=5", init)).status, 200);
  instance.clock.now += 80 * DAY_MS;
  assert.equal((await readEvents(instance, token)).status, 401);
});

test("using a token keeps it alive, for a year at most, and is noted once an hour", async (t) => {
  let touches = 0;
  const instance = await startInstance(t, {
    wrapStore: replaceRecords((records) => ({
      grants: {
        ...records.grants,
        touch: (...given) => {
          touches++;
          return records.grants.touch(...given);
        },
      },
    })),
  });
  const { clock } = instance;
  const { access_token: token } = await connect(instance);
  const born = clock.now;
  const read = async () => (await readEvents(instance, token)).status;
  clock.now += HOUR_MS - 1;
  assert.equal(await read(), 200);
  assert.equal(touches, 0);
  clock.now += 1;
  for (let count = 0; count < 3; count++) assert.equal(await read(), 200);
  assert.equal(touches, 1);
  clock.now += 180 * DAY_MS - 1;
  assert.equal(await read(), 200);
  clock.now = born + 365 * DAY_MS - 1;
  assert.equal(await read(), 401, "more than 180 days without use");

  const second = (await connect(instance)).access_token;
  const start = clock.now;
  for (const days of [100, 200, 300]) {
    clock.now = start + days * DAY_MS;
    assert.equal((await readEvents(instance, second)).status, 200);
  }
  clock.now = start + 365 * DAY_MS - 1;
  assert.equal((await readEvents(instance, second)).status, 200);
  clock.now += 1;
  assert.equal((await readEvents(instance, second)).status, 401);
});

test("one token's haste is not another's, and its limit comes before its query", async (t) => {
  const instance = await startInstance(t, {
    limits: { events: { requests: 4, windowSeconds: 60 } },
  });
  const browser = instance.createBrowser();
  await signIn(browser);
  const [one, other] = [await connect(instance, browser), await connect(instance, browser)];
  for (let count = 0; count < 4; count++) {
    assert.equal((await readEvents(instance, one.access_token)).status, 200);
  }
  const limited = await readEvents(instance, one.access_token, "limit=0");
  assert.equal(limited.status, 429);
  assert.equal(limited.headers.get("retry-after"), "60");
  const { error } = (await limited.json()) as { error: string };
  assert.equal(error, "temporarily_unavailable");
  assert.equal((await readEvents(instance, other.access_token)).status, 200);
  assert.equal((await readEvents(instance, "unknown")).status, 401);
});

test("a token counts only while its client is configured", async (t) => {
  const before = await startInstance(t);
  const { access_token: token } = await connect(before);
  const read = async (clients: readonly (typeof APP)[]) => {
    const { ask } = await startInstance(t, { place: before.place, accounts: [], clients });
    const headers = { Authorization: `Bearer ${token}` };
    return (await ask("/api/events?limit=1", { headers })).status;
  };
  assert.equal(await read([OTHER_APP]), 401);
  // Nothing was revoked: the grants are valid again once the client is configured again.
  assert.equal(await read([APP]), 200);
});
