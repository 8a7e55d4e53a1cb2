/** A server of all three services with the operator's listener, after a busy session. */
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLineWriter } from "../../src/http/request-log.ts";
import { openInstanceKey } from "../../src/identity/instance-key.ts";
import { changeBackupState } from "../../src/backup/backup-state.ts";
import { loadConfiguration } from "../../src/configuration/configuration.ts";
import { openEventsStore } from "../../src/events/sql/open-store.ts";
import { openSyncStore } from "../../src/sync/sql/open-store.ts";
import { startServices } from "../../src/server/start.ts";
import type { Tracing } from "../../src/operate/tracing/open-tracing.ts";
import { addEventsAccount } from "../events/add-account.ts";
import { addSource, sampleSubscription } from "../events/store/samples.ts";
import { createCatalogFixture } from "../fixtures/catalog.ts";
import { createOperation } from "../fixtures/sync-operation.ts";
import { openChanges } from "../sync/read-changes.ts";
import { addSyncAccount } from "../sync/add-account.ts";
import { postJson, signIn, type Ask } from "../sync/sync-client.ts";

const OWNER = { username: "olive-the-owner", password: "correct horse battery staple" };
const PUPIL = { username: "paula-the-pupil", password: "correct horse battery staple" };
const REDIRECT_URI = "http://localhost:43823/callback-of-olive";
const FEED = { name: "Class 7b of Paula", url: "https://school.example/secret-7f3a9c.ics" };
const HOST = "olives-sync.example";

export interface ObservedServer {
  readonly addresses: Readonly<Record<string, string>>;
  /** The text of `GET /metrics`. */
  scrape(): Promise<string>;
  /** Signs two devices in, and does what people, apps and attackers do. Returns their secrets and names. */
  beBusy(): Promise<readonly string[]>;
  stop(): Promise<void>;
}

export interface ObservedOptions {
  readonly hasOperator?: boolean;
  readonly tracing?: Tracing | null;
}

export async function startObservedServer({
  hasOperator = true,
  tracing = null,
}: ObservedOptions = {}): Promise<ObservedServer> {
  const catalog = await createCatalogFixture({ releases: 3 });
  const folder = await mkdtemp(join(tmpdir(), "trellis-metrics-"));
  const path = join(folder, "trellis.config.json");
  const listen = { host: "127.0.0.1", port: 0 };
  await writeFile(
    path,
    JSON.stringify({
      dataDir: folder,
      ...(hasOperator && { operator: { listen } }),
      release: { listen, smartDownload: { listen }, catalog: catalog.folder },
      sync: { listen, baseUrl: `https://${HOST}`, redirectUris: [REDIRECT_URI] },
      events: { listen },
    }),
  );
  const configuration = await loadConfiguration({ path, isRequired: true, env: {} });
  const identities = await prepareStores(configuration, folder);
  const server = await startServices(
    configuration,
    ["release", "sync", "events"],
    createLineWriter(() => {}),
    new AbortController().signal,
    { tracing },
  );
  const { addresses } = server;
  const askOf =
    (name: string): Ask =>
    (target, init) =>
      fetch(`${addresses[name]}${target}`, { redirect: "manual", ...init });
  return {
    addresses,
    async scrape() {
      const response = await fetch(`${addresses["operator"]}/metrics`);
      assert.equal(response.status, 200);
      return response.text();
    },
    async beBusy() {
      await beBusyWithReleases(askOf("release"), askOf("smartDownload"));
      const seen = await beBusyWithSync(askOf("sync"));
      await beBusyWithEvents(askOf("events"));
      return [...identities, ...seen, folder, catalog.folder, HOST];
    },
    async stop() {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
      await catalog.remove();
    },
  };
}

type Configured = Awaited<ReturnType<typeof loadConfiguration>>;

