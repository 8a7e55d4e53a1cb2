import assert from "node:assert/strict";
import { test } from "node:test";
import { createMemorySyncStorage, type SyncStorage } from "../../../src/client/index.ts";
import { createWorld, shown, stored, syncAll, syncNow, type World } from "../sync/world.ts";
import { idOf, openTasks } from "./task.ts";

/** The numbers of operations that pushes bring, in order. */
function watchPushes(world: World): number[] {
  const pushes: number[] = [];
  const { network } = world;
  world.network = (send, request) => {
    if (request.path === "/v1/push") pushes.push(countOperations(request.init));
    return network(send, request);
  };
  return pushes;
}

function countOperations({ body }: RequestInit): number {
  return (JSON.parse(String(body)) as { operations: unknown[] }).operations.length;
}

test("edits of a transaction see each other, and are stored and sent together", async (t) => {
  const world = await createWorld(t);
  const [phone, tablet] = [await world.device(), await world.device()];
  const tasks = openTasks(phone);
  const notes = phone.collection<{ text: string }>("note");
  await idOf(tasks.create({ title: "First" }, { id: "first" }));
  const pushes = watchPushes(world);
  let notified = 0;
  phone.subscribe(() => notified++);
  const result = await phone.transaction((edit) => {
    const id = edit(tasks).create({ title: "Milk" });
    edit(tasks).patch(id, { done: true });
    edit(tasks).increment(id, "spent", 2);
    edit(tasks).increment(id, "spent", 3);
    edit(tasks).addTo(id, "tags", "home");
    edit(tasks).move(id, { first: true });
    edit(notes).upsert("1", { text: "Hello" });
    edit(tasks).remove("first");
  });
  assert.ok(result.kind === "stored", JSON.stringify(result));
  assert.equal(result.operationIds.length, 8);
  assert.equal(notified, 1);
  const [milk] = tasks.list();
  assert.deepEqual(
    [tasks.list().length, milk?.spent, milk?.done, milk?.tags],
    [1, 5, true, ["home"]],
  );
  await syncAll(phone, tablet);
  assert.deepEqual(pushes, [9]);
  assert.deepEqual(shown(tablet), shown(phone));
});

test("a transaction with one refused edit stores nothing", async (t) => {
  const world = await createWorld(t);
  const client = await world.open();
  const tasks = openTasks(client);
  await idOf(tasks.create({ title: "Milk" }, { id: "milk" }));
  const before = shown(client);
  // The first is found before the storage is asked, the second only in it.
  const refused = [
    await client.transaction((edit) => {
      edit(tasks).patch("milk", { done: true });
      edit(tasks).create({ title: 5 as unknown as string });
    }),
    await client.transaction((edit) => {
      edit(tasks).patch("milk", { done: true });
      edit(tasks).patch("nowhere", { done: true });
    }),
  ];
  assert.deepEqual(
    refused.map((result) => result.kind === "refused" && result.reason),
    ["schema", "entity_not_found"],
  );
  assert.deepEqual(shown(client), before);
  assert.equal(client.status.pending, 1);
  const thrown = client.transaction((edit) => {
    edit(tasks).create({ title: "Ghost" }, { id: "ghost" });
    throw new Error("A bug of the app");
  });
  await assert.rejects(thrown, /A bug of the app/);
  // Nothing of what was planned stays: a later edit is judged by what is stored.
  const moved = await tasks.move("milk", { after: "ghost" });
  assert.equal(moved.kind === "refused" && moved.reason, "order_place");
  assert.deepEqual(await client.transaction(() => {}), { kind: "stored", operationIds: [] });
});

test("a transaction is used only while it runs, and only for collections of its client", async (t) => {
  const world = await createWorld(t);
  const [client, other] = [await world.open(), await world.open()];
  const [tasks, others] = [openTasks(client), openTasks(other)];
  let late = () => {};
  await client.transaction((edit) => {
    const edits = edit(tasks);
    late = () => edits.create({ title: "Late" });
  });
  assert.throws(late, /the transaction has ended/);
  await assert.rejects(
    client.transaction((edit) => edit(others).create({ title: "Lost" })),
    /no collection of this client/,
  );
});

