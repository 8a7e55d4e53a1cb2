/** The command line, killed for real while it publishes. */
import assert from "node:assert/strict";
import { existsSync, watch, writeFileSync } from "node:fs";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { verifyManifest } from "../../../src/client/index.ts";
import { readCatalog } from "../../../src/release/catalog/read-catalog.ts";
import { createCatalogFixture } from "../../fixtures/catalog.ts";
import { runInside } from "../../fixtures/run-inside.ts";
import { runTrellis, startTrellis } from "../../fixtures/run-trellis.ts";

const ROUNDS = 6;
/** Recording and writing a change of this size takes about as long. */
const WINDOW_MS = 25;

test("publish killed at random moments leaves the old catalogue or the new one", async (t) => {
  const fixture = await createCatalogFixture({ releases: 300, drafts: 1, betaEvery: 0 });
  const home = await mkdtemp(join(tmpdir(), "trellis-killed-"));
  t.after(() => Promise.all([fixture.remove(), rm(home, { recursive: true, force: true })]));
  const version = fixture.releases[0]?.version ?? "";
  const seen = { old: 0, recorded: 0, written: 0 };

  for (let round = 1; round <= ROUNDS; round++) {
    const place = join(home, String(round));
    const catalog = join(place, "catalog");
    await cp(fixture.folder, catalog, { recursive: true });
    await cp(fixture.keysDir, join(place, "data", "keys"), { recursive: true });
    // Most of the run is starting up; the kill is aimed at the moments when files change.
    const { child, ending } = startTrellis(place, ["release", "publish", version]);
    const watcher = watch(catalog, (_event, name) => {
      if (name?.startsWith("..transaction") !== true) return;
      watcher.close();
      setTimeout(() => child.kill("SIGKILL"), Math.random() * WINDOW_MS);
    });
    await ending;
    watcher.close();

    const result = await readCatalog(catalog, Date.now());
    assert.equal(result.kind, "loaded", JSON.stringify(result).slice(0, 500));
    if (result.kind !== "loaded" || result.manifest === null) continue;
    assert.deepEqual(result.warnings, []);
    const { envelope, payload } = result.manifest;
    const isNew = payload.releases.some((release) => release.version === version);
    assert.equal(payload.sequence, isNew ? 2 : 1);
    assert.equal(result.catalog.releases[0]?.status, isNew ? "published" : "draft");
    const verified = await verifyManifest(Buffer.from(envelope).toString("utf8"), {
      keys: fixture.keys,
      product: "habits",
      highestSequence: 0,
      now: Date.now(),
    });
    assert.equal(verified.kind, "verified");
    const isRecorded = existsSync(join(catalog, ".transaction.json"));
    seen[isNew ? (isRecorded ? "recorded" : "written") : "old"]++;
    if (round === ROUNDS) await checkRecovery(place, version);
    await rm(place, { recursive: true });
  }
  t.diagnostic(JSON.stringify(seen));
  assert.equal(seen.old + seen.recorded + seen.written, ROUNDS);
});

/** After a kill the commands go on as if nothing had happened. */
async function checkRecovery(place: string, version: string): Promise<void> {
  const again = await runTrellis(place, ["release", "publish", version]);
  assert.ok(again.code === 0 || again.stderr.includes("already published"), again.stderr);
  const verified = await runTrellis(place, ["release", "verify", "--json"]);
  assert.equal(verified.code, 0, verified.stdout);
  assert.equal(JSON.parse(verified.stdout).sequence, 2);
  assert.equal(existsSync(join(place, "catalog", ".transaction.json")), false);
}

test("a recorded change that was never written is seen by every command", async (t) => {
  const fixture = await createCatalogFixture({ releases: 2 });
  t.after(() => fixture.remove());
  const place = join(fixture.folder, "..");
  const manifest = await readCatalog(fixture.folder, Date.now());
  assert.equal(manifest.kind, "loaded");
  const settings = { ...fixture.settings, manifestLifetimeDays: 60 };
  writeFileSync(
    join(fixture.folder, ".transaction.json"),
    JSON.stringify({
      schemaVersion: 1,
      files: [{ file: "catalog.json", content: JSON.stringify(settings) }],
    }),
  );
  const status = await runTrellis(place, ["release", "status"]);
  assert.equal(status.code, 0, status.stderr);
  const signed = await runTrellis(place, ["release", "sign", "--json"]);
  const { issuedAt, expiresAt } = JSON.parse(signed.stdout).manifest;
  assert.equal(Date.parse(expiresAt) - Date.parse(issuedAt), 60 * 86_400_000);
  assert.equal(existsSync(join(fixture.folder, ".transaction.json")), false);
});

test("a publication that is refused finishes the one that was interrupted", async (t) => {
  const fixture = await createCatalogFixture({ releases: 2 });
  t.after(() => fixture.remove());
  const place = join(fixture.folder, "..");
  writeFileSync(join(place, "trellis.config.json"), '{ "release": {} }');
  const journal = join(fixture.folder, ".transaction.json");
  const settings = { ...fixture.settings, manifestLifetimeDays: 60 };
  const files = [{ file: "catalog.json", content: JSON.stringify(settings) }];
  writeFileSync(journal, JSON.stringify({ schemaVersion: 1, files }));
  const dry = await runInside(place, ["release", "publish", "1.0.2", "--dry-run"]);
  assert.match(dry.stderr, /1\.0\.2 is already published/);
  assert.equal(existsSync(journal), true);
  const again = await runInside(place, ["release", "publish", "1.0.2"]);
  assert.match(again.stderr, /1\.0\.2 is already published/);
  assert.equal(existsSync(journal), false);
});
