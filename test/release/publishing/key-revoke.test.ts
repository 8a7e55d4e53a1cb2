/** A stolen signing key is revoked: what the command writes, and what a catalogue refuses afterwards. */
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { test, type TestContext } from "node:test";
import { createMemoryStorage, createUpdateClient } from "../../../src/client/index.ts";
import type { CatalogFile } from "../../../src/contract/release/catalog.ts";
import type {
  ManifestPayload,
  SignedManifestEnvelope,
} from "../../../src/contract/release/schemas.ts";
import { readCatalog } from "../../../src/release/catalog/read-catalog.ts";
import { signManifest } from "../../../src/release/publishing/sign-manifest.ts";
import { createReleaseService } from "../../../src/release/service.ts";
import { createCatalogFixture, type CatalogFixture } from "../../fixtures/catalog.ts";
import { runInside } from "../../fixtures/run-inside.ts";

const ACTIVE = "release-2026-01";
const STANDBY = "release-2026-02";

async function prepare(t: TestContext, settings: Partial<CatalogFile> = {}) {
  const fixture = await createCatalogFixture({ releases: 3, settings });
  t.after(() => fixture.remove());
  await writeFile(join(dirname(fixture.folder), "trellis.config.json"), '{ "release": {} }');
  return fixture;
}

interface Printed {
  readonly error?: string;
  readonly signing?: unknown;
  readonly ring?: unknown;
}

async function run({ folder }: CatalogFixture, words: readonly string[]) {
  const { code, stdout } = await runInside(dirname(folder), ["release", ...words, "--json"]);
  return { code, ...(JSON.parse(stdout) as Printed) };
}

async function readCatalogFile({ folder }: CatalogFixture): Promise<CatalogFile> {
  return JSON.parse(await readFile(join(folder, "catalog.json"), "utf8")) as CatalogFile;
}

async function readManifest({ folder }: CatalogFixture) {
  const text = await readFile(join(folder, "manifest.json"), "utf8");
  const { keyId, payload } = JSON.parse(text) as SignedManifestEnvelope;
  const decoded = Buffer.from(payload, "base64url").toString("utf8");
  return { keyId, payload: JSON.parse(decoded) as ManifestPayload };
}

test("the active key is revoked by the standby key, which takes its place", async (t) => {
  const fixture = await prepare(t);
  const before = await readManifest(fixture);
  const { code, signing } = await run(fixture, ["key", "revoke", ACTIVE, "--yes"]);
  assert.equal(code, 0);
  assert.deepEqual(signing, { active: STANDBY, revoked: [ACTIVE], retired: [] });
  assert.deepEqual((await readCatalogFile(fixture)).signing, signing);
  const { keyId, payload } = await readManifest(fixture);
  assert.equal(keyId, STANDBY);
  assert.deepEqual(payload.revokedKeys, [ACTIVE]);
  assert.equal(payload.sequence, before.payload.sequence + 1);
});

test("every later manifest names the revoked key", async (t) => {
  const fixture = await prepare(t);
  await run(fixture, ["key", "revoke", ACTIVE, "--yes"]);
  await run(fixture, ["key", "new", "--id", "release-spare"]);
  assert.equal((await run(fixture, ["sign"])).code, 0);
  assert.deepEqual((await readManifest(fixture)).payload.revokedKeys, [ACTIVE]);
  const rotated = await run(fixture, ["key", "rotate", "--yes"]);
  assert.deepEqual(rotated.signing, {
    active: "release-spare",
    revoked: [ACTIVE],
    retired: [STANDBY],
  });
  assert.deepEqual((await readManifest(fixture)).payload.revokedKeys, [ACTIVE]);
});

test("the standby key is revoked by the active key", async (t) => {
  const fixture = await prepare(t);
  const { signing } = await run(fixture, ["key", "revoke", STANDBY, "--yes"]);
  assert.deepEqual(signing, { active: ACTIVE, revoked: [STANDBY], retired: [] });
  const { keyId, payload } = await readManifest(fixture);
  assert.deepEqual([keyId, payload.revokedKeys], [ACTIVE, [STANDBY]]);
});

