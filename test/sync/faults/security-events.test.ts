import assert from "node:assert/strict";
import { copyFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { SecurityCount } from "../../../src/identity/security-event.ts";
import { runInside } from "../../fixtures/run-inside.ts";
import { createSeededRandom } from "../../fixtures/seeded-random.ts";
import { authorize, postJson, VERIFIER, type Ask } from "../sync-client.ts";
import { createDevice } from "./device.ts";
import { createOperationMaker } from "./make-operations.ts";
import { ACCOUNT, createInstance, REDIRECT_URI, type SyncProcess } from "./sync-instance.ts";

/** Two uses of a code within this time may come from one client. */
const CODE_RACE_MS = 2000;

interface Finding {
  readonly level: string;
  readonly subject: string;
  readonly message: string;
}

test("attacks are events in the log, and counts that outlive the process", async (t) => {
  const { folder, serve } = await createInstance(t);
  const server = await serve();
  const phone = await createDevice(server.ask, "phone-of-olive");
  const stolen = phone.tokens.refreshToken;
  const code = await redeemAndKeep(server.ask);
  await createDevice(server.ask, "tablet-of-olive");
  await phone.refresh(server.ask);
  await phone.refresh(server.ask);
  const reuse = { grantType: "refresh_token", refreshToken: stolen };
  assert.equal((await postJson(server.ask, "/v1/refresh", reuse)).status, 401);
  await sleep(CODE_RACE_MS + 100);
  assert.equal((await redeem(server.ask, code)).status, 400);
  await failSignIns(server.ask, 5);
  await stop(server);

  const from = { service: "sync", network: "127.0.0.0/24" };
  assert.deepEqual(
    server
      .events()
      .filter(({ event }) => !["ready", "stopped"].includes(event))
      .map(({ event, level, service, network }) => ({ event, level, service, network })),
    [
      { event: "new_device", level: "info", ...from },
      { event: "new_device", level: "info", ...from },
      { event: "refresh_token_reused", level: "warn", ...from },
      { event: "code_replayed", level: "warn", ...from },
      { event: "throttling_begun", level: "warn", ...from },
    ],
  );
  for (const secret of [stolen, code, ACCOUNT.username, "phone-of-olive", "127.0.0.1"]) {
    const lines = server.stdout().split("\n");
    const security = lines.filter((line) => line.includes('"network"'));
    assert.ok(!security.join("\n").includes(secret), `"${secret}" was printed`);
  }
  assert.deepEqual(await readCounts(folder), {
    "code-replay": 1,
    "new-device": 2,
    "refresh-token-reuse": 1,
    "throttling-begun": 1,
  });
  const { stdout } = await runInside(folder, ["sync", "status"]);
  assert.match(stdout, /^Security +1 reused refresh token, on 20\d\d-/m);
  assert.match(stdout, /^Security +2 sign-ins of new devices or browsers, the last on 20\d\d-/m);
  const findings = await diagnose(folder);
  assert.deepEqual(
    findings.map(({ level }) => level).sort(),
    ["ok", "warning", "warning", "warning"],
    JSON.stringify(findings),
  );
});

test("a store that was rolled back is an event, and counted by whatever opens it first", async (t) => {
  const { folder, serve } = await createInstance(t);
  const [database, copy] = [join(folder, "sync.db"), join(folder, "copy.db")];
  const first = await serve();
  const phone = await createDevice(first.ask, "phone");
  await stop(first);
  await copyFile(database, copy);
  const second = await serve();
  await phone.push(second.ask, createOperationMaker("phone", createSeededRandom(3))(5));
  await stop(second);
  for (const opener of ["serve", "compact"]) {
    for (const suffix of ["-wal", "-shm"]) await rm(database + suffix, { force: true });
    await copyFile(copy, database);
    if (opener === "serve") {
      const server = await serve();
      const event = server.events().find((candidate) => candidate.event === "store_was_behind");
      assert.equal(event?.["level"], "warn");
      await stop(server);
    } else assert.equal((await runInside(folder, ["sync", opener])).code, 0);
    assert.deepEqual(await readCounts(folder), { "new-device": 1, "store-restored": 1 });
  }
});

async function redeemAndKeep(ask: Ask): Promise<string> {
  const options = { ...ACCOUNT, deviceId: "phone-of-olive", redirectUri: REDIRECT_URI };
  const { code } = await authorize(ask, options, "attempt-of-the-test");
  assert.equal((await redeem(ask, code, "x".repeat(43))).status, 400);
  return code;
}

function redeem(ask: Ask, code: string, codeVerifier = VERIFIER): Promise<Response> {
  return postJson(ask, "/v1/token", {
    grantType: "authorization_code",
    code,
    codeVerifier,
    redirectUri: REDIRECT_URI,
    attemptId: "attempt-of-the-test",
  });
}

async function failSignIns(ask: Ask, count: number): Promise<void> {
  const wrong = { ...ACCOUNT, password: "not the password" };
  const options = { ...wrong, deviceId: "stranger", redirectUri: REDIRECT_URI };
  for (let attempt = 0; attempt < count; attempt++) {
    await assert.rejects(authorize(ask, options, "attempt"), /complete returned 401/);
  }
}

async function stop(server: SyncProcess): Promise<void> {
  server.child.kill("SIGTERM");
  assert.deepEqual(await server.ended, { code: 0, signal: null });
}

async function readCounts(folder: string): Promise<Record<string, number>> {
  const { stdout } = await runInside(folder, ["sync", "status", "--json"]);
  const { securityEvents } = JSON.parse(stdout) as { securityEvents: SecurityCount[] };
  return Object.fromEntries(securityEvents.map(({ kind, total }) => [kind, total]));
}

async function diagnose(folder: string): Promise<Finding[]> {
  const { stdout } = await runInside(folder, ["doctor", "--json"]);
  const { findings } = JSON.parse(stdout) as { findings: Finding[] };
  return findings.filter(({ subject }) => subject === "sync security");
}