test("edits before and after a transaction keep their order", async (t) => {
  const world = await createWorld(t);
  const client = await world.open();
  const tasks = openTasks(client);
  const results = [
    tasks.create({ title: "1" }, { id: "a" }),
    client.transaction((edit) => edit(tasks).patch("a", { title: "2" })),
    tasks.patch("a", { title: "3" }),
    client.transaction((edit) => edit(tasks).patch("a", { due: "2026-01-31" })),
  ];
  for (const result of results) assert.equal((await result).kind, "stored");
  assert.deepEqual([tasks.get("a")?.title, tasks.get("a")?.due], ["3", "2026-01-31"]);
});

test("a transaction has at most 1,000 edits, and the refusal says how many there are", async (t) => {
  const world = await createWorld(t);
  const client = await world.open();
  const notes = client.collection<{ text: string }>("note");
  const create = (count: number) =>
    client.transaction((edit) => {
      for (let index = 0; index < count; index++) edit(notes).create({ text: "" });
    });
  assert.deepEqual(await create(1001), {
    kind: "refused",
    reason: "transaction_too_large",
    message: "a transaction has at most 1000 edits, and this one has 1001: make several",
  });
  assert.deepEqual([client.entities.list(), client.status.pending], [[], 0]);
  assert.equal((await create(1000)).kind, "stored");
  assert.equal(client.status.pending, 1000);
});

test("a push has transactions whole, whatever the batches are", async (t) => {
  const world = await createWorld(t, { limits: { maxPushOperations: 10 } });
  const client = await world.device();
  const notes = client.collection<{ text: string }>("note");
  const pushes = watchPushes(world);
  for (const size of [4, 4, 4, 1, 10, 2]) {
    await client.transaction((edit) => {
      for (let index = 0; index < size; index++) edit(notes).create({ text: "" });
    });
    await idOf(notes.create({ text: "alone" }));
  }
  await syncNow(client);
  // 4+1+4+1, 4+1+1+1, 10, 1+2+1
  assert.deepEqual(pushes, [10, 7, 10, 4]);
});

for (const [who, tooLarge] of [
  ["a server", refuseSize],
  ["a proxy", () => new Response("<h1>413</h1>", { status: 413 })],
] as const) {
  test(`${who} that takes less gets larger transactions in parts, and smaller ones whole`, async (t) => {
    const world = await createWorld(t);
    const client = await world.device();
    const notes = client.collection<{ text: string }>("note");
    const { network } = world;
    const taken: number[] = [];
    world.network = (send, request) => {
      const size = request.path === "/v1/push" ? countOperations(request.init) : 0;
      if (size > 5) return Promise.resolve(tooLarge());
      if (size > 0) taken.push(size);
      return network(send, request);
    };
    const create = (size: number, text: string) =>
      client.transaction((edit) => {
        for (let index = 0; index < size; index++) edit(notes).create({ text });
      });
    await create(5, "whole");
    await create(12, "large");
    await create(4, "last");
    const result = await syncNow(client);
    assert.deepEqual([result.pushed, result.quarantined], [21, 0]);
    // Halves of what was too much would be less than the others have.
    assert.deepEqual([taken[0], taken.at(-1)], [5, 4]);
  });
}

test("a connection that is too slow for a transaction does not tear it apart", async (t) => {
  const world = await createWorld(t);
  const deadlines = new Set<() => void>();
  const client = await world.device({
    setTimer(callback, delayMs) {
      if (delayMs === 60_000) deadlines.add(callback);
      return () => deadlines.delete(callback);
    },
  });
  const notes = client.collection<{ text: string }>("note");
  await client.transaction((edit) => {
    for (let index = 0; index < 8; index++) edit(notes).create({ text: "" });
  });
  const { network } = world;
  world.network = (send, request) => {
    if (request.path !== "/v1/push") return network(send, request);
    for (const end of deadlines) end();
    return Promise.reject(new Error("Aborted"));
  };
  for (let round = 0; round < 3; round++) {
    const result = await client.sync();
    assert.equal(result.kind === "not-synced" && result.error.kind, "timeout");
  }
  world.network = network;
  const pushes = watchPushes(world);
  await syncNow(client);
  assert.deepEqual(pushes, [8]);
});

function refuseSize(): Response {
  const envelope = { error: "payload_too_large", message: "Too large", requestId: "12345678" };
  return Response.json(envelope, { status: 413 });
}

