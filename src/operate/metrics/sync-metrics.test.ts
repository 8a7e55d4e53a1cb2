import assert from "node:assert/strict";
import { test } from "node:test";
import { createMetrics } from "./metrics.ts";
import { createSyncMetrics } from "./sync-metrics.ts";

const NAMES = Array.from({ length: 10_000 }, (_, index) => `person-${index}`);

async function countSeries(metrics: ReturnType<typeof createMetrics>) {
  const families = await metrics.snapshot();
  return families
    .flatMap(({ labelNames, samples }) => samples.map(({ labels }) => ({ labelNames, labels })))
    .filter(({ labelNames, labels }) => labels[labelNames.indexOf("instance")] !== undefined)
    .length;
}

test("instances that come and go leave no series, and those that count leave few", async () => {
  const metrics = createMetrics();
  const { meter, forget } = createSyncMetrics(metrics, { watchSync() {} });
  for (const name of NAMES) {
    const opened = meter(name);
    opened.streams(1);
    opened.responded(200);
    opened.close();
  }
  assert.equal(await countSeries(metrics), 0);
  for (const name of NAMES) {
    const opened = meter(name);
    opened.pushed({ kind: "stored", operations: 2, duplicates: 0 });
    opened.pulled({ family: "f", operations: 1, offset: 1, recoveryReason: "none" });
    opened.close();
  }
  assert.equal(await countSeries(metrics), 3 * NAMES.length);
  for (const name of NAMES) forget(name);
  assert.equal(await countSeries(metrics), 0);
});

test("the totals of an instance go on when it is opened again, and the only one has all from the start", async () => {
  const metrics = createMetrics();
  const { meter } = createSyncMetrics(metrics, { watchSync() {} });
  const totalOf = async (name: string, ...labels: string[]) => {
    const family = (await metrics.snapshot()).find((found) => found.name === name);
    return family?.samples.find((sample) => sample.labels.join() === labels.join())?.value;
  };
  for (let turn = 1; turn <= 2; turn++) {
    const opened = meter("ada");
    opened.pushed({ kind: "stored", operations: 3, duplicates: 1 });
    opened.responded(503);
    opened.close();
    assert.equal(await totalOf("trellis_sync_pushes_total", "ada", "stored"), turn);
    assert.equal(await totalOf("trellis_sync_operations_total", "ada", "duplicate"), turn);
    assert.equal(await totalOf("trellis_sync_instance_errors_total", "ada"), turn);
  }
  assert.equal(await totalOf("trellis_sync_pushes_total", "ada", "conflict"), undefined);
  meter("");
  assert.equal(await totalOf("trellis_sync_pushes_total", "", "conflict"), 0);
  assert.equal(await totalOf("trellis_sync_open_streams", ""), 0);
});
