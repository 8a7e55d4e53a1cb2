/**
 * A primary fails behind a pooler, and its replica was behind: no connection of the service ends. What was
 * acknowledged is remembered of the instance that is open, and of the one that was closed before.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { postgresUrl } from "../../database/launch-postgres.ts";
import { startPgBouncer } from "../../database/pgbouncer.ts";
import { loseLatest, replicatePostgres } from "../../database/replicate-postgres.ts";
import { createOperation } from "../../fixtures/sync-operation.ts";
import {
  addAccount,
  askOf,
  bearer,
  createHostPlace,
  signInTo,
  startHost,
} from "../host/serve-host.ts";
import { openChanges } from "../read-changes.ts";
import { postJson } from "../sync-client.ts";

const NAMES = ["open", "closed"] as const;

test("behind a pooler a lossy failover is told of open instances at once, of closed ones when they are opened", async (t) => {
  const servers = await replicatePostgres(t, { isSynchronous: false });
  const { primary, replica } = servers;
  const pooler = await startPgBouncer(t, postgresUrl(primary.port, "postgres"), [
    "pool_mode = transaction",
    "server_login_retry = 1",
  ]);
  const { dataDir } = await createHostPlace(t, "SQLite");
  const place = { dataDir, store: `${pooler.address}?pool=transaction` };
  for (const name of NAMES) await addAccount(place, name);
  const told: string[] = [];
  const host = startHost(t, place, NAMES, {
    idleSeconds: 0,
    onNotice: ({ kind }, name) => void (kind === "rollback" && told.push(name)),
  });
  const tokens = {
    open: (await signInTo(host, "open")).accessToken,
    closed: (await signInTo(host, "closed")).accessToken,
  };
  const push = async (name: (typeof NAMES)[number], sequence: number) => {
    const body = { operations: [createOperation({ deviceId: "phone", sequence })] };
    const ask = askOf(host, name);
    assert.equal((await postJson(ask, "/v1/push", body, bearer(tokens[name]))).status, 200);
  };
  const stream = await openChanges(askOf(host, "open"), tokens.open);
  t.after(() => stream.close());
  for (const name of NAMES) await push(name, 1);

  await loseLatest(servers, async () => {
    for (const name of NAMES) await push(name, 2);
    while (host.counts().open > 1) await sleep(20);
  });
  await pooler.leadTo(replica.port);
  while (told.length === 0) await sleep(20);
  assert.deepEqual(told, ["open"]);

  const pull = async (name: string, accessToken: string) => {
    const response = await askOf(host, name)("/v1/pull", { headers: bearer(accessToken) });
    return { status: response.status, text: await response.text() };
  };
  let pulled = await pull("closed", tokens.closed);
  while (pulled.status === 503) {
    await sleep(100);
    pulled = await pull("closed", tokens.closed);
  }
  assert.equal(pulled.status, 200, pulled.text);
  assert.deepEqual(told, ["open", "closed"]);
});
