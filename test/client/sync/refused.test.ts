/** What the server would refuse is refused at once; what it refuses all the same is set aside. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  createMemorySyncStorage,
  type Fields,
  type RetryResult,
  type SyncClient,
} from "../../../src/client/index.ts";
import { validateOperation } from "../../../src/rules/sync/validate-operation.ts";
import { scanOperation } from "../../../src/rules/sync/operation-text.ts";
import { buildOperation } from "../../../src/rules/sync/operation.ts";
import { ENTRY_PAYLOAD, HABIT_PAYLOAD } from "../../fixtures/sync-operation.ts";
import {
  createWorld,
  offline,
  online,
  shown,
  stored,
  syncNow,
  type Network,
  type World,
} from "./world.ts";

test("what breaks a rule of the server is refused at once, by the same rule", async (t) => {
  const world = await createWorld(t, { profile: "habits" });
  const phone = await world.open({ profile: "habits" });
  const deep = JSON.parse(`${'{"a":'.repeat(20)}1${"}".repeat(20)}`) as object;
  const wrong: [string, Record<string, unknown>][] = [
    ["habit/water", { ...HABIT_PAYLOAD, name: "" }],
    ["habit/water", { ...HABIT_PAYLOAD, id: "other" }],
    ["habit/water", { ...HABIT_PAYLOAD, accessToken: "x" }],
    ["habit/water", { ...HABIT_PAYLOAD, note: "x".repeat(40_000) }],
    ["habit/water", { ...HABIT_PAYLOAD, note: ["x".repeat(30_000), "é".repeat(30_000)] }],
    ["habit/water", { ...HABIT_PAYLOAD, deep }],
    ["entry/water/2026-02-30", ENTRY_PAYLOAD],
    ["setting/theme", { value: "é".repeat(3000) }],
    ["setting/theme", { value: 1, other: 2 }],
    ["note/1", {}],
    ["habit/Ä", HABIT_PAYLOAD],
  ];
  for (const [entityId, payload] of wrong) {
    const result = await phone.create(entityId, payload);
    const operation = buildOperation({
      kind: "create",
      revision: { deviceId: "phone", sequence: 1 },
      entityId,
      payload,
    });
    const expected = validateOperation(scanOperation(JSON.stringify(operation)), "habits");
    assert.ok(expected.kind === "invalid");
    assert.ok(result.kind === "refused" && result.reason === expected.code);
    assert.ok(result.message.endsWith(expected.reason), result.message);
  }
  assert.equal(phone.status.pending, 0);
  await stored(phone.create("habit/water", HABIT_PAYLOAD));
  const patched = await phone.patch("habit/water", { targetCount: 0 });
  assert.equal(patched.kind === "refused" && patched.reason, "payload_field_type");
  await stored(phone.patch("habit/water", { targetCount: 9 }));
  await world.signIn(phone);
  assert.equal((await syncNow(phone)).quarantined, 0);
  const tablet = await world.device({ profile: "habits" });
  assert.deepEqual(tablet.entities.get("habit/water")?.payload, {
    ...HABIT_PAYLOAD,
    targetCount: 9,
  });
});

test("what is no JSON, no entity or no metadata name is refused by a code of its own", async (t) => {
  const world = await createWorld(t);
  const phone = await world.open();
  const circle: Record<string, unknown> = {};
  circle["self"] = circle;
  const reasonOf = async (edit: Promise<RetryResult>) => {
    const result = await edit;
    return result.kind === "refused" ? result.reason : result.kind;
  };
  for (const value of [undefined, NaN, [Infinity], 1n, () => 1, circle]) {
    assert.equal(await reasonOf(phone.create("note/1", { value })), "not_json");
  }
  assert.equal(await reasonOf(phone.create("note/1", {}, { payload: {} })), "metadata_name");
  assert.equal(await reasonOf(phone.patch("note/1", { a: 1 })), "entity_not_found");
  assert.equal(await reasonOf(phone.remove("note/1")), "entity_not_found");
  await stored(phone.create("note/1", { a: 1 }));
  assert.equal(await reasonOf(phone.patch("note/1", {})), "changed_none");
  assert.equal(await reasonOf(phone.quarantine.retry("operation/x/1")), "operation_not_found");
  assert.deepEqual(await phone.quarantine.discard("operation/x/1"), { kind: "not-found" });
  await phone.close();
  assert.equal(await reasonOf(phone.patch("note/1", { a: 2 })), "closed");
  const result = await phone.sync();
  assert.equal(result.kind === "not-synced" && result.error.kind, "closed");
});

test("an edit that only JavaScript can make is refused, and harms no other edit", async (t) => {
  const world = await createWorld(t);
  const phone = await world.open();
  const wrong = [undefined, null, 5, "text", [1]];
  const refused = await Promise.all([
    stored(phone.create("note/before", { a: 1 })),
    ...wrong.slice(0, 3).map((entityId) => phone.create(entityId as string, { a: 1 })),
    ...wrong.slice(1).map((payload) => phone.create("note/1", payload as object as Fields)),
    ...wrong.slice(1).map((metadata) => phone.create("note/1", {}, metadata as object as Fields)),
    stored(phone.create("note/after", { a: 1 })),
  ]);
  assert.deepEqual(
    refused.map((result) =>
      typeof result === "string" || result.kind === "stored" ? null : result.reason,
    ),
    [null, ...Array(3).fill("entity_id"), ...Array(8).fill("not_json"), null],
  );
  assert.deepEqual(Object.keys(shown(phone)), ["note/after", "note/before"]);
});

async function discardAll({ quarantine }: SyncClient): Promise<void> {
  for (const { operationId } of quarantine.list()) await quarantine.discard(operationId);
}

/** Refuses the first operation of pushes whose body matches. */
function refusing(matches: (body: string) => boolean): Network {
  return async (send, { path, init }) =>
    path === "/v1/push" && matches(String(init.body))
      ? Response.json(
          { error: "invalid_sync_operation", message: "", requestId: "r" },
          { status: 400, headers: { "Trellis-Refused": "0=payload_field_type" } },
        )
      : send();
}

