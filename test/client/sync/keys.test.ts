/** How a person makes, enters and replaces the key of an account, and what happens when that goes wrong. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { createMemoryKeyStore } from "../../../src/client/encryption/memory-key-store.ts";
import {
  createdKey,
  createKeptDevice,
  createSealedWorld,
  createTestEncryption,
  failureOf,
  firstWithWater,
  isKeyMade,
  losesReceipts,
  rotatedKey,
  strangeKey,
  useKey,
} from "./sealed-device.ts";
import { offline, online, shown, stored, syncAll, syncNow } from "./world.ts";

test("a device makes the key, another one enters it, and nothing leaves either before that", async (t) => {
  const world = await createSealedWorld(t);
  const phone = await world.openSealed();
  assert.equal(phone.status.kind, "signed-out");
  await stored(phone.create("habit/water", { name: "Water" }));
  await world.signIn(phone);
  assert.equal(phone.status.kind, "key-needed");
  assert.equal(phone.status.problem?.kind, "key-needed");
  assert.deepEqual(phone.encryption.state, { kind: "unknown" });
  assert.match(phone.status.problem.message, /make one for a new account, or enter the recovery/);
  assert.equal(await failureOf(phone), "key-needed");
  assert.deepEqual(phone.encryption.state, { kind: "no-key" });
  assert.match(phone.status.problem?.message ?? "", /has no encryption key yet; make one on this/);
  assert.ok(!world.requests.some((one) => /push|pull/.test(one)));
  assert.equal(await phone.encryption.showRecoveryKey(), null);

  const key = await createdKey(phone);
  assert.equal(await phone.encryption.showRecoveryKey(), key);
  assert.deepEqual(phone.encryption.state, { kind: "ready" });
  await syncNow(phone);
  assert.deepEqual([phone.status.kind, phone.status.pending], ["up-to-date", 0]);
  assert.deepEqual(shown(phone), { "habit/water": { name: "Water" } });

  const laptop = await world.join();
  await stored(laptop.create("habit/run", { name: "Run" }));
  assert.equal(await failureOf(laptop), "key-needed");
  assert.deepEqual(laptop.encryption.state, { kind: "key-elsewhere" });
  assert.match(laptop.status.problem?.message ?? "", /enter the recovery key that it shows/);
  assert.deepEqual(await laptop.encryption.useKey(key.slice(0, -1)), {
    kind: "refused",
    reason: "typing-error",
  });
  assert.deepEqual(await laptop.encryption.useKey(strangeKey()), {
    kind: "refused",
    reason: "other-key",
  });
  assert.deepEqual([laptop.status.kind, laptop.status.pending], ["key-needed", 1]);
  await useKey(laptop, key.toLowerCase().replaceAll("-", " "));
  await syncAll(laptop, phone);
  const both = { "habit/run": { name: "Run" }, "habit/water": { name: "Water" } };
  assert.deepEqual([shown(phone), shown(laptop)], [both, both]);
  // Base64url has neither quotes nor slashes, so that no sealed value can match by chance.
  for (const body of world.pushed) assert.doesNotMatch(body, /habit\/|"(?:Water|Run|name)"/);
});

test("a key is made only in an empty account, with a session and a connection", async (t) => {
  const world = await createSealedWorld(t);
  const phone = await world.openSealed();
  const refusal = async () => {
    const result = await phone.encryption.createKey();
    return result.kind === "refused" && result.reason;
  };
  assert.equal(await refusal(), "sign-in-first");
  await world.signIn(phone);
  world.network = offline;
  assert.equal(await refusal(), "offline");
  world.network = online;
  const [tablet] = await world.first();
  assert.equal(await refusal(), "key-exists");
  assert.deepEqual(await tablet.encryption.createKey(), { kind: "refused", reason: "key-exists" });
});

test("no key is made for an account whose data another key has sealed", async (t) => {
  const world = await createSealedWorld(t);
  await firstWithWater(world);
  const tablet = await world.join();
  // The operator has lost the list of keys alone.
  world.network = async (send, { path }) =>
    path === "/v1/keys" ? Response.json({ keys: [] }) : send();
  assert.deepEqual(await tablet.encryption.createKey(), { kind: "refused", reason: "not-empty" });
  assert.deepEqual(tablet.encryption.state, { kind: "unknown" });
});

test("a device that is killed while it makes the key is not locked out", async (t) => {
  const world = await createSealedWorld(t);
  const { open } = createKeptDevice(world);
  const phone = await open();
  await world.signIn(phone);
  await stored(phone.create("habit/water", { name: "Water" }));
  world.network = losesReceipts;
  assert.deepEqual(await phone.encryption.createKey(), { kind: "refused", reason: "offline" });
  assert.equal(await phone.encryption.showRecoveryKey(), null);
  await phone.close();

  world.network = online;
  const again = await open();
  await syncNow(again);
  const kept = await again.encryption.showRecoveryKey();
  assert.ok(kept !== null);
  const laptop = await world.second(kept);
  assert.deepEqual(shown(laptop), { "habit/water": { name: "Water" } });
});

test("a key that was made and never arrived is made again", async (t) => {
  const world = await createSealedWorld(t);
  const phone = await world.join();
  const records: unknown[] = [];
  world.network = (send, request) => {
    if (!isKeyMade(request)) return send();
    records.push(request.init.body);
    return records.length === 1 ? offline(send, request) : send();
  };
  assert.deepEqual(await phone.encryption.createKey(), { kind: "refused", reason: "offline" });
  assert.equal(await failureOf(phone), "key-needed");
  assert.equal(phone.status.kind, "key-needed");
  await createdKey(phone);
  assert.equal(records[0], records[1]);
  assert.equal(await failureOf(phone), null);
});

test("a key that the device cannot keep is never made the account's", async (t) => {
  const world = await createSealedWorld(t);
  const keyStore = createMemoryKeyStore();
  const full = { ...keyStore, write: () => Promise.reject(new Error("Disk is full")) };
  const phone = await world.join({ encryption: createTestEncryption({ keyStore: full }) });
  const result = await phone.encryption.createKey();
  assert.ok(result.kind === "refused" && result.reason === "failed");
  assert.equal(result.error.kind, "storage-failed");
  assert.deepEqual(world.pushed, []);
  assert.equal(phone.status.kind, "key-needed");
});

test("of two devices that make a key at once, one is refused, loses nothing and enters the other's", async (t) => {
  const world = await createSealedWorld(t);
  const phone = await world.join();
  const laptop = await world.join();
  await stored(phone.create("habit/water", { name: "Water" }));
  await stored(laptop.create("habit/run", { name: "Run" }));
  let key = "";
  world.network = async (send, request) => {
    if (isKeyMade(request) && key === "") {
      key = "being made";
      key = await createdKey(laptop);
    }
    return send();
  };
  assert.deepEqual(await phone.encryption.createKey(), { kind: "refused", reason: "key-exists" });
  world.network = online;
  assert.deepEqual([phone.status.kind, phone.status.pending], ["key-needed", 1]);
  assert.equal(await phone.encryption.showRecoveryKey(), null);
  await useKey(phone, key);
  await syncAll(phone, laptop);
  const both = { "habit/run": { name: "Run" }, "habit/water": { name: "Water" } };
  assert.deepEqual([shown(phone), shown(laptop)], [both, both]);
});

test("a key that is entered offline sends nothing until it was checked", async (t) => {
  const world = await createSealedWorld(t);
  const [phone, key] = await world.first();
  await stored(phone.create("habit/water", { name: "Water" }));
  await syncNow(phone);
  const wrongKey = strangeKey();
  for (const [entered, isRight] of [
    [wrongKey, false],
    [key, true],
  ] as const) {
    const laptop = await world.join();
    await stored(laptop.create("habit/run", { name: "Run" }));
    const before = world.pushed.length;
    world.network = offline;
    assert.deepEqual(await laptop.encryption.useKey(entered), { kind: "unlocked", checked: false });
    assert.equal(await failureOf(laptop), "unreachable");
    assert.equal(laptop.status.kind, "offline");
    world.network = online;
    assert.equal(await failureOf(laptop), isRight ? null : "key-needed");
    assert.equal(laptop.status.kind, isRight ? "up-to-date" : "key-needed");
    assert.equal(await laptop.encryption.showRecoveryKey(), isRight ? key : null);
    assert.equal(world.pushed.length > before, isRight);
    assert.equal(laptop.status.pending, isRight ? 0 : 1);
    assert.equal(laptop.entities.get("habit/water") !== undefined, isRight);
    assert.deepEqual(laptop.entities.get("habit/run")?.payload, { name: "Run" });
    await laptop.close();
  }
});

test("after a rotation another device keeps what it has, and goes on with the new key", async (t) => {
  const world = await createSealedWorld(t);
  const [phone, oldKey] = await world.first();
  await stored(phone.create("habit/water", { name: "Water" }));
  await syncNow(phone);
  const laptop = await world.second(oldKey);
  await stored(laptop.patch("habit/water", { goal: 8 }));
  const newKey = await rotatedKey(phone);
  assert.notEqual(newKey, oldKey);
  assert.equal(await phone.encryption.showRecoveryKey(), newKey);
  await stored(phone.create("habit/run", { name: "Run" }));
  await syncNow(phone);

  const before = world.pushed.length;
  assert.equal(await failureOf(laptop), "key-needed");
  assert.equal(laptop.status.kind, "key-needed");
  assert.match(laptop.status.problem?.message ?? "", /was replaced .*enter the new recovery key/);
  await stored(laptop.patch("habit/water", { unit: "glass" }));
  assert.deepEqual(shown(laptop), { "habit/water": { name: "Water", goal: 8, unit: "glass" } });
  const next = await laptop.sync();
  assert.ok(next.kind === "not-synced");
  assert.deepEqual(next.error, laptop.status.problem);
  assert.equal(next.error.kind, "key-needed");
  assert.equal(world.pushed.length, before, "nothing is sent");
  assert.deepEqual(await laptop.encryption.rotateKey(), { kind: "refused", reason: "key-needed" });
  const by = { deviceId: phone.deviceId, at: "2026-08-21T10:00:00.000Z" };
  assert.deepEqual(laptop.encryption.state, { kind: "replaced", by });
  const replaced = { kind: "refused", reason: "replaced", by };
  assert.deepEqual(await laptop.encryption.useKey(oldKey), replaced);
  await useKey(laptop, newKey);
  await syncAll(laptop, phone);
  const all = {
    "habit/run": { name: "Run" },
    "habit/water": { name: "Water", goal: 8, unit: "glass" },
  };
  assert.deepEqual([shown(phone), shown(laptop)], [all, all]);
  assert.deepEqual(shown(await world.second(newKey)), all);
  const stranger = await world.join();
  assert.deepEqual(await stranger.encryption.useKey(oldKey), replaced);
  await stranger.sync();
  assert.equal(stranger.status.kind, "key-needed");
});

test("of two rotations at once one wins, the other is refused, and all that was sealed opens everywhere", async (t) => {
  const world = await createSealedWorld(t);
  const [phone, firstKey] = await firstWithWater(world);
  const laptop = await world.second(firstKey);
  let winnersKey = "";
  world.network = async (send, request) => {
    if (isKeyMade(request) && winnersKey === "") {
      winnersKey = "being made";
      // The phone has rotated and gone on, before the laptop's rotation arrives.
      winnersKey = await rotatedKey(phone);
      await stored(phone.create("habit/run", { name: "Run" }));
      await syncNow(phone);
    }
    return send();
  };
  await stored(laptop.create("habit/read", { name: "Read" }));
  assert.deepEqual(await laptop.encryption.rotateKey(), { kind: "refused", reason: "replaced" });
  world.network = online;
  assert.equal(await failureOf(laptop), "key-needed");
  assert.equal(laptop.encryption.state.kind, "replaced");
  await stored(laptop.create("habit/late", { name: "Late" }));
  await useKey(laptop, winnersKey);
  await syncAll(laptop, phone);
  const names = ["habit/late", "habit/read", "habit/run", "habit/water"];
  assert.deepEqual(Object.keys(shown(laptop)), names);
  assert.deepEqual(shown(phone), shown(laptop));
  assert.deepEqual(phone.unreadable.list(), []);
  assert.deepEqual(shown(await world.second(winnersKey)), shown(laptop));
});

/** A device that has made a new key, and does not know whether it arrived. */
async function loseRotation(t: TestContext) {
  const world = await createSealedWorld(t);
  const [phone, oldKey] = await firstWithWater(world);
  world.network = losesReceipts;
  assert.deepEqual(await phone.encryption.rotateKey(), { kind: "refused", reason: "offline" });
  const assertRotated = async () => {
    world.network = online;
    await syncNow(phone);
    const newKey = await phone.encryption.showRecoveryKey();
    assert.ok(newKey !== null && newKey !== oldKey);
    assert.deepEqual(shown(await world.second(newKey)), { "habit/water": { name: "Water" } });
  };
  return { world, phone, assertRotated };
}

