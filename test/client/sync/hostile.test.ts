/** Servers that are broken or mean: a device loses nothing, does not grow and does not ask for ever. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { readEventStream } from "../../../src/client/sync/event-stream.ts";
import { buildOperation } from "../../../src/rules/sync/operation.ts";
import { createWorld, shown, stored, syncNow, type World } from "./world.ts";

const LIMIT = 3;

/** Responds to capabilities and pulls itself. */
function imitate(world: World, sync: object, pull: (query: URLSearchParams) => object): void {
  world.network = async (send, { path }) => {
    const { pathname, searchParams } = new URL(path, "http://localhost");
    if (pathname === "/v1/pull") return Response.json(pull(searchParams));
    if (pathname !== "/v1/capabilities") return send();
    return Response.json({ ...((await (await send()).json()) as object), sync });
  };
}

function page(cursor: string, length: number) {
  const operations = Array.from({ length }, (_, index) =>
    buildOperation({
      kind: "create",
      revision: { deviceId: "other", sequence: index + 1 },
      entityId: `note/${index}`,
    }),
  );
  return { operations, cursor, requiresSnapshot: false, recoveryReason: null };
}

async function openOn(world: World, sync: object, pull: (query: URLSearchParams) => object) {
  const phone = await world.open();
  await world.signIn(phone);
  imitate(world, sync, pull);
  return phone;
}

async function failureOf(phone: Awaited<ReturnType<World["open"]>>) {
  const result = await phone.sync();
  return result.kind === "not-synced" && result.error.kind;
}

test("a server that sends the same full page again and again is asked no more", async (t) => {
  const world = await createWorld(t);
  let pulls = 0;
  const phone = await openOn(world, { maximumPullOperations: LIMIT }, () => {
    assert.ok(++pulls < 10, "it goes on and on");
    return page("same", LIMIT);
  });
  assert.equal(await failureOf(phone), "endless-log");
  assert.equal(phone.status.kind, "blocked");
});

test("a server whose cursors lead back in a circle is asked no more in this round", async (t) => {
  const world = await createWorld(t);
  let pulls = 0;
  const phone = await openOn(world, { maximumPullOperations: LIMIT }, () => {
    assert.ok(pulls < 10, "it goes on and on");
    return page(`c${++pulls % 4}`, LIMIT);
  });
  assert.equal(await failureOf(phone), "endless-log");
  assert.equal(pulls, 5);
  assert.equal(phone.status.kind, "blocked");
});

test("a log without an end costs ten thousand pages a round, and the next round goes on", async (t) => {
  const world = await createWorld(t);
  let pulls = 0;
  const asked: (string | null)[] = [];
  const phone = await openOn(world, { maximumPullOperations: 1 }, (query) => {
    asked.push(query.get("cursor"));
    return page(`c${++pulls}`, pulls === 10_003 ? 0 : 1);
  });
  assert.equal(await failureOf(phone), "long-log");
  assert.equal(pulls, 10_000);
  assert.equal(phone.status.kind, "waiting");
  await syncNow(phone);
  assert.deepEqual(asked.slice(10_000, 10_003), ["c10000", "c10001", "c10002"]);
  assert.equal(phone.status.kind, "up-to-date");
});

test("a sequence after which none could follow is not taken over, and edits go on", async (t) => {
  const world = await createWorld(t);
  const revision = { deviceId: "other", sequence: Number.MAX_SAFE_INTEGER };
  const operation = buildOperation({ kind: "create", revision, entityId: "note/1" });
  const phone = await openOn(world, {}, () => ({ ...page("c", 0), operations: [operation] }));
  assert.equal(await failureOf(phone), "exhausted-log");
  assert.equal(phone.status.kind, "blocked");
  assert.deepEqual(shown(phone), {});
  await stored(phone.create("note/2", { a: 1 }));
  world.network = (send) => send();
  assert.equal((await syncNow(phone)).pushed, 1);
});

for (const [what, body, status] of [
  ["413 with a page", "<h1>413</h1>", 413],
  ["409 with a page", "<h1>409</h1>", 409],
  ["413 with JSON of its own", '{"error":"payload_too_large"}', 413],
  ["409 with JSON of its own", '{"error":"operation_conflict","message":"no"}', 409],
  ["400 with JSON of its own", '{"error":"invalid_sync_operation"}', 400],
] as const) {
  test(`a proxy that responds ${what} to everything takes nothing from the queue`, async (t) => {
    const world = await createWorld(t);
    const phone = await world.device();
    for (let index = 0; index < 5; index++) await stored(phone.create(`note/${index}`, { index }));
    const before = shown(phone);
    world.network = async (send, { path }) =>
      path === "/v1/push" ? new Response(body, { status }) : send();
    assert.equal(await failureOf(phone), "not-a-sync-server");
    const { kind, pending, quarantined, problem } = phone.status;
    assert.deepEqual([kind, pending, quarantined], ["blocked", 5, 0]);
    assert.match(problem?.message ?? "", new RegExp(`status ${status}`));
    assert.deepEqual(shown(phone), before);
    world.network = (send) => send();
    world.requests.length = 0;
    assert.equal((await syncNow(phone)).pushed, 5);
    // What the proxy taught about sizes is forgotten.
    assert.equal(world.requests.filter((request) => request === "POST /v1/push").length, 1);
  });
}