/** Refuses pushes that have operations on `bad/…`, as a server with a stricter rule would. */
function createStrictServer(world: World, header: boolean) {
  const pushes: number[] = [];
  const network: Network = async (send, { path, init }) => {
    if (path !== "/v1/push") return send();
    const { operations } = JSON.parse(String(init.body)) as {
      operations: { document: { entityId: string } }[];
    };
    pushes.push(operations.length);
    const bad = operations.flatMap(({ document }, index) =>
      document.entityId.startsWith("bad/") ? [`${index}=payload_field_type`] : [],
    );
    if (bad.length === 0) return send();
    return Response.json(
      { error: "invalid_sync_operation", message: "Nothing was stored", requestId: "r" },
      { status: 400, headers: header ? { "Trellis-Refused": bad.join(", ") } : {} },
    );
  };
  world.network = network;
  return pushes;
}

for (const header of [true, false]) {
  const how = header ? "named by a header" : "found by halving the batch";
  test(`operations that the server refuses are set aside, ${how}`, async (t) => {
    const world = await createWorld(t);
    const storage = createMemorySyncStorage();
    const phone = await world.device({ storage });
    const collection = phone.collection("bad");
    const refusedInCollection = () => collection.list().map(({ id, refused }) => [id, refused]);
    collection.subscribe(() => {});
    for (let index = 0; index < 40; index++) {
      const type = index === 7 || index === 31 ? "bad" : "note";
      await stored(phone.create(`${type}/${index}`, { index }));
    }
    const pushes = createStrictServer(world, header);
    const result = await syncNow(phone);
    assert.deepEqual([result.pushed, result.quarantined], [38, 2]);
    assert.ok(pushes.length <= (header ? 2 : 20), pushes.join());
    const bad = phone.entities.list("bad");
    assert.deepEqual(
      bad.map(({ entityId, refused }) => [entityId, refused]),
      [
        ["bad/31", true],
        ["bad/7", true],
      ],
    );
    assert.deepEqual(refusedInCollection(), [
      ["31", true],
      ["7", true],
    ]);
    assert.equal(phone.entities.get("note/1")?.refused, undefined);
    assert.equal(phone.status.kind, "needs-attention");
    const reason = header ? "payload_field_type" : "invalid_sync_operation";
    const expected = [7, 31].map((index) => ({
      operationId: `operation/${phone.deviceId}/${index + 1}`,
      entityId: `bad/${index}`,
      reason,
      message: `The sync server does not take this change (${reason}); update the app and try it again, or discard it`,
    }));
    assert.deepEqual(phone.quarantine.list(), expected);
    assert.deepEqual([phone.status.quarantined, phone.status.pending], [2, 0]);
    const reopened = await world.open({ storage });
    assert.deepEqual(reopened.quarantine.list(), expected);
    assert.deepEqual(reopened.entities.list("bad"), bad);

    assert.deepEqual(await phone.quarantine.retry(expected[0]?.operationId ?? ""), {
      kind: "refused",
      reason,
      message: expected[0]?.message,
    });
    assert.deepEqual(phone.entities.list("bad"), bad);
    world.network = online;
    const [kept, discarded] = expected.map(({ operationId }) => operationId);
    assert.deepEqual(await phone.quarantine.discard(discarded ?? ""), { kind: "discarded" });
    assert.deepEqual(await phone.quarantine.retry(kept ?? ""), {
      kind: "accepted",
      operationId: kept,
    });
    assert.deepEqual(refusedInCollection(), [["7", undefined]]);
    assert.deepEqual(phone.entities.list("bad"), [
      { entityId: "bad/7", payload: { index: 7 }, metadata: {} },
    ]);
    assert.equal(phone.status.kind, "up-to-date");
    assert.deepEqual(phone.quarantine.list(), []);
    assert.deepEqual(shown(await world.device()), shown(phone));
  });
}

