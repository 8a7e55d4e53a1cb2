import assert from "node:assert/strict";
import { test } from "node:test";
import { bucketOf, createInstallationId, isInstallationId } from "./installation-id.ts";

test("an id has 16 random bytes, and its bucket is always the same", () => {
  const id = createInstallationId();
  assert.ok(isInstallationId(id));
  assert.match(id, /^[\w-]{22}$/);
  assert.notEqual(createInstallationId(), id);
  assert.equal(bucketOf(id), bucketOf(id));
});

test("the buckets go from 1 to 100 by the first four bytes of the id", () => {
  const at = (...bytes: number[]) =>
    bucketOf(Buffer.from([...bytes, ...Array<number>(12).fill(255)]).toString("base64url"));
  assert.equal(at(0, 0, 0, 0), 1);
  assert.equal(at(0, 0, 0, 99), 100);
  assert.equal(at(0, 0, 0, 100), 1);
  assert.equal(at(255, 255, 255, 255), (0xff_ff_ff_ff % 100) + 1);
});

test("of many installations about so many percent are in the share", () => {
  const count = 20_000;
  const buckets = Array.from({ length: count }, () => bucketOf(createInstallationId()));
  assert.deepEqual([Math.min(...buckets), Math.max(...buckets)], [1, 100]);
  for (const percent of [1, 10, 25, 50, 90]) {
    const share = buckets.filter((bucket) => bucket <= percent).length / count;
    // Six standard deviations: by chance once in 500 million runs.
    const tolerance = 6 * Math.sqrt(((percent / 100) * (1 - percent / 100)) / count);
    assert.ok(Math.abs(share - percent / 100) < tolerance, `${percent} percent: ${share}`);
  }
});
