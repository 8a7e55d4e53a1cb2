/** Drafts, completeness and withdrawals where two channels or two ways of distribution meet. */
import assert from "node:assert/strict";
import { readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { test, type TestContext } from "node:test";
import { createMemoryStorage, createUpdateClient } from "../../../src/client/index.ts";
import type { DraftRelease } from "../../../src/contract/release/catalog.ts";
import { createReleaseService, type ReleaseService } from "../../../src/release/service.ts";
import { createCatalogFixture, type CatalogFixture } from "../../fixtures/catalog.ts";
import { runInside } from "../../fixtures/run-inside.ts";

const ADDRESSES = {
  baseUrl: "https://releases.example.com",
  smartDownloadUrl: "https://get.example.com",
  websiteDownloadUrl: "https://example.com/#download",
};

async function prepare(t: TestContext, options: Parameters<typeof createCatalogFixture>[0]) {
  const fixture = await createCatalogFixture(options);
  t.after(() => fixture.remove());
  await writeFile(join(dirname(fixture.folder), "trellis.config.json"), '{ "release": {} }');
  return fixture;
}

interface Printed {
  readonly error?: string;
  readonly release?: DraftRelease;
  readonly latest?: { readonly version: string } | null;
  readonly incomplete?: readonly { readonly missing: readonly string[] }[];
}

async function run({ folder }: CatalogFixture, ...words: string[]) {
  const { code, stdout } = await runInside(dirname(folder), ["release", ...words, "--json"]);
  return { code, ...(JSON.parse(stdout) as Printed) };
}

function serve(t: TestContext, catalog: string): ReleaseService {
  const service = createReleaseService({ catalog, ...ADDRESSES });
  t.after(() => service.close());
  return service;
}

test("the first beta supports what the newest stable release supports", async (t) => {
  const fixture = await prepare(t, { releases: 3, betaEvery: 0 });
  const { release } = await run(fixture, "new", "2.0.0", "--build", "4", "--channel", "beta");
  assert.equal(release?.minimumSupportedVersion, "1.0.0");
});

test("the first stable release after betas supports no version newer than itself", async (t) => {
  const fixture = await prepare(t, { releases: 0 });
  await run(fixture, "new", "2.0.0", "--build", "1", "--channel", "beta");
  const path = join(fixture.folder, "releases/2.0.0.json");
  const beta = JSON.parse(await readFile(path, "utf8")) as DraftRelease;
  assert.equal(beta.minimumSupportedVersion, "2.0.0");
  const [artifact] = (await prepare(t, { releases: 1 })).releases[0]?.artifacts ?? [];
  const publishedAt = "2026-01-01T00:00:00Z";
  const published = { ...beta, status: "published", publishedAt, artifacts: [artifact] };
  await writeFile(path, JSON.stringify(published));
  const { release } = await run(fixture, "new", "1.5.0", "--build", "2");
  assert.equal(release?.minimumSupportedVersion, "1.5.0");
});

test("an android draft with only a store artifact is incomplete", async (t) => {
  const targets = [{ platform: "android", architecture: "universal" }] as const;
  const fixture = await prepare(t, { releases: 1, settings: { targets: [...targets] } });
  const file = join(dirname(fixture.folder), "habits.aab");
  await writeFile(file, "the app");
  const kind = ["--platform", "android", "--architecture", "universal"];
  const url = "https://downloads.example.com/2/habits";
  await run(fixture, "new", "2.0.0", "--build", "2");
  const store = ["--distribution", "play", "--url", `${url}.aab`];
  assert.equal((await run(fixture, "add-artifact", "2.0.0", file, ...kind, ...store)).code, 0);
  const missing = "an artifact for android/universal (direct)";
  assert.deepEqual((await run(fixture, "check")).incomplete?.[0]?.missing, [missing]);
  const refused = await run(fixture, "publish", "2.0.0");
  assert.match(refused.error ?? "", /has no artifact for android\/universal \(direct\): add it/);
  const apk = join(dirname(fixture.folder), "habits.apk");
  await writeFile(apk, "the app");
  const direct = ["--distribution", "direct", "--url", `${url}.apk`];
  assert.equal((await run(fixture, "add-artifact", "2.0.0", apk, ...kind, ...direct)).code, 0);
  const published = await run(fixture, "publish", "2.0.0", "--allow-lost-coverage");
  assert.equal(published.code, 0);
});

const ROUTES = [
  "/api/v1/releases?channel=beta",
  "/api/v1/releases/latest?channel=beta",
  "/api/v1/update/linux?version=1.0.4&build=4&channel=beta",
  "/api/v1/download/linux?channel=beta",
  "/api/v1/download/linux/x64?channel=beta",
  "/api/v1/releases/1.0.4",
  "/api/v1/releases/1.0.4/downloads",
];

async function askAll(service: ReleaseService) {
  const responses = ROUTES.map(async (route) => {
    const response = await service.fetch(new Request(`${ADDRESSES.baseUrl}${route}`));
    const text = (await response.text()).replace(/"requestId":"[^"]*"/, "");
    return [route, response.status, response.headers.get("Cache-Control"), text];
  });
  return Promise.all(responses);
}

test("after the last release of a channel is withdrawn, its routes respond as without releases", async (t) => {
  const fixture = await prepare(t, { releases: 4, betaEvery: 4 });
  const withdrawn = await run(fixture, "withdraw", "1.0.4", "--yes", "--reason", "Loses reminders");
  assert.equal(withdrawn.code, 0, String(withdrawn.error));
  assert.equal(withdrawn.latest, null);
  const service = serve(t, fixture.folder);
  const without = serve(t, (await prepare(t, { releases: 3, betaEvery: 4 })).folder);
  assert.deepEqual(await askAll(service), await askAll(without));

  const client = createUpdateClient({
    baseUrl: ADDRESSES.baseUrl,
    product: fixture.settings.product,
    keys: fixture.keys,
    channel: "beta",
    platform: "linux",
    current: { version: "1.0.4", buildNumber: 4 },
    storage: createMemoryStorage(),
    fetch: (url, init) => service.fetch(new Request(url, init)),
  });
  const check = await client.check();
  assert.equal(check.kind === "withdrawn" && check.withdrawn.reason, "Loses reminders");
});

test("the last release of a channel may be replaced by one of the other channel", async (t) => {
  const fixture = await prepare(t, { releases: 4, betaEvery: 4 });
  const words = [
    "withdraw",
    "1.0.4",
    "--yes",
    "--reason",
    "Loses reminders",
    "--replaced-by",
    "1.0.3",
  ];
  assert.equal((await run(fixture, ...words)).latest, null);
  const stable = ["withdraw", "1.0.3", "--yes", "--reason", "Loses reminders"];
  assert.match((await run(fixture, ...stable)).error ?? "", /--replaced-by 1\.0\.2/);
});

test("a catalogue whose only release is withdrawn is served, exported and published to again", async (t) => {
  const fixture = await prepare(t, { releases: 1 });
  assert.equal((await run(fixture, "withdraw", "1.0.1", "--yes", "--reason", "Broken")).code, 0);
  const service = serve(t, fixture.folder);
  const manifest = await service.fetch(new Request(`${ADDRESSES.baseUrl}/api/v1/manifest`));
  assert.equal(manifest.status, 200);
  const site = join(dirname(fixture.folder), "site");
  t.after(() => rm(site, { recursive: true, force: true }));
  const exported = await runInside(dirname(fixture.folder), ["release", "export", site]);
  assert.equal(exported.code, 0, exported.stderr);
  const draft = await run(fixture, "new", "1.0.2", "--build", "2");
  assert.equal(draft.code, 0, String(draft.error));
  assert.equal((await run(fixture, "check")).code, 0);
});