for (const [name, maxPushOperations, cut] of [
  ["waits", 100, "/v1/push"],
  ["was sent", 2, "/v1/pull"],
  ["was sent before, after a push of another device", 1, "/v1/pull"],
] as const) {
  test(`what a refused operation had replaced is shown again when that is discarded, while it ${name}`, async (t) => {
    const world = await createWorld(t, { limits: { maxPushOperations } });
    const phone = await world.device();
    const tablet = await world.device();
    await stored(tablet.create("note/2", {}));
    await stored(tablet.remove("note/2"));
    await stored(phone.create("note/1", { text: 0, mood: "calm" }));
    for (let text = 1; text <= 4; text++) await stored(phone.patch("note/1", { text }));
    await stored(phone.patch("note/1", { text: "refused", mood: "refused" }));
    await stored(phone.patch("note/1", { mood: "fine" }));
    await stored(phone.patch("note/1", { text: "also refused" }));
    assert.deepEqual(shown(phone), { "note/1": { text: "also refused", mood: "fine" } });
    let isRefused = false;
    let isCut = true;
    // With a gap before them receipts confirm nothing.
    let isFirst = name.includes("another device");
    world.network = async (send, { path, init }) => {
      if (isRefused && isCut && path.startsWith(cut)) throw new TypeError("fetch failed");
      if (path !== "/v1/push") return send();
      if (isFirst) {
        isFirst = false;
        await syncNow(tablet);
      }
      const { operations } = JSON.parse(String(init.body)) as { operations: unknown[] };
      const refused = operations.flatMap((operation, index) =>
        JSON.stringify(operation).includes("refused") ? [`${index}=payload_field_type`] : [],
      );
      if (refused.length === 0) return send();
      isRefused = true;
      const body = { error: "invalid_sync_operation", message: "", requestId: "r" };
      const headers = { "Trellis-Refused": refused.join(", ") };
      return Response.json(body, { status: 400, headers });
    };
    assert.equal((await phone.sync()).kind, "not-synced");
    assert.deepEqual(
      [phone.status.pending, phone.status.quarantined],
      [cut === "/v1/push" ? 6 : 0, 2],
    );
    assert.deepEqual(shown(phone), { "note/1": { text: "also refused", mood: "fine" } });
    await discardAll(phone);
    assert.deepEqual(shown(phone), { "note/1": { text: 4, mood: "fine" } });
    isCut = false;
    await syncNow(phone);
    assert.deepEqual(shown(phone), { "note/1": { text: 4, mood: "fine" } });
    assert.deepEqual(shown(await world.device()), shown(phone));
  });
}

