import assert from "node:assert/strict";
import { describe } from "node:test";
import { checkSync, isConforming, reportToText, type SyncInput } from "../../conformance/index.ts";
import { SYNC_CASES } from "../../conformance/sync/check-sync.ts";
import { KEY_CASES } from "../../conformance/sync/cases/keys.ts";
import { SEALED_CASES } from "../../conformance/sync/cases/sealed.ts";
import type { SnapshotEntity } from "../../src/contract/sync/operation.ts";
import { startPostgres } from "../database/start-postgres.ts";
import { mainPath, test } from "../groups/main-path.ts";
import { postJson, signIn, type Ask } from "../sync/sync-client.ts";
import { startSyncProcess } from "./service-process.ts";

const ACCOUNT = { username: "Ada Löve", password: " correct horse, battery " };
const SETTINGS = {
  baseUrl: "https://sync.example.org",
  displayName: "Ada's <sync> & more",
  redirectUris: ["com.example.app:/signed-in?from=sync", "http://localhost:43823/callback"],
  corsOrigins: ["https://app.example.org"],
  headerPrefix: "Garden",
};
const KNOWN: Omit<SyncInput, "baseUrl"> = {
  ...ACCOUNT,
  publicUrl: SETTINGS.baseUrl,
  displayName: SETTINGS.displayName,
  redirectUri: "com.example.app:/signed-in?from=sync",
  corsOrigin: "https://app.example.org",
  headerPrefix: "Garden",
};

async function withServer(
  store: string,
  use: (input: SyncInput) => Promise<void>,
  settings: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const server = await startSyncProcess({
    ...ACCOUNT,
    store,
    settings: { ...SETTINGS, ...settings },
  });
  try {
    await use({ baseUrl: server.url, passkey: server.passkey, ...KNOWN });
  } finally {
    assert.equal(await server.stop(), 0);
  }
}

async function expectWhole(input: SyncInput): Promise<void> {
  const report = await checkSync({ ...input, allowRevokeAll: true, allowThrottle: true });
  assert.ok(isConforming(report), reportToText(report));
  const expected = SYNC_CASES.length - SEALED_CASES.length - KEY_CASES.length;
  assert.equal(report.passed, expected, reportToText(report));
}

describe("the running process passes every case of its profile, and none is skipped", () => {
  mainPath("on SQLite", () => withServer("sqlite:./data/sync.db", expectWhole));
  mainPath("on PostgreSQL", async () => {
    const postgres = await startPostgres();
    await withServer(await postgres.createDatabase(), expectWhole);
  });
});

test("a server of the open profile with the smallest limits fails no case, skips those of the habits profile, and has no device and no entity left", () =>
  withServer("sqlite:./data/sync.db", expectClean, {
    profile: "open",
    limits: { maxBodyBytes: 8192, maxPushOperations: 3, maxPullOperations: 7 },
  }));

/** The run may revoke nothing but what it signed in itself. */
async function expectClean(input: SyncInput): Promise<void> {
  const report = await checkSync({ ...input, profile: "open" });
  assert.equal(report.failed, 0, reportToText(report));
  const skipped = report.results.filter(({ outcome }) => outcome.kind === "skipped");
  assert.ok(skipped.some(({ id }) => id === "habits-are-checked"));
  const ask: Ask = (path, init) => fetch(input.baseUrl + path, init);
  const { accessToken } = await signIn(ask, {
    ...ACCOUNT,
    deviceId: "phone",
    redirectUri: KNOWN.redirectUri ?? "",
    csrfHeader: "X-Garden-CSRF",
  });
  const headers = { Authorization: `Bearer ${accessToken}` };
  const snapshot = (await (await ask("/v1/snapshot", { headers })).json()) as {
    entities: SnapshotEntity[];
  };
  assert.ok(snapshot.entities.length > 0);
  const alive = snapshot.entities.filter(({ deleted }) => !deleted);
  assert.deepEqual(
    alive.map(({ entityId }) => entityId),
    [],
  );
  const revoked = await postJson(ask, "/v1/revoke", { scope: "all" }, headers);
  assert.deepEqual(await revoked.json(), { revoked: 1 });
}
