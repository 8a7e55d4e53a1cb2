/** The update client against the real release service: the two must mean the same by everything. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import {
  createMemoryStorage,
  createUpdateClient,
  type UpdateClientOptions,
} from "../../src/client/index.ts";
import { createReleaseService } from "../../src/release/service.ts";
import { createCatalogFixture } from "../fixtures/catalog.ts";

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