test("the real service names what it refuses, and the rest is stored", async (t) => {
  const world = await createWorld(t, { profile: "habits" });
  // A server before 0.2.0 does not say its profile.
  world.network = async (send, { path }) => {
    const response = await send();
    if (path !== "/v1/capabilities") return response;
    const { sync, ...others } = (await response.json()) as { sync: object };
    return Response.json({ ...others, sync: { ...sync, profile: undefined } });
  };
  const phone = await world.device();
  await stored(phone.create("habit/water", HABIT_PAYLOAD));
  await stored(phone.create("habit/tea", { ...HABIT_PAYLOAD, id: "tea", targetCount: "many" }));
  await stored(phone.create("setting/theme", { value: "dark" }));
  await stored(phone.create("note/1", {}));
  world.requests.length = 0;
  const result = await syncNow(phone);
  assert.deepEqual([result.pushed, result.quarantined], [2, 2]);
  assert.equal(world.requests.filter((request) => request === "POST /v1/push").length, 2);
  assert.deepEqual(
    phone.quarantine.list().map(({ entityId, reason }) => [entityId, reason]),
    [
      ["habit/tea", "payload_field_type"],
      ["note/1", "entity_id"],
    ],
  );
});

test("a refused change gets a new id where its own is taken, and later changes of the entity stay", async (t) => {
  const world = await createWorld(t);
  const phone = await world.device();
  await stored(phone.create("note/1", { a: 1, b: 1 }));
  await syncNow(phone);
  const refused = await stored(phone.patch("note/1", { a: 2 }));
  await stored(phone.patch("note/1", { b: 2 }));
  world.network = async (send, { path, init }) =>
    path === "/v1/push" && String(init.body).includes(`"${refused}"`)
      ? Response.json(
          { error: "operation_conflict", message: "", requestId: "r" },
          { status: 409, headers: { "Trellis-Refused": "0=id_reused" } },
        )
      : send();
  await syncNow(phone);
  assert.deepEqual(shown(phone), { "note/1": { a: 2, b: 2 } });
  assert.equal(phone.entities.get("note/1")?.refused, true);
  assert.equal(phone.quarantine.list()[0]?.reason, "id_reused");
  // The id is taken, so the change gets a new one.
  const retried = await stored(phone.quarantine.retry(refused));
  assert.notEqual(retried, refused);
  assert.equal(phone.entities.get("note/1")?.refused, undefined);
  assert.deepEqual(shown(phone), { "note/1": { a: 2, b: 2 } });
  assert.deepEqual(shown(await world.device()), shown(phone));
});

test("a device that was set back does not overwrite what it has sent under the same ids", async (t) => {
  const world = await createWorld(t);
  const storage = createMemorySyncStorage();
  const phone = await world.device({ storage });
  await stored(phone.create("note/1", { a: 1 }));
  await syncNow(phone);
  const all = { from: "!", below: "~", limit: 99 };
  const copy = await storage.transaction("read", (tx) => tx.list(all));
  await stored(phone.patch("note/1", { a: 2 }));
  await stored(phone.create("note/2", { a: 1 }));
  await syncNow(phone);
  await phone.close();
  await storage.transaction("write", async (tx) => {
    for (const [key] of await tx.list(all)) tx.delete(key);
    for (const [key, value] of copy) tx.put(key, value);
  });
  const restored = await world.open({ storage });
  await stored(restored.patch("note/1", { a: "of the restored" }));
  await stored(restored.create("note/3", { a: 1 }));
  await syncNow(restored);
  assert.deepEqual(shown(restored), {
    "note/1": { a: 2 },
    "note/2": { a: 1 },
    "note/3": { a: 1 },
  });
  assert.deepEqual(
    restored.entities.list().map(({ refused }) => refused),
    [true, undefined, true],
  );
  assert.equal(restored.quarantine.list().length, 2);
  for (const { operationId } of restored.quarantine.list()) {
    await stored(restored.quarantine.retry(operationId));
  }
  await syncNow(restored);
  assert.deepEqual(shown(restored), {
    "note/1": { a: "of the restored" },
    "note/2": { a: 1 },
    "note/3": { a: 1 },
  });
  assert.deepEqual(shown(await world.device()), shown(restored));
});

test("a refused change that is discarded gives back the value before it, whatever came in between", async (t) => {
  const world = await createWorld(t);
  const phone = await world.device();
  const tablet = await world.device();
  await stored(phone.create("note/1", { a: 0, b: 0 }));
  await stored(phone.patch("note/1", { a: 1 }));
  await syncNow(phone);
  await syncNow(tablet);
  await stored(phone.patch("note/1", { a: 2 }));
  await stored(tablet.patch("note/1", { b: 1 }));
  await syncNow(tablet);
  world.network = refusing(() => true);
  await syncNow(phone);
  assert.deepEqual(shown(phone), { "note/1": { a: 2, b: 1 } });
  await discardAll(phone);
  assert.deepEqual(shown(phone), { "note/1": { a: 1, b: 1 } });
});

