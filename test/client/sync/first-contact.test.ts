/** The first contact of an app and a server: whatever does not fit is said, and nothing disappears. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import {
  createMemorySyncStorage,
  type SyncClient,
  type SyncStorage,
} from "../../../src/client/index.ts";
import {
  beginSignIn,
  BASE_URL,
  createWorld,
  offline,
  online,
  shown,
  stored,
  syncNow,
} from "./world.ts";
import { startSyncService } from "../../sync/service/sync-service.ts";
import { signInOnPage } from "./sign-in-on-page.ts";

const errorOf = async (client: SyncClient) => {
  const begun = await client.beginSignIn();
  assert.ok(begun.kind === "not-signed-in", JSON.stringify(begun));
  return begun.error;
};

test("an app of another profile is blocked before it pushes, and nothing disappears", async (t) => {
  const world = await createWorld(t, { profile: "habits" });
  const storage = createMemorySyncStorage();
  await (await world.device({ storage, profile: "habits" })).close();
  const phone = await world.open({ storage });
  await stored(phone.create("note/1", { text: "mine" }));
  world.requests.length = 0;
  const result = await phone.sync();
  assert.ok(result.kind === "not-synced" && result.error.kind === "profile-mismatch");
  assert.deepEqual([result.error.serverProfile, result.error.appProfile], ["habits", "open"]);
  assert.match(result.error.message, /sync\.profile of the server to "open", or profile of/);
  assert.deepEqual([phone.status.kind, phone.status.problem], ["blocked", result.error]);
  assert.deepEqual([phone.status.pending, phone.status.quarantined], [1, 0]);
  assert.deepEqual(shown(phone), { "note/1": { text: "mine" } });
  assert.deepEqual(world.requests, ["GET /v1/capabilities"]);
  // The operator corrects the profile: the next round asks again.
  world.network = async (send, { path }) => {
    const response = await send();
    if (path !== "/v1/capabilities") return response;
    const { sync, ...others } = (await response.json()) as { sync: object };
    return Response.json({ ...others, sync: { ...sync, profile: "open" } });
  };
  await syncNow(phone);
});

test("a server whose profile changes blocks an app that is signed in, and nothing is set aside", async (t) => {
  const world = await createWorld(t);
  const phone = await world.device();
  await stored(phone.create("note/1", { text: "mine" }));
  const { ask } = await startSyncService(world.store, { profile: "habits" });
  world.ask = ask;
  for (let round = 0; round < 2; round++) {
    const result = await phone.sync();
    assert.ok(result.kind === "not-synced" && result.error.kind === "profile-mismatch");
    assert.deepEqual([phone.status.pending, phone.status.quarantined], [1, 0]);
  }
  const asked = "GET /v1/capabilities";
  assert.deepEqual(world.requests.slice(-3), ["POST /v1/push", asked, asked]);
});

test("a server that refuses an operation is asked what it takes once in a round", async (t) => {
  const world = await createWorld(t);
  const phone = await world.device();
  for (const index of [1, 2, 3]) await stored(phone.create(`note/${index}`, { index }));
  world.network = (send, { path }) => {
    if (path !== "/v1/push") return send();
    const body = { error: "invalid_sync_operation", message: "", requestId: "r" };
    const headers = { "Trellis-Refused": "0=payload_field_type" };
    return Promise.resolve(Response.json(body, { status: 400, headers }));
  };
  world.requests.length = 0;
  assert.equal((await syncNow(phone)).quarantined, 3);
  assert.equal(world.requests.filter((request) => request.endsWith("capabilities")).length, 1);
});

test("a sign-in that cannot work is refused before the person leaves the app", async (t) => {
  const world = await createWorld(t);
  const phone = await world.open();
  world.network = offline;
  const unreachable = await errorOf(phone);
  assert.equal(unreachable.kind, "unreachable");
  for (const cause of [/address is wrong/, /server is down/, /corsOrigins lacks the origin/]) {
    assert.match(unreachable.message, cause);
  }
  for (const respond of [
    () => new Response("<h1>Hotel</h1>"),
    () => Response.json({ name: "another service" }),
    () => Response.json({ error: "not_found", message: "", requestId: "r" }, { status: 404 }),
  ]) {
    world.network = async () => respond();
    assert.equal((await errorOf(phone)).kind, "not-a-sync-server");
  }
  world.network = async (send, { path }) =>
    path === "/v1/instance-info" ? send() : new Response("{}");
  assert.equal((await errorOf(phone)).kind, "not-a-sync-server");
  world.network = online;
  assert.equal((await errorOf(await world.open({ profile: "habits" }))).kind, "profile-mismatch");
  const redirectUri = "https://app.example/other";
  const unlisted = await errorOf(await world.open({ redirectUri }));
  assert.equal(unlisted.kind, "redirect-not-listed");
  assert.ok(unlisted.message.includes(`"${redirectUri}" to sync.redirectUris`), unlisted.message);
  await beginSignIn(phone);
});

test("a token request without a response is an origin that is missing, in a page of another origin", async (t) => {
  const world = await createWorld(t);
  const phone = await world.open();
  const callback = await signInOnPage(world.ask, await beginSignIn(phone));
  const kindAt = async (origin: string | null) => {
    if (origin !== null) setLocation(t, origin);
    world.network = offline;
    const result = await phone.completeSignIn(callback);
    assert.ok(result.kind === "not-signed-in");
    return result.error;
  };
  assert.equal((await kindAt(null)).kind, "unreachable");
  assert.equal((await kindAt(BASE_URL)).kind, "unreachable");
  const missing = await kindAt("https://app.example");
  assert.equal(missing.kind, "cors-missing");
  assert.match(missing.message, /adds "https:\/\/app\.example" to sync\.corsOrigins/);
  world.network = online;
  assert.equal((await phone.completeSignIn(callback)).kind, "signed-in");
});

/** The address of the page, as a browser has it. */
function setLocation(t: TestContext, origin: string): void {
  t.after(() => Reflect.deleteProperty(globalThis, "location"));
  Object.defineProperty(globalThis, "location", { value: { origin }, configurable: true });
}