test("the ring to ship lacks the revoked key, and nothing gives it a role again", async (t) => {
  const fixture = await prepare(t);
  await run(fixture, ["key", "revoke", ACTIVE, "--yes"]);
  const shown = await run(fixture, ["key", "show"]);
  assert.deepEqual(shown.ring, { [STANDBY]: fixture.keys[STANDBY] });
  const refusals = [
    [["key", "revoke", ACTIVE, "--yes"], /already revoked/],
    [["key", "new", "--id", ACTIVE], /already a key "release-2026-01"/],
    [["key", "revoke", "release-2025-01"], /not in keys.json: `trellis release key show` lists/],
    [["key", "revoke", STANDBY, "--yes"], /no standby key that apps pin/],
  ] as const;
  for (const [words, message] of refusals) {
    const { code, error = "" } = await run(fixture, words);
    assert.equal(code, 1);
    assert.match(error, message);
  }
  await run(fixture, ["key", "new", "--id", "release-spare"]);
  const { error = "" } = await run(fixture, ["key", "rotate", "--standby", ACTIVE, "--yes"]);
  assert.match(error, /is revoked and cannot be the standby key/);
});

test("a manifest of the revoked key is neither served nor verified", async (t) => {
  const fixture = await prepare(t);
  const stolen = await readFile(join(fixture.folder, "manifest.json"));
  await run(fixture, ["key", "revoke", ACTIVE, "--yes"]);
  const result = await readCatalog(fixture.folder, Date.now());
  assert.equal(result.kind === "loaded" && result.manifest?.payload.sequence, 2);
  await writeFile(join(fixture.folder, "manifest.json"), stolen);
  const refused = await readCatalog(fixture.folder, Date.now());
  assert.ok(refused.kind === "invalid");
  assert.match(
    refused.errors[0]?.problem ?? "",
    /signed with the key "release-2026-01", which is revoked/,
  );
  const { error = "" } = await run(fixture, ["verify", join(fixture.folder, "manifest.json")]);
  assert.match(error, /which is revoked/);
});

test("a manifest whose key and the active key revoke each other is told as a conflict", async (t) => {
  const fixture = await prepare(t);
  const { folder, keys, releases, privateKey } = fixture;
  const settings = { ...fixture.settings, signing: { active: ACTIVE, revoked: [STANDBY] } };
  const thief = { keyId: ACTIVE, privateKey };
  const forged = signManifest({ settings, keys, releases }, null, thief, Date.now(), 9);
  const file = join(dirname(folder), "forged.json");
  await writeFile(file, forged.envelope);
  const unknown = await run(fixture, ["verify", file]);
  assert.equal(unknown.code, 1);
  assert.match(
    unknown.error ?? "",
    /revokes the key "release-2026-02", which this catalogue trusts.*"release-2026-01" is stolen/,
  );
  await run(fixture, ["key", "revoke", ACTIVE, "--yes"]);
  const conflict = await run(fixture, ["verify", file]);
  assert.equal(conflict.code, 1);
  assert.match(
    conflict.error ?? "",
    /"release-2026-01", "release-2026-02" revoke each other.*third key that apps pin/,
  );
  await writeFile(join(folder, "manifest.json"), forged.envelope);
  const result = await readCatalog(folder, Date.now());
  assert.ok(result.kind === "invalid");
  assert.match(result.errors[0]?.problem ?? "", /revoke each other/);
});

test("a third key settles a conflict that the thief began in installed copies", async (t) => {
  const fixture = await prepare(t);
  await run(fixture, ["key", "new", "--id", "release-third"]);
  const { folder, releases, privateKey } = fixture;
  const ring = (await run(fixture, ["key", "show"])).ring as Record<string, string>;
  assert.equal(Object.keys(ring).length, 3);
  const settings = { ...fixture.settings, signing: { active: ACTIVE, revoked: [STANDBY] } };
  const thief = { keyId: ACTIVE, privateKey };
  const forged = signManifest({ settings, keys: ring, releases }, null, thief, Date.now(), 900_000);
  let shown = forged.envelope;
  const client = createUpdateClient({
    baseUrl: "https://releases.example.com",
    product: settings.product,
    keys: ring,
    platform: "windows",
    current: { version: "1.0.1", buildNumber: 1 },
    storage: createMemoryStorage(),
    fetch: () => Promise.resolve(new Response(shown)),
  });
  const kindOf = async () => {
    const check = await client.check();
    return check.kind === "cannot-confirm" ? check.error.kind : check.kind;
  };
  assert.equal(await kindOf(), "update-available");
  const served = () => readFile(join(folder, "manifest.json"), "utf8");
  await run(fixture, ["key", "revoke", ACTIVE, "--standby", "release-third", "--yes"]);
  shown = await served();
  assert.equal(await kindOf(), "conflicting-revocations");
  assert.equal((await run(fixture, ["key", "rotate", "--yes"])).code, 0);
  shown = await served();
  assert.equal(await kindOf(), "update-available");
  shown = forged.envelope;
  assert.equal(await kindOf(), "revoked-key");
});

