/** An app is given encryption, and its device has data that was synced in the clear. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import {
  copyEntities,
  createMemorySyncStorage,
  type SyncClient,
  type SyncStorage,
} from "../../../src/client/index.ts";
import { createAccount, encryption, idOf, openDevice } from "../sealed/account.ts";
import {
  createdKey,
  createSealedWorld,
  failureOf,
  strangeKey,
  type SealedWorld,
} from "./sealed-device.ts";
import { signInOnPage } from "./sign-in-on-page.ts";
import {
  BASE_URL,
  beginSignIn,
  createWorld,
  offline,
  online,
  shown,
  stored,
  syncNow,
} from "./world.ts";

const SEALED_URL = "http://localhost:4812";
const WATER = { "habit/water": { name: "Water" } };

/** A device that was signed in to a server in the clear, and a sealed server at another address. */
async function createMove(t: TestContext) {
  const clear = await createWorld(t);
  const sealed = await createSealedWorld(t);
  const storage = createMemorySyncStorage();
  const old = await clear.device({ storage: keepOpen(storage) });
  await stored(old.create("habit/water", { name: "Water" }));
  const open = () => openMoved(sealed, keepOpen(storage));
  return { clear, sealed, old, storage, open };
}

function openMoved(sealed: SealedWorld, storage: SyncStorage) {
  const fetch: SealedWorld["fetch"] = (url, init) =>
    sealed.fetch(url.replace(SEALED_URL, BASE_URL), init);
  return sealed.openSealed({ baseUrl: SEALED_URL, storage, fetch });
}

/** Several clients use it, one after another or as tabs. */
function keepOpen(storage: SyncStorage): SyncStorage {
  return { ...storage, close: async () => {} };
}

async function beginFailure(client: SyncClient): Promise<string> {
  const begun = await client.beginSignIn({ moveData: true });
  return begun.kind === "begun" ? begun.kind : begun.error.kind;
}

test("what was synced in the clear keeps a device from a sealed server, and stays visible", async (t) => {
  const { sealed, old, open } = await createMove(t);
  await syncNow(old);
  const moved = await open();
  assert.deepEqual(await moved.beginSignIn({ moveData: true }), {
    kind: "not-signed-in",
    error: {
      kind: "data-in-the-clear",
      message:
        "This app encrypts its data, and the storage of this device has data that was synced in the clear; nothing is lost: give the client a new storage and copy the data with copyEntities",
    },
  });
  await stored(moved.patch("habit/water", { name: "Tea" }));
  assert.equal(await beginFailure(moved), "data-in-the-clear");
  assert.deepEqual(shown(moved), { "habit/water": { name: "Tea" } });
  assert.deepEqual(moved.unreadable.list(), []);
  const erased = await moved.signOut({ erase: true });
  assert.equal(erased.kind === "not-signed-out" && erased.error.kind, "unsent-edits");

  const next = await sealed.join();
  await createdKey(next);
  assert.equal((await copyEntities(moved, next)).kind, "copied");
  await syncNow(next);
  assert.deepEqual(shown(next), { "habit/water": { name: "Tea" } });
});

test("what a server in the clear got since the sign-in began keeps it from ending", async (t) => {
  const { sealed, old, open } = await createMove(t);
  const moved = await open();
  const url = await beginSignIn(moved, { moveData: true });
  await syncNow(old);
  const callback = await signInOnPage(sealed.ask, url.replace(SEALED_URL, BASE_URL));
  const result = await moved.completeSignIn(callback);
  assert.equal(result.kind === "not-signed-in" && result.error.kind, "data-in-the-clear");
  assert.deepEqual([moved.status.kind, shown(moved)], ["signed-out", WATER]);
});

test("a signed-in device with data from the clear gets no key and no round", async (t) => {
  const { clear, sealed, old, storage } = await createMove(t);
  await syncNow(old);
  // The server became a sealed one: the session is still good.
  clear.network = async (send, { path }) => {
    const response = await send();
    if (path !== "/v1/capabilities") return response;
    const { sync, ...others } = (await response.json()) as { sync: object };
    return Response.json({ ...others, sync: { ...sync, profile: "sealed" } });
  };
  const phone = await sealed.openSealed({ storage, fetch: clear.fetch });
  const failures = async () => {
    const results = [
      await phone.encryption.createKey(),
      await phone.encryption.useKey(strangeKey()),
    ];
    return results.map((one) =>
      one.kind === "refused" && one.reason === "failed" ? one.error.kind : one.kind,
    );
  };
  assert.deepEqual(await failures(), ["data-in-the-clear", "data-in-the-clear"]);
  assert.equal(await failureOf(phone), "data-in-the-clear");
  assert.deepEqual(
    [phone.status.kind, phone.status.problem?.kind],
    ["blocked", "data-in-the-clear"],
  );
  clear.network = offline;
  assert.deepEqual((await failures())[1], "data-in-the-clear");
  clear.network = online;
  assert.deepEqual([shown(phone), phone.unreadable.list()], [WATER, []]);
});

test("edits that no server has go along to a sealed server", async (t) => {
  const { sealed, open } = await createMove(t);
  const moved = await open();
  const url = await beginSignIn(moved, { moveData: true });
  const callback = await signInOnPage(sealed.ask, url.replace(SEALED_URL, BASE_URL));
  assert.equal((await moved.completeSignIn(callback)).kind, "signed-in");
  await createdKey(moved);
  assert.equal((await syncNow(moved)).pushed, 1);
  assert.deepEqual(shown(moved), WATER);
});

test("a server in the clear blocks an app that was given encryption, and takes no key", async (t) => {
  const { clear, sealed, old, storage } = await createMove(t);
  await syncNow(old);
  const phone = await sealed.openSealed({ storage, fetch: clear.fetch });
  assert.equal(await failureOf(phone), "profile-mismatch");
  assert.deepEqual(
    [phone.status.kind, phone.status.problem?.kind],
    ["blocked", "profile-mismatch"],
  );
  const results = [await phone.encryption.useKey(strangeKey()), await phone.encryption.createKey()];
  for (const result of results) {
    assert.ok(result.kind === "refused" && result.reason === "failed", JSON.stringify(result));
    assert.equal(result.error.kind, "profile-mismatch");
  }
  assert.equal(await phone.encryption.showRecoveryKey(), null);
  assert.deepEqual(shown(phone), WATER);
});

test("what a server has acknowledged or refused was sent, and what waits was not", async (t) => {
  const account = createAccount();
  for (const send of ["push", "sync", "refuse"] as const) {
    const device = await openDevice(t, account, { form: null });
    await idOf(device.edit("create", "note/1", { a: 1 }));
    assert.equal(await device.store.read(encryption.findClearError), null);
    await (send === "refuse" ? device.refuse("invalid_payload") : device[send]());
    assert.equal(
      (await device.store.read(encryption.findClearError))?.kind,
      "data-in-the-clear",
      send,
    );
  }
});
