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
  losesReceipts,
  rotatedKey,
  useKey,
} from "./sealed-device.ts";
import { createWorld, offline, online, shown, stored, syncAll, syncNow } from "./world.ts";

test("a device makes the key, another one enters it, and nothing leaves either before that", async (t) => {
  const world = await createSealedWorld(t);
  const phone = await world.openSealed();
  assert.equal(phone.status.kind, "signed-out");
  await stored(phone.create("habit/water", { name: "Water" }));
  await world.signIn(phone);
  assert.equal(phone.status.kind, "key-needed");
  assert.equal(phone.status.problem?.kind, "key-needed");
  assert.match(phone.status.problem.message, /make one for a new account, or enter the recovery/);
  assert.equal(await failureOf(phone), "key-needed");
  assert.ok(!world.requests.some((one) => /push|pull/.test(one)));
  assert.equal(await phone.encryption.showRecoveryKey(), null);

  const key = await createdKey(phone);
  assert.equal(await phone.encryption.showRecoveryKey(), key);
  await syncNow(phone);
  assert.deepEqual([phone.status.kind, phone.status.pending], ["up-to-date", 0]);
  assert.deepEqual(shown(phone), { "habit/water": { name: "Water" } });

  const laptop = await world.join();
  await stored(laptop.create("habit/run", { name: "Run" }));
  assert.equal(await failureOf(laptop), "key-needed");
  assert.deepEqual(await laptop.encryption.useKey(key.slice(0, -1)), {
    kind: "refused",
    reason: "typing-error",
  });
  const other = createTestEncryption();
  assert.deepEqual(await laptop.encryption.useKey(other.toRecoveryKey(other.createDataKey())), {
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

  const clear = await createWorld(t);
  const old = await clear.device();
  await stored(old.create("note/1", {}));
  await syncNow(old);
  const encryption = createTestEncryption({ allowClearServer: true });
  const moving = await world.openSealed({ encryption, fetch: clear.fetch });
  await clear.signIn(moving);
  assert.deepEqual(await moving.encryption.createKey(), { kind: "refused", reason: "not-empty" });
  assert.equal(await failureOf(moving), "key-needed");
});

test("a device that is killed while it makes the key is not locked out", async (t) => {
  const world = await createSealedWorld(t);
  const { open } = createKeptDevice(world);
  const phone = await open();
  await world.signIn(phone);
  await stored(phone.create("habit/water", { name: "Water" }));
  world.network = losesReceipts;
  assert.deepEqual(await phone.encryption.createKey(), { kind: "refused", reason: "offline" });
  const kept = await phone.encryption.showRecoveryKey();
  assert.ok(kept !== null);
  await phone.close();

  world.network = online;
  const again = await open();
  await syncNow(again);
  assert.equal(await again.encryption.showRecoveryKey(), kept);
  const laptop = await world.second(kept);
  assert.deepEqual(shown(laptop), { "habit/water": { name: "Water" } });
});

test("a key that was made and never arrived is made again", async (t) => {
  const world = await createSealedWorld(t);
  const phone = await world.join();
  world.network = (send, request) =>
    request.path === "/v1/push" ? offline(send, request) : send();
  assert.deepEqual(await phone.encryption.createKey(), { kind: "refused", reason: "offline" });
  const kept = await phone.encryption.showRecoveryKey();
  world.network = online;
  assert.equal(await failureOf(phone), "key-needed");
  assert.equal(phone.status.kind, "key-needed");
  assert.equal(await createdKey(phone), kept);
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
  world.network = async (send, { path }) => {
    if (path === "/v1/push" && key === "") {
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
  const other = createTestEncryption();
  const wrongKey = other.toRecoveryKey(other.createDataKey());
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
  assert.deepEqual(await laptop.encryption.useKey(oldKey), {
    kind: "refused",
    reason: "other-key",
  });
  await useKey(laptop, newKey);
  await syncAll(laptop, phone);
  const all = {
    "habit/run": { name: "Run" },
    "habit/water": { name: "Water", goal: 8, unit: "glass" },
  };
  assert.deepEqual([shown(phone), shown(laptop)], [all, all]);
  assert.deepEqual(shown(await world.second(newKey)), all);
  const stranger = await world.join();
  await stranger.encryption.useKey(oldKey);
  await stranger.sync();
  assert.equal(stranger.status.kind, "key-needed");
});

test("of two rotations at once one wins, and what the other device sealed meanwhile opens everywhere", async (t) => {
  const world = await createSealedWorld(t);
  const [phone, firstKey] = await world.first();
  await stored(phone.create("habit/water", { name: "Water" }));
  await syncNow(phone);
  const laptop = await world.second(firstKey);
  const keys: string[] = [];
  let isHeld = false;
  world.network = async (send, { path, init }) => {
    if (path === "/v1/push" && !isHeld && String(init.body).includes('"patch"')) {
      isHeld = true;
      // The phone has rotated and gone on, before the laptop's rotation arrives.
      keys.push(await rotatedKey(phone));
      await stored(phone.create("habit/run", { name: "Run" }));
      await syncNow(phone);
    }
    return send();
  };
  keys.push(await rotatedKey(laptop));
  world.network = online;
  await stored(laptop.create("habit/read", { name: "Read" }));
  await phone.sync();
  await laptop.sync();
  const devices = [phone, laptop];
  const [loser, ...others] = devices.filter(({ status }) => status.kind === "key-needed");
  const winner = devices.find((one) => one !== loser);
  assert.ok(loser !== undefined && winner !== undefined && others.length === 0);
  await stored(loser.create("habit/late", { name: "Late" }));
  const winnersKey = await winner.encryption.showRecoveryKey();
  assert.ok(winnersKey !== null && keys.includes(winnersKey));
  await useKey(loser, winnersKey);
  await syncAll(loser, winner);
  const names = ["habit/late", "habit/read", "habit/run", "habit/water"];
  assert.deepEqual(Object.keys(shown(loser)), names);
  assert.deepEqual(shown(winner), shown(loser));
  assert.deepEqual(winner.unreadable.list(), []);
  assert.deepEqual(shown(await world.second(winnersKey)), shown(loser));
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
  const other = createTestEncryption();
  const entered = await phone.encryption.useKey(other.toRecoveryKey(other.createDataKey()));
  assert.ok(entered.kind === "refused" && entered.reason === "failed", JSON.stringify(entered));
  await assertRotated();
});

test("a rotation whose response is lost is found by the next round", async (t) => {
  const { assertRotated } = await loseRotation(t);
  await assertRotated();
});
