import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { createSyncService } from "../../../src/sync/service.ts";
import { openSyncStore } from "../../../src/sync/sql/open-store.ts";
import { createSeededRandom } from "../../fixtures/seeded-random.ts";
import { authorize, postJson, VERIFIER } from "../sync-client.ts";
import { createDevice, createLogReader } from "./device.ts";
import { createOperationMaker } from "./make-operations.ts";
import { ACCOUNT, createInstance, REDIRECT_URI } from "./sync-instance.ts";

test("no log line and no error response contains what a person typed or a device's secrets", async (t) => {
  const { serve } = await createInstance(t);
  const server = await serve();
  const errors: string[] = [];
  const ask = async (path: string, init?: RequestInit) => {
    const response = await server.ask(path, init);
    if (response.status >= 400) errors.push(await response.clone().text());
    return response;
  };
  const phone = await createDevice(ask, "phone-of-olive");
  const texts = createOperationMaker("phone-of-olive", createSeededRandom(5))(10);
  await phone.push(ask, texts);
  await createLogReader(phone)(ask);
  const secrets = [phone.tokens.accessToken, phone.tokens.refreshToken];
  await phone.refresh(ask);
  secrets.push(phone.tokens.accessToken, phone.tokens.refreshToken);

  const options = { ...ACCOUNT, deviceId: "tablet", redirectUri: REDIRECT_URI };
  const { code, serverSignature } = await authorize(ask, options, "attempt-secret");
  const grant = { code, codeVerifier: VERIFIER, redirectUri: REDIRECT_URI, attemptId: "other" };
  const wrong = { ...grant, grantType: "authorization_code" };
  assert.equal((await postJson(ask, "/v1/token", wrong)).status, 400);
  await assert.rejects(
    authorize(ask, { ...options, password: "not the password" }, "attempt-secret"),
    /401/,
  );
  const bad = { ...(JSON.parse(texts[0] ?? "") as object), kind: "burn-after-reading" };
  const headers = { Authorization: `Bearer ${phone.tokens.accessToken}` };
  for (const [path, body] of [
    ["/v1/push", { operations: [bad] }],
    ["/v1/push", { operations: "private-body-text" }],
    ["/v1/refresh", { grantType: "refresh_token", refreshToken: "trs_rt_private-token" }],
  ] as const) {
    assert.ok((await postJson(ask, path, body, headers)).status >= 400);
  }
  await ask("/v1/pull?cursor=private-cursor", { headers });
  await ask("/v1/device?token=private-query", { headers });
  await ask("/v1/device", { headers: { Authorization: "Bearer trs_at_private-bearer" } });
  server.child.kill("SIGTERM");
  await server.ended;

  const lines = server
    .stdout()
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  const requests = lines.filter((line) => !("event" in line));
  assert.ok(requests.length > 15);
  for (const line of requests) {
    assert.deepEqual(Object.keys(line), [
      "time",
      "level",
      "requestId",
      "method",
      "path",
      "status",
      "durationMs",
      ...(Number(line["status"]) >= 400 ? ["code"] : []),
    ]);
  }
  const printed = server.stdout() + server.stderr() + errors.join("\n");
  assert.ok(errors.length >= 7);
  for (const secret of [
    ...secrets,
    code,
    serverSignature,
    VERIFIER,
    ACCOUNT.username,
    ACCOUNT.password,
    "phone-of-olive",
    "attempt-secret",
    "state-of-the-test-device",
    "burn-after-reading",
    "private-",
    "setting/",
  ]) {
    assert.ok(!printed.includes(secret), `"${secret}" was printed`);
  }
});

test("a log that throws changes no response, and gets exactly five fields", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "trellis-log-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const entries: object[] = [];
  const service = createSyncService({
    store: await openSyncStore(`sqlite:${join(folder, "sync.db")}`, folder),
    instanceKey: randomBytes(32),
    baseUrl: "http://localhost:4811",
    displayName: "Log",
    redirectUris: [REDIRECT_URI],
    log: (entry) => {
      entries.push(entry);
      throw new Error("The log is broken");
    },
  });
  t.after(() => service.close());
  for (const [path, status] of [
    ["/v1/health", 200],
    ["/v1/device?a=b", 400],
    ["/v1/device", 401],
    ["/nowhere", 404],
  ] as const) {
    const response = await service.fetch(new Request(`http://localhost:4811${path}`));
    assert.equal(response.status, status);
    assert.ok(response.headers.get("X-Request-Id"));
  }
  assert.equal(entries.length, 4);
  for (const entry of entries) {
    assert.deepEqual(Object.keys(entry).sort(), [
      "durationMs",
      "method",
      "path",
      "requestId",
      "status",
    ]);
  }
});