test("a transaction that is older than the limits of its server is sent in parts", async (t) => {
  const world = await createWorld(t, { limits: { maxPushOperations: 5 } });
  const client = await world.open();
  const notes = client.collection<{ text: string }>("note");
  await client.transaction((edit) => {
    for (let index = 0; index < 8; index++) edit(notes).create({ text: "early" });
  });
  await idOf(notes.create({ text: "late" }));
  await world.signIn(client);
  const pushes = watchPushes(world);
  const result = await syncNow(client);
  assert.deepEqual([result.pushed, result.quarantined], [9, 0]);
  assert.deepEqual(pushes, [5, 4]);
});

test("what the server refuses of a large transaction is set aside with all that it has not taken", async (t) => {
  const world = await createWorld(t, { limits: { maxPushOperations: 5 } });
  const client = await world.device();
  const notes = client.collection<{ text: string }>("note");
  const { network } = world;
  // It does not say which: the client finds out by halves.
  const isBad = (init: RequestInit) => String(init.body).includes("note/n7");
  const unnamed = { error: "invalid_sync_operation", message: "Refused", requestId: "12345678" };
  world.network = (send, request) =>
    request.path === "/v1/push" && isBad(request.init)
      ? Promise.resolve(Response.json(unnamed, { status: 400 }))
      : network(send, request);
  await client.transaction((edit) => {
    for (let index = 0; index < 12; index++) edit(notes).create({ text: "" }, { id: `n${index}` });
  });
  const result = await syncNow(client);
  assert.deepEqual([result.pushed, result.quarantined], [7, 5]);
  assert.deepEqual(
    client.quarantine.list().map(({ reason }) => reason),
    ["invalid_sync_operation", ...Array<string>(4).fill("transaction_refused")],
  );
  assert.equal(notes.list().length, 12);
  world.network = network;
  const [first] = client.quarantine.list();
  const kind = (await client.quarantine.retry(first?.operationId ?? "")).kind;
  assert.deepEqual(
    [kind, client.quarantine.list().length, client.status.pending],
    ["accepted", 0, 0],
  );
});

test("when the server refuses a part of a transaction, all of it is set aside and the rest is sent", async (t) => {
  const world = await createWorld(t, { profile: "habits" });
  // An app of another profile: the server refuses its entities.
  const client = await world.device({ profile: "habits" });
  const other = await world.device({ profile: "habits" });
  const settings = client.collection<{ value: unknown }>("setting");
  await idOf(settings.create({ value: 1 }, { id: "theme" }));
  await client.transaction((edit) => {
    edit(settings).create({ value: 2 }, { id: "first" });
    edit(settings).create({ value: 3 }, { id: "second" });
  });
  await idOf(settings.create({ value: 4 }, { id: "last" }));
  const { network } = world;
  world.network = (send, request) =>
    request.path === "/v1/push" && String(request.init.body).includes("setting/second")
      ? Promise.resolve(refuse(request.init, "setting/second"))
      : network(send, request);
  const result = await syncNow(client);
  assert.deepEqual([result.pushed, result.quarantined], [2, 2]);
  assert.deepEqual(
    client.quarantine.list().map(({ entityId, reason }) => [entityId, reason]),
    [
      ["setting/first", "transaction_refused"],
      ["setting/second", "payload_field_type"],
    ],
  );
  // What the server refused stays in sight.
  assert.deepEqual(
    settings.list().map(({ id, refused }) => [id, refused]),
    [
      ["first", true],
      ["last", undefined],
      ["second", true],
      ["theme", undefined],
    ],
  );
  await syncNow(other);
  assert.deepEqual(Object.keys(shown(other)), ["setting/last", "setting/theme"]);
  // A retry of one sends all of them, so that the server never has a part.
  const pushes = watchPushes(world);
  const [first, second] = client.quarantine.list().map(({ operationId }) => operationId);
  assert.equal((await client.quarantine.retry(first ?? "")).kind, "refused");
  assert.deepEqual([client.quarantine.list().length, pushes], [2, [2]]);
  await syncNow(other);
  assert.deepEqual(Object.keys(shown(other)), ["setting/last", "setting/theme"]);
  world.network = network;
  const accepted = { kind: "accepted", operationId: second };
  assert.deepEqual(await client.quarantine.retry(second ?? ""), accepted);
  await syncNow(other);
  assert.deepEqual(shown(other), shown(client));
  assert.deepEqual(
    settings.list().map(({ refused }) => refused),
    Array(4).fill(undefined),
  );
});

