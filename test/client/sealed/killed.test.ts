/** A device with encryption that is killed at every step of its storage, one after the other. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createMemorySyncStorage } from "../../../src/client/index.ts";
import type { Operation } from "../../../src/contract/sync/operation.ts";
import { createFaultyStorage } from "../sync/faulty-storage.ts";
import { createAccount, dump, formOf, openDevice, type Device } from "./account.ts";

/** Edits before the key, the unlocking, edits after it, and a push; returns what must be there. */
async function live(device: Device, settled: Record<string, number>) {
  const edit = async (kind: "create" | "patch", field: string, value: number) => {
    const result = await device.edit(kind, "note/Zugspitze", { [field]: value });
    if (result.kind === "stored") settled[field] = value;
  };
  await edit("create", "a", 1);
  await edit("patch", "b", 2);
  await edit("patch", "a", 3);
  await device.unlock();
  await edit("patch", "c", 4);
  await device.push();
  await device.pull();
  await edit("patch", "b", 5);
}

test("a device that is killed while it gets its key loses nothing, and seals nothing twice", async (t) => {
  let isComplete = false;
  let diesAt = 0;
  while (!isComplete) {
    diesAt++;
    const account = createAccount();
    const records = createMemorySyncStorage();
    const storage = createFaultyStorage(records, diesAt);
    const settled: Record<string, number> = {};
    await openDevice(t, account, { storage, form: null })
      .then((device) => live(device, settled))
      .catch(() => {});
    isComplete = !storage.isDead();
    const before = await dump(records);

    // The key was stored before or after the device died.
    const device = await openDevice(t, account, {
      storage: records,
      form: diesAt % 2 === 0 ? formOf(account.key) : null,
    });
    await device.unlock();
    for (const [field, value] of Object.entries(settled)) {
      const shown = Number(device.payloadOf("note/Zugspitze")?.[field]);
      // The last step may have been the confirmation of an edit that told of none.
      assert.ok(shown >= value, `${field} is ${shown} when killed at ${diesAt}`);
    }
    const sent = account.log.length;
    await device.sync();
    assert.ok(!(await dump(records)).includes("Zugspitze"), String(diesAt));
    const operations = account.log.map((text) => JSON.parse(text) as Operation);
    assert.ok(operations.every(({ document }) => document.entityId.startsWith("sealed/")));
    // What was sent before is sent again as the same text, and what was sealed is not sealed again.
    const byId = Map.groupBy(account.log, (_, index) => operations[index]?.operationId);
    for (const texts of byId.values()) assert.equal(new Set(texts).size, 1);
    for (const text of account.log.slice(sent)) {
      const { operationId } = JSON.parse(text) as Operation;
      const wasSealed = new RegExp(`"operationId":"${operationId}".*?"sealed":"2\\.`).test(before);
      assert.ok(!wasSealed || before.includes(text), `sealed again when killed at ${diesAt}`);
    }
    const tablet = await openDevice(t, account);
    await tablet.pull();
    assert.deepEqual(tablet.shown(), device.shown());
    assert.deepEqual(tablet.unreadable(), []);
  }
  assert.ok(diesAt > 20, `only ${diesAt} steps`);
});