test("a revocation that was signed cannot be taken out of the catalogue", async (t) => {
  const fixture = await prepare(t);
  await run(fixture, ["key", "revoke", ACTIVE, "--yes"]);
  const catalog = await readCatalogFile(fixture);
  const { revoked: _revoked, ...signing } = catalog.signing;
  await writeFile(join(fixture.folder, "catalog.json"), JSON.stringify({ ...catalog, signing }));
  const result = await readCatalog(fixture.folder, Date.now());
  assert.ok(result.kind === "invalid");
  assert.match(result.errors[0]?.problem ?? "", /lacks "release-2026-01", which was revoked/);
});

test("a revoked key that is active or standby again is an error", async (t) => {
  const fixture = await prepare(t);
  await run(fixture, ["key", "revoke", ACTIVE, "--yes"]);
  const catalog = await readCatalogFile(fixture);
  const signing = { ...catalog.signing, standby: ACTIVE };
  await writeFile(join(fixture.folder, "catalog.json"), JSON.stringify({ ...catalog, signing }));
  const result = await readCatalog(fixture.folder, Date.now());
  assert.ok(result.kind === "invalid");
  assert.match(result.errors[0]?.problem ?? "", /"release-2026-01" is revoked/);
});

test("installed copies follow the revocation, whatever the thief told them before", async (t) => {
  const fixture = await prepare(t);
  const { folder, settings, keys, releases, privateKey } = fixture;
  const thief = { keyId: ACTIVE, privateKey };
  const now = Date.now() + 10 * 365 * 86_400_000;
  const forged = signManifest({ settings, keys, releases }, null, thief, now, 1_000_001);
  const service = createReleaseService({
    catalog: folder,
    baseUrl: "https://releases.example.com",
    smartDownloadUrl: "https://get.example.com",
    websiteDownloadUrl: "https://example.com/#download",
  });
  t.after(() => service.close());
  let sender: "service" | "thief" = "service";
  const client = createUpdateClient({
    baseUrl: "https://releases.example.com",
    product: settings.product,
    keys,
    platform: "windows",
    current: { version: "1.0.1", buildNumber: 1 },
    storage: createMemoryStorage(),
    fetch: async (url, init) =>
      sender === "thief" ? new Response(forged.envelope) : service.fetch(new Request(url, init)),
  });
  assert.equal((await client.check()).kind, "update-available");
  sender = "thief";
  assert.equal((await client.check()).kind, "update-available");
  sender = "service";
  const stuck = await client.check();
  assert.equal(stuck.kind === "cannot-confirm" && stuck.error.kind, "rollback");
  await run(fixture, ["key", "revoke", ACTIVE, "--yes"]);
  const deadline = Date.now() + 10_000;
  while ((await client.check()).kind !== "update-available") {
    assert.ok(Date.now() < deadline, "the service did not load the revocation");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  sender = "thief";
  const refused = await client.check();
  assert.equal(refused.kind === "cannot-confirm" && refused.error.kind, "revoked-key");
});

test("a manifest that lives too long is served with a warning, and can be re-signed", async (t) => {
  const fixture = await prepare(t);
  const { folder, keys, releases, privateKey } = fixture;
  const settings = { ...fixture.settings, manifestLifetimeDays: 500 };
  const key = { keyId: ACTIVE, privateKey };
  const { envelope } = signManifest({ settings, keys, releases }, null, key, Date.now());
  await writeFile(join(folder, "manifest.json"), envelope);
  const result = await readCatalog(folder, Date.now());
  assert.match(
    result.kind === "loaded" ? result.warnings.join() : "",
    /longer than 400 days: lower `manifest/,
  );
  assert.match((await run(fixture, ["verify"])).error ?? "", /longer than 400 days/);
  assert.equal((await run(fixture, ["sign"])).code, 0);
  assert.equal((await run(fixture, ["verify"])).code, 0);
});

test("a catalogue cannot ask for a longer life than clients accept", async (t) => {
  const fixture = await prepare(t, { manifestLifetimeDays: 401 });
  const result = await readCatalog(fixture.folder, Date.now());
  assert.ok(result.kind === "invalid");
  assert.equal(result.errors[0]?.path, "manifestLifetimeDays");
});
