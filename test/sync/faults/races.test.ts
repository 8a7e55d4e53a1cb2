import assert from "node:assert/strict";
import { test } from "node:test";
import type { TokenResponse } from "../../../src/contract/sync/schemas.ts";
import { createSeededRandom } from "../../fixtures/seeded-random.ts";
import { authorize, postJson, VERIFIER } from "../sync-client.ts";
import { assertLogMatchesReceipts, createDevice, createLogReader } from "./device.ts";
import { createOperationMaker } from "./make-operations.ts";
import { ACCOUNT, createInstance, REDIRECT_URI } from "./sync-instance.ts";

const PARALLEL = 20;

/** Retries and second tabs send the same request at the same time. */
const atOnce = <T>(run: () => Promise<T>) => Promise.all(Array.from({ length: PARALLEL }, run));

test("races of honest devices have one result, and no device is signed out", async (t) => {
  const instance = await createInstance(t);
  const { ask } = await instance.serve();
  const device = await createDevice(ask, "phone");

  await t.test(
    "of twenty redemptions of one code, one gets tokens, and they are valid",
    async () => {
      const options = { ...ACCOUNT, deviceId: "tablet", redirectUri: REDIRECT_URI };
      const { code } = await authorize(ask, options, "attempt-1");
      const body = {
        grantType: "authorization_code",
        code,
        codeVerifier: VERIFIER,
        redirectUri: REDIRECT_URI,
        attemptId: "attempt-1",
      };
      const responses = await atOnce(() => postJson(ask, "/v1/token", body));
      const bodies = await Promise.all(
        responses.map(
          async (response) => (await response.json()) as TokenResponse & { error?: string },
        ),
      );
      const winners = bodies.filter(({ error }) => error === undefined);
      assert.equal(winners.length, 1);
      for (const { error } of bodies) assert.ok(error === undefined || error === "invalid_grant");
      const headers = { Authorization: `Bearer ${winners[0]?.accessToken}` };
      assert.equal((await ask("/v1/device", { headers })).status, 200);
    },
  );

  await t.test("twenty refreshes of one token all get the same successor", async () => {
    const { refreshToken } = device.tokens;
    const responses = await atOnce(() =>
      postJson(ask, "/v1/refresh", { grantType: "refresh_token", refreshToken }),
    );
    const bodies = await Promise.all(
      responses.map(async (response) => {
        assert.equal(response.status, 200);
        return (await response.json()) as TokenResponse;
      }),
    );
    assert.equal(new Set(bodies.map((body) => body.refreshToken)).size, 1);
    for (const { accessToken } of bodies) {
      const headers = { Authorization: `Bearer ${accessToken}` };
      assert.equal((await ask("/v1/device", { headers })).status, 200);
    }
    await device.refresh(ask);
  });

  await t.test("twenty pushes of the same operations store them once", async () => {
    const texts = createOperationMaker("phone", createSeededRandom(3))(30);
    const all = await atOnce(() => device.push(ask, texts));
    assert.equal(all.filter((receipts) => receipts.every(({ duplicate }) => !duplicate)).length, 1);
    const repeated = all.filter((receipts) => receipts.every(({ duplicate }) => duplicate));
    assert.equal(repeated.length, PARALLEL - 1);
    const offsets = all.map((receipts) => receipts.map(({ offset }) => offset).join());
    assert.equal(new Set(offsets).size, 1);
    const log = await createLogReader(device)(ask);
    assert.equal(log.headOffset, texts.length);
    assertLogMatchesReceipts(log, [device]);
  });
});
