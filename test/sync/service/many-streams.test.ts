import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { openConnection } from "../../fixtures/raw-connection.ts";
import { createOperation } from "../../fixtures/sync-operation.ts";
import { listen } from "../../../src/http/listen.ts";
import { hashSecret } from "../../../src/identity/one-time-secrets.ts";
import { openSyncStore } from "../../../src/sync/sql/open-store.ts";
import { postJson } from "../sync-client.ts";
import { accessTokenOf, START, startSyncService } from "./sync-service.ts";
import { LIMITS } from "../../fixtures/listen-limits.ts";

const DEVICES = 250;
const STREAMS_PER_DEVICE = 4;
/** The defaults of the configuration: far fewer connections than the streams need. */
const DEFAULTS = { ...LIMITS, maxConnections: 1024, maxConnectionsPerNetwork: 128 };

test("a thousand streams are open at once, all get every head, and one more is refused", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "trellis-streams-"));
  const store = await openSyncStore(`sqlite:${join(folder, "sync.db")}`, folder);
  const { service, ask } = await startSyncService(store, { profile: "open" });
  const networksOf = () => [{ key: "one network", share: 1 }];
  const listener = await listen(service.http, {
    host: "127.0.0.1",
    port: 0,
    limits: DEFAULTS,
    networksOf,
  });
  t.after(async () => {
    service.endStreams();
    await listener.stop();
    await service.close();
    await rm(folder, { recursive: true, force: true });
  });
  await store.transaction(async ({ sessions }) => {
    for (let device = 0; device <= DEVICES; device++) {
      const ends = START + 86_400_000;
      const times = { createdAt: START, rotatedAt: START, lastUsedAt: START };
      const family = `family-${device}`;
      const session = {
        family,
        deviceId: `device-${device}`,
        counter: 0,
        refreshHash: "hash",
        ...times,
      };
      await sessions.open({ ...session, idleExpiresAt: ends, absoluteExpiresAt: ends });
      await sessions.addAccess(family, { hash: hashSecret(tokenOf(device)), expiresAt: ends });
    }
  });
  const connect = async (device: number) => {
    const connection = await openConnection(listener.port);
    connection.send(
      `GET /v1/changes HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${tokenOf(device)}\r\n\r\n`,
    );
    await connection.until(/\n\n|"requestId"/);
    return connection;
  };
  const streams: Awaited<ReturnType<typeof connect>>[] = [];
  for (let turn = 0; turn < STREAMS_PER_DEVICE; turn++) {
    // In groups, because a connection counts for its network until its stream has opened.
    for (let device = 0; device < DEVICES; device += 50) {
      const group = Array.from({ length: 50 }, (_, index) => connect(device + index));
      streams.push(...(await Promise.all(group)));
    }
  }
  assert.equal(streams.length, DEVICES * STREAMS_PER_DEVICE);
  const heads = (text: string) => text.match(/event: head\n/g)?.length ?? 0;
  assert.ok(streams.every((stream) => heads(stream.received()) === 1));

  const refused = await connect(DEVICES);
  assert.match(refused.received(), /^HTTP\/1\.1 429 [^]*\r\nRetry-After: 30\r\n/);
  refused.socket.destroy();

  const headers = { Authorization: `Bearer ${tokenOf(0)}` };
  const operations = [createOperation({ entityId: "note/1", payload: { text: "x" } })];
  const pushedAt = performance.now();
  assert.equal((await postJson(ask, "/v1/push", { operations }, headers)).status, 200);
  while (!streams.every((stream) => heads(stream.received()) === 2)) {
    assert.ok(performance.now() - pushedAt < 5000, "a stream was not told of the push");
    await wait(10);
  }
  const response = await fetch(`http://127.0.0.1:${listener.port}/v1/pull`, { headers });
  assert.equal(response.status, 200, "requests still find a connection");
  await response.text();

  service.endStreams();
  const stoppedAt = performance.now();
  await listener.stop();
  await Promise.all(streams.map(({ closed }) => closed));
  assert.ok(performance.now() - stoppedAt < 5000, "a stop does not wait for streams");
});

function tokenOf(device: number): string {
  return accessTokenOf(String(device));
}