for (const call of ["retry", "discard"] as const) {
  test(`a transaction that was refused is a whole for ${call}, also in its pushes`, async (t) => {
    const world = await createWorld(t);
    const storage = createMemorySyncStorage();
    const [client, other] = [await world.device({ storage }), await world.device()];
    const notes = client.collection<{ text: string }>("note");
    const { network } = world;
    world.network = (send, request) =>
      request.path === "/v1/push" && String(request.init.body).includes("note/second")
        ? Promise.resolve(refuse(request.init, "note/second"))
        : network(send, request);
    await client.transaction((edit) => {
      edit(notes).create({ text: "1" }, { id: "first" });
      edit(notes).create({ text: "2" }, { id: "second" });
    });
    const pushes = watchPushes(world);
    await syncNow(client);
    const refused = client.quarantine.list();
    const [first = ""] = refused.map(({ operationId }) => operationId);
    const result = await client.quarantine.retry(first);
    assert.equal(result.kind === "refused" && result.reason, "transaction_refused");
    assert.deepEqual(client.quarantine.list(), refused);
    world.network = network;
    const reopened = await world.open({ storage });
    const kind = (await reopened.quarantine[call](first)).kind;
    assert.equal(kind, call === "retry" ? "accepted" : "discarded");
    assert.deepEqual([reopened.quarantine.list(), reopened.status.pending], [[], 0]);
    assert.deepEqual(pushes, [2, 2]);
    await syncAll(reopened, other);
    const all = call === "retry" ? ["note/first", "note/second"] : [];
    assert.deepEqual([Object.keys(shown(reopened)), Object.keys(shown(other))], [all, all]);
  });
}

function refuse({ body }: RequestInit, entityId: string): Response {
  const { operations } = JSON.parse(String(body)) as {
    operations: { document: { entityId: string } }[];
  };
  const index = operations.findIndex(({ document }) => document.entityId === entityId);
  const envelope = { error: "invalid_sync_operation", message: "Refused", requestId: "12345678" };
  const headers = { "Trellis-Refused": `${index}=payload_field_type` };
  return Response.json(envelope, { status: 400, headers });
}

test("a transaction that the storage ends in the middle has stored nothing", async (t) => {
  const world = await createWorld(t);
  const memory = createMemorySyncStorage();
  let putsLeft = Infinity;
  const storage: SyncStorage = {
    ...memory,
    transaction: (mode, work) =>
      memory.transaction(mode, (transaction) =>
        work({
          ...transaction,
          put(key, value) {
            if (putsLeft-- <= 0) throw new Error("The process was killed");
            transaction.put(key, value);
          },
        }),
      ),
  };
  const client = await world.open({ storage });
  const tasks = openTasks(client);
  await stored(client.create("note/1", {}));
  for (putsLeft = 0; ;) {
    const limit = putsLeft;
    const result = await client.transaction((edit) => {
      edit(tasks).create({ title: "A" }, { id: "a" });
      edit(tasks).create({ title: "B" }, { id: "b" });
    });
    putsLeft = Infinity;
    const reopened = await world.open({ storage: memory });
    const count = openTasks(reopened).list().length;
    if (result.kind === "stored") {
      assert.deepEqual([count, reopened.status.pending], [2, 3]);
      assert.ok(limit >= 4);
      return;
    }
    assert.deepEqual([result.reason, count, reopened.status.pending], ["storage_failed", 0, 1]);
    putsLeft = limit + 1;
  }
});

test("a transaction whose ids were used before is tried again whole, under new ones", async (t) => {
  const world = await createWorld(t);
  const [client, other] = [await world.device(), await world.device()];
  const notes = client.collection<{ text: string }>("note");
  await client.transaction((edit) => {
    for (const id of ["a", "b", "c"]) edit(notes).create({ text: id }, { id });
  });
  const { network } = world;
  world.network = (send, request) =>
    request.path === "/v1/push" ? Promise.resolve(conflict()) : network(send, request);
  assert.equal((await syncNow(client)).quarantined, 3);
  world.network = network;
  const pushes = watchPushes(world);
  const [, second] = client.quarantine.list();
  const retried = await stored(client.quarantine.retry(second?.operationId ?? ""));
  assert.equal(retried, `operation/${client.deviceId}/5`);
  assert.deepEqual([pushes, client.quarantine.list()], [[3], []]);
  await syncNow(other);
  assert.deepEqual(shown(other), shown(client));
});

function conflict(): Response {
  const envelope = { error: "operation_conflict", message: "Conflict", requestId: "12345678" };
  return Response.json(envelope, { status: 409, headers: { "Trellis-Refused": "1=id_reused" } });
}
