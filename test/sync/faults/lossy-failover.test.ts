/**
 * A primary fails whose replica was behind, because nothing waited for it. What the promoted server lacks was
 * acknowledged: a server that runs notices by itself, before a device is told anything.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { decodeCursor } from "../../../src/sync/log/cursor.ts";
import { postgresUrl } from "../../database/launch-postgres.ts";
import { loseLatest, replicatePostgres } from "../../database/replicate-postgres.ts";
import { createSeededRandom } from "../../fixtures/seeded-random.ts";
import { createDevice } from "./device.ts";
import { createOperationMaker } from "./make-operations.ts";
import { assertStopsWell } from "./outage.ts";
import { createInstance } from "./sync-instance.ts";

test("a server that runs notices that the promoted server lacks what was acknowledged", async (t) => {
  const servers = await replicatePostgres(t, { isSynchronous: false });
  const { primary, replica } = servers;
  const store = postgresUrl([primary.port, replica.port], "postgres");
  const instance = await createInstance(t, { store });
  const service = await instance.serve();
  const [phone, laptop] = [
    await createDevice(service.ask, "phone"),
    await createDevice(service.ask, "laptop"),
  ];
  const make = createOperationMaker("phone", createSeededRandom(7));
  const kept = make(5);
  await phone.push(service.ask, kept);
  const pull = (cursor: string) => laptop.ask(service.ask, `/v1/pull?limit=500${cursor}`);
  const before = (await (await pull("")).json()) as { headOffset: number };
  assert.equal(before.headOffset, 5);
  const lost = make(5);
  let latest = { cursor: "" };
  await loseLatest(servers, async () => {
    await phone.push(service.ask, lost);
    latest = (await (await pull("")).json()) as { cursor: string };
  });
  let response = await pull(`&cursor=${latest.cursor}`);
  while (response.status === 503) {
    await sleep(100);
    response = await pull(`&cursor=${latest.cursor}`);
  }
  const page = (await response.json()) as { recoveryReason: string; cursor: string };
  assert.equal(page.recoveryReason, "generation_changed");
  // Not that of the promoted server, which began before the failover.
  assert.notEqual(generation(page.cursor), generation(latest.cursor));
  const isTold = () => service.events().some(({ event }) => event === "store_was_behind");
  while (!isTold()) await sleep(20);

  // Devices heal it: they push again what it lacks, and no offset is used twice.
  const receipts = await phone.push(service.ask, [...kept, ...lost]);
  assert.deepEqual(
    receipts.map(({ duplicate }) => duplicate),
    [...kept.map(() => true), ...lost.map(() => false)],
  );
  const healed = (await (await pull("")).json()) as { operations: unknown[] };
  assert.equal(healed.operations.length, 10);
  await assertStopsWell(service);
});

function generation(cursor: string): string | undefined {
  return decodeCursor(cursor)?.generation;
}