test("erasing is refused while edits are not sent, and says how many", async (t) => {
  const world = await createWorld(t);
  const phone = await world.device();
  await stored(phone.create("note/1", {}));
  await stored(phone.create("note/2", {}));
  const refused = await phone.signOut({ erase: true });
  assert.ok(refused.kind === "not-signed-out" && refused.error.kind === "unsent-edits");
  assert.equal(refused.error.count, 2);
  assert.match(refused.error.message, /does not have 2 of the edits/);
  assert.equal(Object.keys(shown(phone)).length, 2);
  await syncNow(phone);
  assert.equal((await phone.signOut({ erase: true })).kind, "signed-out");
  const tablet = await world.device();
  assert.equal(Object.keys(shown(tablet)).length, 2);
  await stored(tablet.create("note/3", {}));
  // Signing out keeps everything, and an edit that comes during the request is not erased either.
  world.network = async (send, { path }) => {
    if (path === "/v1/revoke") await stored(tablet.create("note/4", {}));
    return send();
  };
  await syncNow(tablet);
  const late = await tablet.signOut({ erase: true });
  assert.equal(late.kind === "not-signed-out" && late.error.kind, "unsent-edits");
  assert.ok(tablet.entities.get("note/4") !== undefined);
  world.network = online;
  assert.equal((await tablet.signOut({ erase: true, discardUnsent: true })).kind, "signed-out");
  assert.deepEqual(shown(tablet), {});
});

test("what JSON would lose is refused with its path", async (t) => {
  const world = await createWorld(t);
  const phone = await world.open();
  class Task {
    title = "x";
  }
  const circle: Record<string, unknown> = {};
  circle["self"] = [circle];
  for (const [value, path, found] of [
    [new Blob(["x"]), "payload.value", "an instance of Blob"],
    [{ tags: [1, new Map()] }, "payload.value.tags[1]", "an instance of Map"],
    [{ bytes: new Uint8Array(2) }, "payload.value.bytes", "an instance of Uint8Array"],
    [[new Task()], "payload.value[0]", "an instance of Task"],
    [{ run: () => 1 }, "payload.value.run", "a function"],
    [{ deep: { count: NaN } }, "payload.value.deep.count", "NaN"],
    [[1, undefined], "payload.value[1]", "undefined"],
    [{ id: 1n }, "payload.value.id", "a bigint"],
    [{ kind: Symbol("x") }, "payload.value.kind", "a symbol"],
    [circle, "payload.value.self[0]", "an object that contains it"],
  ] as const) {
    const result = await phone.create("note/1", { value });
    assert.ok(result.kind === "refused" && result.reason === "not_json", path);
    assert.ok(result.message.startsWith(`${path} is ${found}: `), result.message);
  }
  const whole = await phone.create("note/1", new Map() as unknown as Record<string, unknown>);
  assert.equal(whole.kind === "refused" && whole.message, "payload must be a plain object");
  await stored(phone.create("note/1", { none: { a: undefined }, bare: Object.create(null) }));
  assert.deepEqual(shown(phone), { "note/1": { none: {}, bare: {} } });
});

