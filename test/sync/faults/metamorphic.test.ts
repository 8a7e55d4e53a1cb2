import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { test } from "node:test";
import { createSeededRandom, type SeededRandom } from "../../fixtures/seeded-random.ts";
import { createDevice, createLogReader } from "./device.ts";
import { createOperationMaker } from "./make-operations.ts";
import { createInstance } from "./sync-instance.ts";

const OPERATIONS = 150;

test("batches that are split, merged, retried or reordered give the same state", async (t) => {
  const seed = Number(process.env["SEED"] ?? randomInt(2 ** 31));
  t.diagnostic(`seed ${seed} (set SEED to see it again)`);
  const random = createSeededRandom(seed);
  const texts = ["phone", "tablet", "laptop"].flatMap((deviceId) =>
    createOperationMaker(deviceId, random)(OPERATIONS / 3),
  );
  const ways: Record<string, (texts: readonly string[]) => string[][]> = {
    "large batches": (all) => split(all, () => 100),
    "one by one, every other one twice": (all) =>
      all.flatMap((text, index) => (index % 2 === 0 ? [[text]] : [[text], [text]])),
    "shuffled, in batches of any size, some again": (all) => {
      const batches = split(shuffle(all, random), () => 1 + random.below(40));
      return batches.flatMap((batch) => (random.below(3) === 0 ? [batch, batch] : [batch]));
    },
  };
  const snapshots: unknown[] = [];
  for (const [way, toBatches] of Object.entries(ways)) {
    await t.test(way, async (t) => {
      const { serve } = await createInstance(t);
      const { ask } = await serve();
      const device = await createDevice(ask, "phone");
      for (const batch of toBatches(texts)) await device.push(ask, batch);
      const sorted = async (limit: number) =>
        [...(await createLogReader(device)(ask, limit)).texts].sort();
      // Pages of any size have every operation once.
      for (const limit of [1, 7, 500]) assert.deepEqual(await sorted(limit), [...texts].sort());
      const { entities } = (await (await device.ask(ask, "/v1/snapshot")).json()) as {
        entities: unknown;
      };
      snapshots.push(entities);
    });
  }
  const [first, ...others] = snapshots;
  assert.equal(others.length, 2);
  for (const other of others) assert.deepEqual(other, first);
});

function split(texts: readonly string[], size: () => number): string[][] {
  const batches: string[][] = [];
  for (let at = 0; at < texts.length;) {
    const count = size();
    batches.push(texts.slice(at, at + count));
    at += count;
  }
  return batches;
}

function shuffle(texts: readonly string[], { below }: SeededRandom): string[] {
  const shuffled = [...texts];
  for (let index = shuffled.length - 1; index > 0; index--) {
    const other = below(index + 1);
    [shuffled[index], shuffled[other]] = [shuffled[other] ?? "", shuffled[index] ?? ""];
  }
  return shuffled;
}
