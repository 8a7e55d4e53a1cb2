import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { startPostgres } from "../../database/start-postgres.ts";
import { createSeededRandom } from "../../fixtures/seeded-random.ts";
import { postJson } from "../sync-client.ts";
import { assertLogMatchesReceipts, createDevice, createLogReader } from "./device.ts";
import { createOperationMaker } from "./make-operations.ts";
import { createInstance, type SyncProcess } from "./sync-instance.ts";

const DEVICES = 4;
const PUSHES = 15;

test("two servers on one SQLite file act as one service", async (t) => {
  const instance = await createInstance(t);
  await proveOneService(t, await Promise.all([instance.serve(), instance.serve()]));
});

test("two servers on one PostgreSQL database act as one service", async (t) => {
  const postgres = await startPostgres();
  const instance = await createInstance(t, { store: await postgres.createDatabase() });
  await proveOneService(t, await Promise.all([instance.serve(), instance.serve()]));
});

test("two workers behind one port act as one service", async (t) => {
  const instance = await createInstance(t);
  const server = await instance.serve(["--workers", "2"]);
  await proveOneService(t, [server, server]);
});

async function proveOneService(
  t: TestContext,
  [first, second]: readonly SyncProcess[],
): Promise<void> {
  assert.ok(first !== undefined && second !== undefined);
  const both: readonly SyncProcess[] = [first, second];
  const random = createSeededRandom(1);
  const devices = await Promise.all(
    Array.from({ length: DEVICES }, (_, index) =>
      createDevice((index % 2 === 0 ? first : second).ask, `device-${index}`),
    ),
  );

  await t.test("concurrent pushes to both are stored in one order", async () => {
    await Promise.all(
      devices.map(async (device, index) => {
        const make = createOperationMaker(device.deviceId, random);
        for (let push = 0; push < PUSHES; push++) {
          const { ask } = (index + push) % 2 === 0 ? first : second;
          const receipts = await device.push(ask, make(1 + random.below(20)));
          const offsets = receipts.map(({ offset }) => offset);
          // A push is one transaction: no other operations come between.
          assert.deepEqual(
            offsets,
            offsets.map((_, place) => (offsets[0] ?? 0) + place),
          );
        }
      }),
    );
    const [device] = devices;
    assert.ok(device !== undefined);
    for (const [server, limit] of [
      [first, 500],
      [second, 7],
    ] as const) {
      assertLogMatchesReceipts(await createLogReader(device)(server.ask, limit), devices);
    }
  });

  await t.test("tokens of one are valid at the other, and rotate at either", async () => {
    const [device] = devices;
    assert.ok(device !== undefined);
    for (const { ask } of [first, second, first]) {
      await device.refresh(ask);
      for (const other of both) {
        assert.equal((await device.ask(other.ask, "/v1/device")).status, 200);
      }
    }
  });

  await t.test("a device that one revokes is revoked at the other at once", async () => {
    const [, revoked, kept] = devices;
    assert.ok(revoked !== undefined && kept !== undefined);
    assert.equal((await revoked.ask(second.ask, "/v1/device")).status, 200);
    assert.equal((await revoked.ask(first.ask, "/v1/device", { method: "DELETE" })).status, 200);
    assert.equal((await revoked.ask(second.ask, "/v1/device")).status, 401);
    assert.equal((await revoked.ask(first.ask, "/v1/device")).status, 401);
    const { refreshToken } = revoked.tokens;
    const refreshed = await postJson(second.ask, "/v1/refresh", {
      grantType: "refresh_token",
      refreshToken,
    });
    assert.equal(refreshed.status, 401);
    assert.equal((await kept.ask(second.ask, "/v1/device")).status, 200);
  });
}
