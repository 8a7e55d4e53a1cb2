/** An instance that a command removes or moves is never opened, nor made anew, by a server beside it. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { openServiceStore } from "../../../src/identity/open-service-store.ts";
import { useSuspended } from "../../../src/cli/commands/sync/instances/use-suspended.ts";
import { createLineWriter } from "../../../src/http/request-log.ts";
import { checkConfiguration } from "../../../src/configuration/configuration.ts";
import type { InstanceSettings } from "../../../src/configuration/configuration-schema.ts";
import { logHostNotice } from "../../../src/hosting/instance-log.ts";
import { changeRegistry, readRegistry } from "../../../src/configuration/instance-registry.ts";
import { resolveInstance, toHostConfiguration } from "../../../src/configuration/instance.ts";
import { prepareSyncHost } from "../../../src/server/prepare-host.ts";
import { startSyncHost } from "../../../src/hosting/sync-host.ts";
import { StoreInUseError } from "../../../src/database/lease-store.ts";
import { SYNC_STORE } from "../../../src/sync/sql/open-store.ts";
import type { StoreKind } from "../../database/on-both-stores.ts";
import { addAccount, askOf, createHostPlace, originOf } from "./serve-host.ts";

/** A path that needs the store, and no sign-in. */
const STORED = "/owner/export.json";
const ADA: InstanceSettings = { baseUrl: originOf("ada") };

async function createRegistered(t: TestContext, kind: StoreKind) {
  const place = await createHostPlace(t, kind);
  const { dataDir, store } = place;
  const configuration = checkConfiguration(
    { dataDir, sync: store === undefined ? {} : { store } },
    "of the test",
  );
  const { sync } = configuration;
  assert.ok(sync !== undefined);
  const setAda = (settings: InstanceSettings) =>
    changeRegistry(dataDir, sync, () => ({ ada: settings }));
  const instances = await setAda(ADA);
  return { place, dataDir, sync, configuration, instances, setAda };
}

test("a server makes a store only in the folder of a new instance", async (t) => {
  const { dataDir, sync, instances } = await createRegistered(t, "SQLite");
  const lines: string[] = [];
  const log = createLineWriter((line) => void lines.push(line));
  const start = () => {
    const host = startSyncHost({
      ...toHostConfiguration(sync, dataDir),
      instances,
      createsFolders: false,
      trustedProxies: [],
      streamIdleTimeoutMs: 1000,
      log: () => undefined,
      onNotice: (notice) => logHostNotice(log, notice),
    });
    t.after(() => host.close());
    return host;
  };
  const folder = join(dataDir, "instances", "ada");
  const first = start();
  assert.equal((await askOf(first, "ada")(STORED)).status, 503);
  assert.equal(existsSync(folder), false);
  assert.match(lines.join(""), /"instance_failed".*"MissingStoreError"/);

  await mkdir(folder, { recursive: true });
  const second = start();
  assert.equal((await askOf(second, "ada")(STORED)).status, 303);
  await second.close();

  await rm(folder, { recursive: true });
  const third = start();
  assert.equal((await askOf(third, "ada")(STORED)).status, 503);
  assert.equal(existsSync(folder), false);
});

test("no server opens an instance while a command works on its files", async (t) => {
  const { place, dataDir, sync, instances } = await createRegistered(t, "SQLite");
  await addAccount(place, "ada");
  const instance = resolveInstance("ada", ADA, sync, dataDir);
  const context = { sync, dataDir, loaded: { source: "registry", instances } } as const;
  const open = () =>
    openServiceStore(SYNC_STORE, instance.sync, instance.dataDir, { access: "change" });
  await useSuspended(context, instance, () => assert.rejects(open(), StoreInUseError));
  await (await open()).close();
  assert.equal((await readRegistry(dataDir, sync))?.["ada"]?.suspended, true);
});

test("a request that does not end keeps no change of the registry from being noticed", async (t) => {
  const { place, sync, configuration, instances, setAda } = await createRegistered(t, "SQLite");
  await addAccount(place, "ada");
  const lines: string[] = [];
  const log = createLineWriter((line) => void lines.push(line));
  const loaded = { source: "registry", instances } as const;
  const service = await prepareSyncHost(sync, { ...configuration, file: null }, loaded, log);
  const [origin] = service.origins;
  const body = Promise.withResolvers<void>();
  const respond = (method: string, target: string) =>
    origin?.http.respond({
      method,
      target,
      header: (name) =>
        ({ host: "ada.example.com", "content-type": "application/json" })[name] ?? null,
      remoteAddress: "192.0.2.1",
      async *body() {
        await body.promise;
        yield Buffer.from("{}");
      },
    });
  const slow = respond("POST", "/v1/token");
  await wait(50);
  const waitForLoads = async (count: number) => {
    for (let turn = 0; turn < 40; turn++) {
      if (lines.filter((line) => line.includes('"instances_loaded"')).length >= count) return;
      await wait(50);
    }
    assert.fail("The change was not noticed");
  };
  try {
    await setAda({ ...ADA, displayName: "Ada" });
    await waitForLoads(1);
    await setAda({ ...ADA, suspended: true });
    await waitForLoads(2);
    assert.equal((await respond("GET", "/v1/health"))?.status, 503);
  } finally {
    body.resolve();
    await slow;
    await service.close();
  }
});

test("an instance that was added while the server started is found", async (t) => {
  const { dataDir, sync, configuration, instances } = await createRegistered(t, "SQLite");
  const bob = { baseUrl: originOf("bob") };
  await changeRegistry(dataDir, sync, (present) => ({ ...present, bob }));
  const lines: string[] = [];
  const log = createLineWriter((line) => void lines.push(line));
  const loaded = { source: "registry", instances } as const;
  const service = await prepareSyncHost(sync, { ...configuration, file: null }, loaded, log);
  t.after(() => service.close());
  for (let turn = 0; lines.length === 0 && turn < 40; turn++) await wait(50);
  assert.match(lines.join(""), /"instances_loaded".*"instances":2/);
});