/** Returns names and ids that the stores have. */
async function prepareStores({ sync, events }: Configured, folder: string): Promise<string[]> {
  assert.ok(sync !== undefined && events !== undefined);
  const key = openInstanceKey(sync.instanceKeyFile);
  const syncStore = await openSyncStore(sync.store, folder);
  await addSyncAccount(syncStore, key, OWNER);
  await syncStore.close();
  const eventsStore = await openEventsStore(events.store, folder);
  const accountId = await addEventsAccount(eventsStore, key, PUPIL);
  assert.ok(accountId !== null);
  const source = await addSource(eventsStore, accountId, FEED.name);
  const failing = { lastFetchedAt: Date.now(), lastError: "not-found", nextFetchAt: 1e15 };
  const subscription = sampleSubscription(source, failing);
  await eventsStore.transaction(({ subscriptions }) => subscriptions.add(subscription));
  await eventsStore.close();
  const createdAt = new Date(Date.now() - 3_600_000).toISOString();
  const place = join(folder, "olives.backup");
  const last = { createdAt, verifiedAt: createdAt, place, bytes: 1, sha256: "0", facts: {} };
  for (const service of ["sync", "events"] as const) {
    await changeBackupState(folder, service, { last });
  }
  return [
    OWNER.username,
    PUPIL.username,
    OWNER.password,
    accountId,
    source.sourceId,
    subscription.urlHash,
    FEED.name,
    FEED.url,
    REDIRECT_URI,
    place,
  ];
}

async function beBusyWithReleases(api: Ask, smartDownload: Ask): Promise<void> {
  for (const target of [
    "/health",
    "/api/v1/manifest",
    "/api/v1/releases/9.9.9-paula",
    "/api/v1/update/windows?version=1.0.0&build=1&channel=stable",
    "/api/v1/update/olives-own-platform",
    "/olive-the-owner/wp-login.php",
  ]) {
    await api(target);
  }
  await api("/health", { method: "DELETE" });
  await smartDownload("/?arch=olives-arch");
}

/** Returns what must not be in a label. */
async function beBusyWithSync(ask: Ask): Promise<string[]> {
  const devices = ["olives-phone", "olives-laptop"];
  const [phone, laptop] = await Promise.all(
    devices.map((deviceId) => signIn(ask, { ...OWNER, deviceId, redirectUri: REDIRECT_URI })),
  );
  assert.ok(phone !== undefined && laptop !== undefined);
  const bearer = { Authorization: `Bearer ${phone.accessToken}`, "X-Forwarded-For": "203.0.113.9" };
  const operations = [1, 2, 3].map((sequence) =>
    createOperation({
      deviceId: "olives-phone",
      sequence,
      entityId: `setting/olives-key-${sequence}`,
      payload: { value: "olives-value" },
    }),
  );
  const push = (some: readonly unknown[]) =>
    postJson(ask, "/v1/push", { operations: some }, bearer);
  assert.equal((await push(operations)).status, 200);
  assert.equal((await push(operations.slice(0, 1))).status, 200);
  assert.equal((await push([{ ...operations[0], kind: "olives-kind" }])).status, 400);
  const pull = (accessToken: string, query: string) =>
    ask(`/v1/pull${query}`, { headers: { Authorization: `Bearer ${accessToken}` } });
  const page = (await (await pull(phone.accessToken, "?limit=3")).json()) as { cursor: string };
  assert.equal((await pull(laptop.accessToken, "?limit=1")).status, 200);
  const stream = await openChanges(ask, phone.accessToken);
  await stream.close();
  const open = await openChanges(ask, laptop.accessToken);
  // An attacker: wrong passwords until the throttle begins, a copied refresh token.
  for (let attempt = 0; attempt < 6; attempt++) {
    await signIn(ask, {
      username: OWNER.username,
      password: "wrong",
      deviceId: "attackers-device",
      redirectUri: REDIRECT_URI,
    }).catch(() => {});
  }
  const refresh = (refreshToken: string) =>
    postJson(ask, "/v1/refresh", { grantType: "refresh_token", refreshToken });
  const { refreshToken } = (await (await refresh(phone.refreshToken)).json()) as {
    refreshToken: string;
  };
  await refresh(refreshToken);
  await refresh(phone.refreshToken);
  await ask(`/v1/device/${laptop.accessToken}`);
  await ask("/v1/device", { headers: { Authorization: "Bearer trs_at_olives-guess" } });
  return [
    ...devices,
    "attackers-device",
    phone.accessToken,
    laptop.accessToken,
    phone.refreshToken,
    refreshToken,
    page.cursor,
    "203.0.113.9",
    "127.0.0.1",
    ...operations.map(({ operationId }) => operationId),
    // This stream stays open until the server stops.
    await open.head(),
  ];
}

async function beBusyWithEvents(ask: Ask): Promise<void> {
  await ask("/api/events", { headers: { Authorization: "Bearer tre_at_paulas-token" } });
  await ask("/sign-in");
  await ask("/api/oauth/authorize?client_id=paulas-app");
  await ask("/account/paula-the-pupil");
  await postJson(ask, "/api/oauth/token", { code: "paulas-code" });
}
