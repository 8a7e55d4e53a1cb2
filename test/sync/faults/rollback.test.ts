/** The whole data folder, the high-water file too, is rolled back, as a snapshot of a volume or a machine does. */
import assert from "node:assert/strict";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { Static } from "typebox";
import type { PullResponse } from "../../../src/contract/sync/schemas.ts";
import { createOperation } from "../../fixtures/sync-operation.ts";
import { createDevice, createLogReader, idOf, type Device } from "./device.ts";
import { createInstance, type SyncProcess } from "./sync-instance.ts";

test("a device notices that the data folder was rolled back, and misses nothing", async (t) => {
  const instance = await createInstance(t);
  const copy = await mkdtemp(join(tmpdir(), "trellis-copy-"));
  t.after(() => rm(copy, { recursive: true, force: true }));
  let server = await instance.serve();
  const device = await createDevice(server.ask, "phone");
  const kept = await pushEach(device, server, 1, 5);
  await stop(server);
  await cp(instance.folder, copy, { recursive: true });

  server = await instance.serve();
  await pushEach(device, server, 6, 10);
  const before = await pull(device, server, "");
  assert.equal(before.headOffset, 15);
  await stop(server);
  await rm(instance.folder, { recursive: true });
  await cp(copy, instance.folder, { recursive: true });

  server = await instance.serve(["--workers", "2"]);
  const other = await createDevice(server.ask, "tablet");
  const added = await pushEach(other, server, 1, 12);
  const page = await pull(device, server, `&cursor=${before.cursor}`);
  assert.deepEqual(
    [page.requiresSnapshot, page.recoveryReason, page.operations, page.headOffset],
    [true, "generation_changed", [], 17],
  );
  // Connections of their own, so that both workers find out.
  await Promise.all(
    Array.from({ length: 8 }, () => pull(device, server, `&cursor=${before.cursor}`)),
  );
  const told = server.events().filter(({ event }) => event === "store_rolled_back");
  assert.deepEqual(
    told.map(({ level, network }) => [level, network]),
    [["warn", "127.0.0.0/24"]],
  );
  const { texts } = await createLogReader(device)(server.ask, 4);
  assert.deepEqual(texts.map(idOf), [...kept, ...added]);
});

/** Pushes operations one by one, and returns their ids. */
async function pushEach(device: Device, server: SyncProcess, from: number, count: number) {
  const ids: string[] = [];
  for (let sequence = from; sequence < from + count; sequence++) {
    const { deviceId } = device;
    const entityId = `setting/${deviceId}-${sequence}`;
    const options = { deviceId, sequence, entityId, payload: { value: sequence } };
    const operation = createOperation(options);
    await device.push(server.ask, [JSON.stringify(operation)]);
    ids.push(operation.operationId);
  }
  return ids;
}

async function stop({ child, ended }: SyncProcess): Promise<void> {
  child.kill("SIGTERM");
  assert.equal((await ended).code, 0);
}

async function pull(
  device: Device,
  server: SyncProcess,
  query: string,
): Promise<Static<typeof PullResponse>> {
  const response = await device.ask(server.ask, `/v1/pull?limit=500${query}`);
  assert.equal(response.status, 200);
  return (await response.json()) as Static<typeof PullResponse>;
}