test("a used-up quota blocks the device and keeps its queue", async (t) => {
  const world = await createWorld(t);
  const phone = await world.device();
  await stored(phone.create("note/1", {}));
  world.network = async (send, { path }) =>
    path === "/v1/push"
      ? Response.json(
          { error: "quota_exceeded", message: "The storage is used up", requestId: "r" },
          { status: 507, headers: { "Retry-After": "60" } },
        )
      : send();
  assert.equal(await failureOf(phone), "quota-exceeded");
  const { kind, pending, quarantined, problem } = phone.status;
  assert.deepEqual([kind, pending, quarantined], ["blocked", 1, 0]);
  assert.match(problem?.message ?? "", /used up; changes are kept on this device/);
  world.network = (send) => send();
  assert.equal((await syncNow(phone)).pushed, 1);
});

for (const [what, cursor] of [
  ["too long for an address", "c".repeat(4096)],
  ["no text of an address", "\ud800"],
  ["empty", ""],
]) {
  test(`a cursor that is ${what} is not stored`, async (t) => {
    const world = await createWorld(t);
    let isMean = true;
    const phone = await openOn(world, {}, (query) => {
      assert.equal(query.get("cursor"), null);
      return page(isMean ? String(cursor) : "good", 1);
    });
    assert.equal(await failureOf(phone), "not-a-sync-server");
    assert.deepEqual(shown(phone), {});
    isMean = false;
    await syncNow(phone);
    assert.deepEqual(shown(phone), { "note/0": {} });
  });
}

test("limits beyond the contract's are not used", async (t) => {
  const world = await createWorld(t);
  const limits: (string | null)[] = [];
  const greatest = Number.MAX_SAFE_INTEGER;
  const sync = {
    maximumPullOperations: greatest,
    maximumPushOperations: greatest,
    maximumBodyBytes: greatest,
  };
  const phone = await openOn(world, sync, (query) => {
    limits.push(query.get("limit"));
    return page("c", 0);
  });
  await syncNow(phone);
  assert.deepEqual(limits, ["500"]);
  world.network = (send) => send();
  await Promise.all(Array.from({ length: 150 }, (_, index) => phone.create(`note/${index}`, {})));
  await syncNow(phone);
  assert.equal(world.requests.filter((request) => request === "POST /v1/push").length, 2);
});

test("a server whose limits were lowered is asked for them again", async (t) => {
  const world = await createWorld(t);
  const phone = await world.device();
  world.network = async (send, { path }) => {
    const { pathname, searchParams } = new URL(path, "http://localhost");
    if (pathname === "/v1/pull" && Number(searchParams.get("limit")) > LIMIT) {
      const error = { error: "invalid_request", message: "", requestId: "r" };
      return Response.json(error, { status: 400 });
    }
    if (pathname !== "/v1/capabilities") return send();
    const value = (await (await send()).json()) as object;
    return Response.json({ ...value, sync: { maximumPullOperations: LIMIT } });
  };
  await stored(phone.create("note/1", {}));
  assert.equal(await failureOf(phone), "request-refused");
  assert.equal((await syncNow(phone)).pushed, 1);
});

for (const [what, line] of [
  ["an event", "data: more\n"],
  ["an event of empty lines", "data\n"],
  ["a line", "data: more"],
]) {
  test(`a stream with ${what} without an end is given up`, async () => {
    let chunks = 0;
    async function* source() {
      for (;;) {
        assert.ok(++chunks < 1000, "it is read for ever");
        yield new TextEncoder().encode(String(line).repeat(100));
      }
    }
    for await (const event of readEventStream(source(), () => {})) assert.fail(event.data);
  });
}

test("fields and entities with names of prototypes are data like any other", async (t) => {
  const world = await createWorld(t);
  const phone = await world.device();
  const fields = JSON.parse('{"__proto__":{"polluted":1},"constructor":2,"toString":3}') as object;
  for (const entityId of ["__proto__/1", "note/__proto__", "constructor/toString"]) {
    const result = await phone.create(entityId, { ...fields }, { ...fields });
    if (result.kind === "refused") assert.equal(result.reason, "entity_id");
  }
  await syncNow(phone);
  const tablet = await world.device();
  assert.deepEqual(tablet.entities.list(), phone.entities.list());
  const [entity] = tablet.entities.list("note");
  assert.equal(JSON.stringify(entity?.payload), JSON.stringify(fields));
  assert.equal(({} as Record<string, unknown>)["polluted"], undefined);
  assert.equal(Object.getPrototypeOf(entity?.payload), Object.prototype);
});
