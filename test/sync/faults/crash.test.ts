import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { applyOperation, type EntityState } from "../../../src/rules/sync/merge.ts";
import { parseOperation } from "../../../src/rules/sync/operation-text.ts";
import { snapshotEntityToText } from "../../../src/rules/sync/visible-entity.ts";
import { createSeededRandom } from "../../fixtures/seeded-random.ts";
import type { Ask } from "../sync-client.ts";
import {
  assertLogMatchesReceipts,
  createDevice,
  createLogReader,
  idOf,
  type Device,
} from "./device.ts";
import { createOperationMaker } from "./make-operations.ts";
import { createInstance, type SyncProcess } from "./sync-instance.ts";

const ROUNDS = 8;
const BUDGET_MS = 25_000;
const DEVICES = 4;
const PAUSE_MS = 2;

/** Pushes whose responses are awaited, or were lost. */
type Unknown = Map<Device, readonly string[]>;

test("a killed server loses nothing that it acknowledged to devices", async (t) => {
  const seed = Number(process.env["SEED"] ?? randomInt(2 ** 31));
  t.diagnostic(`seed ${seed} (set SEED to see it again)`);
  const random = createSeededRandom(seed);
  const instance = await createInstance(t);
  let server: SyncProcess = await instance.serve();
  const devices = await Promise.all(
    Array.from({ length: DEVICES }, (_, index) => createDevice(server.ask, `device-${index}`)),
  );
  const observer = await createDevice(server.ask, "observer");
  const readLog = createLogReader(observer);
  const makers = new Map(
    devices.map((device) => [device, createOperationMaker(device.deviceId, random)]),
  );
  const unknown: Unknown = new Map();
  const startedAt = performance.now();
  let killed = 0;
  let lost = 0;

  for (; killed < ROUNDS && performance.now() - startedAt < BUDGET_MS; killed++) {
    const { ask } = server;
    const isOver = { now: false };
    const working = devices.map((device) =>
      work(device, ask, () => (makers.get(device) ?? assert.fail())(1 + random.below(12))),
    );
    await sleep(30 + random.below(250));
    server.child.kill("SIGKILL");
    await server.ended;
    isOver.now = true;
    await Promise.all(working);

    server = await instance.serve();
    const log = await readLog(server.ask);
    assertLogMatchesReceipts(log, devices);
    const stored = new Set(log.texts.map(idOf));
    for (const [device, texts] of unknown) {
      const found = texts.filter((text) => stored.has(idOf(text))).length;
      assert.ok(found === 0 || found === texts.length, `${found} of ${texts.length} were stored`);
      const receipts = await device.push(server.ask, texts);
      for (const { duplicate } of receipts) assert.equal(duplicate, found > 0);
      lost++;
    }
    unknown.clear();

    async function work(device: Device, at: Ask, make: () => string[]): Promise<void> {
      while (!isOver.now) {
        try {
          if (random.below(6) === 0) await device.refresh(at);
          const texts = make();
          unknown.set(device, texts);
          await device.push(at, texts);
          unknown.delete(device);
        } catch (error) {
          // The server may be gone, but no response may be wrong.
          if (error instanceof assert.AssertionError) throw error;
          return;
        }
        await sleep(PAUSE_MS);
      }
    }
  }

  const log = await readLog(server.ask);
  assertLogMatchesReceipts(log, devices);
  t.diagnostic(`${killed} kills, ${log.headOffset} operations, ${lost} pushes without a response`);
  assert.ok(log.headOffset > 0 && lost > 0, "the kills came while devices pushed");
  for (const device of devices) {
    await device.refresh(server.ask);
    assert.equal((await device.ask(server.ask, "/v1/device")).status, 200);
  }
  const snapshot = (await (await observer.ask(server.ask, "/v1/snapshot")).json()) as {
    entities: { entityId: string }[];
  };
  assert.deepEqual(snapshot.entities, mergeAll(log.texts));
});

/** The states that the operations add up to, computed without a store. */
function mergeAll(texts: readonly string[]): unknown[] {
  const states = new Map<string, EntityState>();
  for (const operation of texts.map(parseOperation)) {
    const { state } = applyOperation(states.get(operation.entityId) ?? null, operation);
    states.set(operation.entityId, state);
  }
  return [...states]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, state]) => JSON.parse(snapshotEntityToText(state)) as unknown);
}
