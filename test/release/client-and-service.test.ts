/** The update client against the real release service: the two must mean the same by everything. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import {
  createMemoryStorage,
  createUpdateClient,
  type UpdateClientOptions,
} from "../../src/client/index.ts";
import { DAY_MS } from "../../src/contract/durations.ts";
import { listen } from "../../src/http/listen.ts";
import { createReleaseService } from "../../src/release/service.ts";
import { createCatalogFixture } from "../fixtures/catalog.ts";
import { LOOPBACK_LIMITS } from "../fixtures/listen-limits.ts";

const BASE_URL = "https://releases.example.com";
const NOW = Date.UTC(2026, 5, 1);

async function createPair(t: TestContext, changes: Partial<UpdateClientOptions> = {}) {
  const catalog = await createCatalogFixture({ releases: 12, betaEvery: 4, now: NOW });
  t.after(() => catalog.remove());
  const service = createReleaseService({
    catalog: catalog.folder,
    baseUrl: BASE_URL,
    smartDownloadUrl: "https://get.example.com",
    websiteDownloadUrl: "https://example.com/#download",
    now: () => NOW,
  });
  t.after(() => service.close());
  const statuses: number[] = [];
  const client = createUpdateClient({
    baseUrl: BASE_URL,
    product: catalog.settings.product,
    keys: catalog.keys,
    platform: "windows",
    current: { version: "1.0.1", buildNumber: 1 },
    storage: createMemoryStorage(),
    now: () => NOW,
    fetch: async (url, init) => {
      const response = await service.fetch(new Request(url, init));
      statuses.push(response.status);
      return response;
    },
    ...changes,
  });
  return { client, statuses };
}

test("the service's manifest opens, and gets 304 the second time", async (t) => {
  const { client, statuses } = await createPair(t);
  const first = await client.check();
  assert.equal(first.kind, "update-available");
  assert.deepEqual(await client.check(), first);
  assert.deepEqual(statuses, [200, 304]);
});

test("a compressed manifest opens, and gets 304 days later", async (t) => {
  const catalog = await createCatalogFixture({ releases: 12, now: NOW });
  t.after(() => catalog.remove());
  const service = createReleaseService({
    catalog: catalog.folder,
    baseUrl: BASE_URL,
    smartDownloadUrl: "https://get.example.com",
    websiteDownloadUrl: "https://example.com/#download",
    now: () => NOW,
  });
  t.after(() => service.close());
  await service.ready;
  const listener = await listen(service.api, {
    host: "127.0.0.1",
    port: 0,
    limits: LOOPBACK_LIMITS,
  });
  t.after(() => listener.stop());
  let now = NOW;
  const responses: (string | number | null)[] = [];
  const client = createUpdateClient({
    baseUrl: `http://127.0.0.1:${listener.port}`,
    product: catalog.settings.product,
    keys: catalog.keys,
    platform: "windows",
    current: { version: "1.0.1", buildNumber: 1 },
    storage: createMemoryStorage(),
    now: () => now,
    fetch: async (url, init) => {
      const response = await fetch(url, init);
      responses.push(response.status, response.headers.get("Content-Encoding"));
      return response;
    },
  });
  const first = await client.check();
  assert.equal(first.kind, "update-available");
  now += 9 * DAY_MS;
  assert.deepEqual(await client.check(), first);
  assert.deepEqual(responses, [200, "gzip", 304, null]);
});

for (const channel of ["stable", "beta"] as const) {
  test(`the hint and the signed manifest name the same ${channel} release`, async (t) => {
    const { client } = await createPair(t, { channel });
    const check = await client.check();
    const hinted = await client.hint();
    assert.ok(check.kind === "update-available" && hinted.kind === "hint");
    assert.deepEqual(hinted.hint.target, {
      version: check.release.version,
      buildNumber: check.release.buildNumber,
    });
    assert.equal(check.release.channel, channel);
    assert.equal(hinted.hint.mandatory, check.mandatory);
  });
}
