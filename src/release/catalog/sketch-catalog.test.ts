import assert from "node:assert/strict";
import { sign } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { setTimeout } from "node:timers/promises";
import {
  createCatalogFixture,
  type CatalogFixtureOptions,
} from "../../../test/fixtures/catalog.ts";
import type { Release } from "../../contract/release/schemas.ts";
import { publishedReleases } from "../../rules/release/catalog.ts";
import { formatError } from "../../rules/release/catalog-fault.ts";
import { readCatalog } from "./read-catalog.ts";
import { createCatalogReader, type ServedCatalog } from "./sketch-catalog.ts";

async function start(t: TestContext, options: Partial<CatalogFixtureOptions> = {}) {
  const fixture = await createCatalogFixture({ releases: 40, drafts: 2, ...options });
  t.after(() => fixture.remove());
  const path = (file: string) => join(fixture.folder, file);
  return {
    fixture,
    read: createCatalogReader(fixture.folder),
    edit: (file: string, change: (text: string) => string) =>
      writeFileSync(path(file), change(readFileSync(path(file), "utf8"))),
    path,
  };
}

function loaded(reading: ServedCatalog) {
  if (reading.kind === "invalid") assert.fail(reading.faults.map(formatError).join("\n"));
  return reading;
}

function faultsOf(reading: ServedCatalog): string {
  return reading.kind === "invalid" ? reading.faults.map(formatError).join("\n") : "";
}

/** What the service reads says the same as what the commands read. */
async function assertWhole(reading: ServedCatalog, folder: string): Promise<void> {
  const { published, manifest, warnings } = loaded(reading);
  const whole = await readCatalog(folder, Date.now());
  assert.ok(whole.kind === "loaded");
  const bodies = published.summaries.map(({ version }) => {
    const { text = "", artifactsAt } = published.find(version) ?? {};
    const { artifacts } = JSON.parse(`{${text.slice((artifactsAt ?? 0) + 1)}`) as Release;
    const release = JSON.parse(text) as Release;
    assert.deepEqual(artifacts, release.artifacts);
    return release;
  });
  assert.deepEqual(bodies, publishedReleases(whole.catalog));
  assert.equal(manifest?.sequence, whole.manifest?.payload.sequence);
  assert.deepEqual(manifest?.envelope, whole.manifest?.envelope);
  assert.deepEqual(warnings, whole.warnings);
  assert.equal(published.find("0.0.0"), undefined);
}

test("bodies cut from the envelope are those of the files, and the envelope stays as it was", async (t) => {
  const { fixture, read } = await start(t);
  const reading = await read(Date.now());
  await assertWhole(reading, fixture.folder);
  // Nothing has changed: what is remembered serves as well.
  await assertWhole(await read(Date.now()), fixture.folder);
  await assertWhole(reading, fixture.folder);
});

test("without a manifest, or with one that says it in another way, the bodies are there all the same", async (t) => {
  const { fixture, read, edit, path } = await start(t);
  const spaced = (text: string) => JSON.stringify(JSON.parse(text), null, 2);
  edit("manifest.json", spaced);
  await assertWhole(await read(Date.now()), fixture.folder);

  const envelope = JSON.parse(readFileSync(path("manifest.json"), "utf8"));
  const payload = Buffer.from(spaced(Buffer.from(envelope.payload, "base64url").toString()));
  const signature = sign(null, payload, fixture.privateKey).toString("base64url");
  const other = { ...envelope, payload: payload.toString("base64url"), signature };
  writeFileSync(path("manifest.json"), JSON.stringify(other));
  await assertWhole(await read(Date.now()), fixture.folder);

  // An escape in the payload's text is JSON like any other.
  const escaped = `\\u00${other.payload.charCodeAt(0).toString(16)}${other.payload.slice(1)}`;
  edit("manifest.json", (text) => text.replace(other.payload, escaped));
  await assertWhole(await read(Date.now()), fixture.folder);

  rmSync(path("manifest.json"));
  await assertWhole(await read(Date.now()), fixture.folder);
});

test("of two payloads in an envelope the last one counts, as for every JSON reader", async (t) => {
  const { read, edit } = await start(t);
  edit("manifest.json", (text) => text.replace(/}$/, ',"payload":"AAAA"}'));
  assert.match(faultsOf(await read(Date.now())), /has a signature that the key .* did not make/);
  edit("manifest.json", (text) => text.replace('"payload":"AAAA"', '"p\\u0061yload":"AAAA"'));
  assert.match(faultsOf(await read(Date.now())), /has a signature that the key .* did not make/);
});

test("other allowed hosts are asked of releases that did not change", async (t) => {
  const { read, edit } = await start(t);
  loaded(await read(Date.now()));
  edit("catalog.json", (text) => text.replace("downloads.example.com", "files.example.com"));
  assert.match(faultsOf(await read(Date.now())), /points to "downloads.example.com"/);
  edit("catalog.json", (text) => text.replace("files.example.com", "downloads.example.com"));
  loaded(await read(Date.now()));
});

test("another key ring is asked of a manifest that did not change, without touching what is served", async (t) => {
  const { fixture, read, edit } = await start(t);
  // A file that was written just now would be read again in any case.
  await setTimeout(100);
  const { manifest } = loaded(await read(Date.now()));
  assert.equal(loaded(await read(Date.now())).manifest?.envelope, manifest?.envelope);
  const before = Buffer.from(manifest?.envelope ?? []);
  const [active = "", standby = ""] = Object.values(fixture.keys);
  edit("keys.json", (text) => text.replace(active, standby));
  const refused = read(Date.now());
  const watch = setInterval(() => assert.deepEqual(manifest?.envelope, before), 0);
  assert.match(faultsOf(await refused), /has a signature that the key .* did not make/);
  clearInterval(watch);
  assert.deepEqual(manifest?.envelope, before);
});

test("a release that was changed after it was signed is refused, and taken again when restored", async (t) => {
  const { fixture, read, edit } = await start(t);
  loaded(await read(Date.now()));
  edit("releases/1.0.1.json", (text) => text.replace("20000001", "20000002"));
  assert.match(faultsOf(await read(Date.now())), /1\.0\.1\.json: artifacts\[0\]\.size differs/);
  edit("releases/1.0.1.json", (text) => text.replace("20000002", "20000001"));
  await assertWhole(await read(Date.now()), fixture.folder);
});