test("a key that is entered offline does not replace one that the device has just made", async (t) => {
  const { world, phone, assertRotated } = await loseRotation(t);
  world.network = offline;
  const unlocked = { kind: "unlocked", checked: false };
  assert.deepEqual(await phone.encryption.useKey(strangeKey()), unlocked);
  await assertRotated();
});

test("a rotation whose response is lost is found by the next round", async (t) => {
  const { assertRotated } = await loseRotation(t);
  await assertRotated();
});

test("a device whose key was replaced goes on with a key that is entered offline", async (t) => {
  const world = await createSealedWorld(t);
  const [phone, oldKey] = await firstWithWater(world);
  const laptop = await world.second(oldKey);
  const newKey = await rotatedKey(phone);
  await stored(laptop.patch("habit/water", { goal: 8 }));
  assert.equal(await failureOf(laptop), "key-needed");

  for (const [entered, failure] of [
    [strangeKey(), "key-needed"],
    [newKey, null],
  ] as const) {
    world.network = offline;
    const unlocked = { kind: "unlocked", checked: false };
    assert.deepEqual(await laptop.encryption.useKey(entered), unlocked);
    assert.equal(await failureOf(laptop), "unreachable");
    world.network = online;
    assert.equal(await failureOf(laptop), failure);
    assert.equal(laptop.status.kind, failure ?? "up-to-date");
  }
  await syncNow(phone);
  assert.deepEqual(shown(phone), { "habit/water": { name: "Water", goal: 8 } });
  assert.equal(await laptop.encryption.showRecoveryKey(), newKey);
});