test("what a reused id had replaced on a device that was set back is shown again", async (t) => {
  const world = await createWorld(t);
  const storage = createMemorySyncStorage();
  const phone = await world.device({ storage });
  await stored(phone.create("note/1", { a: 1 }));
  await syncNow(phone);
  const copied = createMemorySyncStorage();
  const all = { from: "!", below: "~", limit: 99 };
  const copy = await storage.transaction("read", (tx) => tx.list(all));
  await copied.transaction("write", async (tx) => {
    for (const [key, value] of copy) tx.put(key, value);
  });
  // The sequence 2 is used by the tablet, so the phone goes on with 3.
  const tablet = await world.device();
  await stored(tablet.create("note/2", { a: 1 }));
  await syncNow(tablet);
  await syncNow(phone);
  await stored(phone.patch("note/1", { b: "of the phone" }));
  await syncNow(phone);
  await phone.close();

  const restored = await world.open({ storage: copied });
  await stored(restored.patch("note/1", { a: "kept" }));
  await stored(restored.patch("note/1", { a: "reused" }));
  world.network = (send, { path }) =>
    path === "/v1/push" ? Promise.reject(new TypeError("fetch failed")) : send();
  assert.equal((await restored.sync()).kind, "not-synced");
  assert.deepEqual(restored.quarantine.list().length, 1);
  assert.deepEqual(restored.entities.get("note/1")?.payload["a"], "reused");
  await discardAll(restored);
  const expected = { "note/1": { a: "kept", b: "of the phone" }, "note/2": { a: 1 } };
  assert.deepEqual(shown(restored), expected);
  world.network = online;
  await syncNow(restored);
  assert.deepEqual(shown(restored), expected);
});

test("a refused deletion leaves the entity in sight, and a retry without a connection is queued", async (t) => {
  const world = await createWorld(t);
  const phone = await world.device();
  await stored(phone.create("bad/1", { a: 1 }));
  await syncNow(phone);
  createStrictServer(world, true);
  const removal = await stored(phone.remove("bad/1"));
  assert.equal(phone.entities.get("bad/1"), undefined);
  await syncNow(phone);
  const visible = { entityId: "bad/1", payload: { a: 1 }, metadata: {}, refused: true };
  assert.deepEqual(phone.entities.get("bad/1"), visible);
  world.network = offline;
  const queued = { kind: "stored", operationId: removal };
  assert.deepEqual(await phone.quarantine.retry(removal), queued);
  assert.deepEqual([phone.status.pending, phone.status.quarantined], [1, 0]);
  world.network = online;
  await syncNow(phone);
  assert.deepEqual([shown(phone), phone.status.kind], [{}, "up-to-date"]);
});

test("an entity whose create was refused can be edited, and its edits go on when it is accepted", async (t) => {
  const world = await createWorld(t, { profile: "habits" });
  const phone = await world.device({ profile: "habits" });
  let refuses = true;
  world.network = refusing((body) => refuses && body.includes('"kind":"create"'));
  const create = await stored(phone.create("habit/water", HABIT_PAYLOAD));
  await syncNow(phone);
  await stored(phone.patch("habit/water", { targetCount: 9 }));
  const visible = { ...HABIT_PAYLOAD, targetCount: 9 };
  assert.deepEqual(phone.entities.get("habit/water")?.payload, visible);
  await syncNow(phone);
  assert.equal(phone.entities.get("habit/water")?.refused, true);
  refuses = false;
  assert.equal((await phone.quarantine.retry(create)).kind, "accepted");
  const tablet = await world.device({ profile: "habits" });
  assert.deepEqual(shown(tablet), { "habit/water": visible });
});

test("a patch of habits does not repeat a field that the server refused", async (t) => {
  const world = await createWorld(t, { profile: "habits" });
  const phone = await world.device({ profile: "habits" });
  await stored(phone.create("habit/water", HABIT_PAYLOAD));
  await syncNow(phone);
  world.network = refusing((body) => body.includes("Forbidden"));
  await stored(phone.patch("habit/water", { name: "Forbidden" }));
  await syncNow(phone);
  await stored(phone.patch("habit/water", { targetCount: 9 }));
  assert.equal((await syncNow(phone)).quarantined, 0);
  assert.deepEqual(shown(phone), {
    "habit/water": { ...HABIT_PAYLOAD, name: "Forbidden", targetCount: 9 },
  });
});