test("a refusal of a rule names the path of the value", async (t) => {
  const world = await createWorld(t);
  const phone = await world.open();
  for (const [payload, metadata, start] of [
    [{ list: [{ apiKey: 1 }] }, {}, "payload.list[0].apiKey: "],
    [{ text: "x".repeat(40_000) }, {}, "payload.text: text must have at most 32768"],
    [{}, { access_token: 1 }, "metadata.access_token: "],
  ] as const) {
    const result = await phone.create("note/1", payload, metadata);
    assert.ok(
      result.kind === "refused" && result.message.startsWith(start),
      JSON.stringify(result),
    );
  }
  const missing = await phone.patch("note/2", { a: 1 });
  assert.equal(
    missing.kind === "refused" && missing.message,
    'there is no entity "note/2" on this device: create it, or restore it if it was removed',
  );
});

/** A storage whose records can be removed under the client, as a browser clears the data of a site. */
function createLosingStorage() {
  const storage = createMemorySyncStorage();
  let onClosed = () => {};
  const losing: SyncStorage = {
    ...storage,
    onClosed: (listener) => {
      onClosed = listener;
    },
  };
  return {
    storage: losing,
    notify: () => onClosed(),
    lose: () =>
      storage.transaction("write", async (transaction) => {
        const all = { from: "!", below: "~~", limit: 1000 };
        for (const [key] of await transaction.list(all)) transaction.delete(key);
      }),
  };
}

for (const [how, notice] of [
  ["an edit", async (phone) => void (await phone.create("note/2", {}))],
  ["a round", async (phone) => void (await phone.sync())],
  [
    "the storage itself",
    async (phone, notify) => {
      const seen = new Promise<void>((resolve) => void phone.subscribe(resolve));
      notify();
      await seen;
    },
  ],
] as readonly (readonly [string, (phone: SyncClient, notify: () => void) => Promise<void>])[]) {
  test(`records that are removed under the client are storage-lost, noticed by ${how}`, async (t) => {
    const world = await createWorld(t);
    const { storage, lose, notify } = createLosingStorage();
    const phone = await world.device({ storage });
    await stored(phone.create("note/1", { a: 1 }));
    await syncNow(phone);
    await stored(phone.create("note/unsent", {}));
    await stored(phone.patch("note/1", { b: 2 }));
    await lose();
    await notice(phone, notify);
    const { kind, problem } = phone.status;
    assert.deepEqual(
      [kind, problem?.kind === "storage-lost" && problem.unsent],
      ["storage-lost", 2],
    );
    assert.match(problem?.message ?? "", /sign in again.+\(2 edits were not sent yet and gone\)/);
    const result = await phone.sync();
    assert.deepEqual(result, { kind: "not-synced", error: problem });
    // Edits are safe again, and the next sign-in brings back what the server has.
    await stored(phone.create("note/3", { a: 3 }));
    await world.signIn(phone);
    await syncNow(phone);
    assert.equal(phone.status.kind, "up-to-date");
    assert.deepEqual(shown(phone), { "note/1": { a: 1 }, "note/3": { a: 3 } });
    await phone.signOut();
    assert.equal(phone.status.kind, "signed-out");
  });
}

test("a device whose edits had all been sent says that none is gone", async (t) => {
  const world = await createWorld(t);
  const { storage, lose } = createLosingStorage();
  const phone = await world.device({ storage });
  await stored(phone.create("note/1", { a: 1 }));
  await syncNow(phone);
  await lose();
  await phone.sync();
  assert.match(phone.status.problem?.message ?? "", /\(all edits had been sent\)/);
});

test("an edit whose records were removed is refused by a reason of its own", async (t) => {
  const world = await createWorld(t);
  const { storage, lose } = createLosingStorage();
  const phone = await world.device({ storage });
  await lose();
  const result = await phone.create("note/1", {});
  assert.equal(result.kind === "refused" && result.reason, "storage_lost");
});
