import assert from "node:assert/strict";
import { sign } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import {
  addUpdaterMembers,
  createCatalogFixture,
  createRelease,
  type CatalogFixtureOptions,
} from "../../../test/fixtures/catalog.ts";
import type { PublishedSource, SourceArtifact } from "../../contract/release/catalog.ts";
import type { Release } from "../../contract/release/schemas.ts";
import { publishedReleases } from "../../rules/release/catalog.ts";
import { formatFileError } from "../../rules/release/catalog-file-error.ts";
import { signManifest } from "../publishing/sign-manifest.ts";
import { readCatalog } from "./read-catalog.ts";
import { indexCatalog, readCatalogIndex, type CatalogIndexResult } from "./read-index.ts";

async function start(t: TestContext, options: Partial<CatalogFixtureOptions> = {}) {
  const fixture = await createCatalogFixture({ releases: 40, drafts: 2, ...options });
  t.after(() => fixture.remove());
  const path = (file: string) => join(fixture.folder, file);
  return {
    fixture,
    read: () => readCatalogIndex(fixture.folder, Date.now()),
    edit: (file: string, change: (text: string) => string) =>
      writeFileSync(path(file), change(readFileSync(path(file), "utf8"))),
    path,
  };
}

function errorsOf(result: CatalogIndexResult): string {
  return result.kind === "invalid" ? result.errors.map(formatFileError).join("\n") : "";
}

/** The index has what `readCatalog` reads from the same folder. */
async function assertSame(result: CatalogIndexResult, folder: string): Promise<void> {
  if (result.kind === "invalid") assert.fail(errorsOf(result));
  const { releases, manifest, warnings, feeds } = result;
  const whole = await readCatalog(folder, Date.now());
  assert.ok(whole.kind === "loaded");
  const texts = releases.map((release) => JSON.parse(release.text()) as Release);
  assert.deepEqual(texts, publishedReleases(whole.catalog));
  for (const [index, { version, buildNumber, channel, publishedAt }] of releases.entries()) {
    const { [index]: whole } = texts;
    assert.deepEqual({ ...whole, version, buildNumber, channel, publishedAt }, whole);
  }
  assert.equal(manifest?.sequence, whole.manifest?.payload.sequence);
  assert.deepEqual(manifest?.envelope, whole.manifest?.envelope);
  assert.deepEqual(warnings, whole.warnings);
  assert.deepEqual(feeds, indexCatalog(whole.catalog).feeds);
}

test("releases decoded from the envelope are those of the files", async (t) => {
  const { fixture, read, path } = await start(t);
  const result = await read();
  await assertSame(result, fixture.folder);
  assert.ok(result.kind === "loaded");
  assert.deepEqual(result.manifest?.envelope, readFileSync(path("manifest.json")));
  result.manifest.envelope.fill("A");
  assert.match(result.releases[0]?.text() ?? "", /^\0+$/, "no release is held beside the envelope");
});

test("the feeds have the newest file of each system, however old, as in the whole catalogue", async (t) => {
  const { fixture, read, path } = await start(t, { releases: 60, drafts: 0, betaEvery: 0 });
  const releases = fixture.releases.map((release) => {
    const whole = addUpdaterMembers(release as PublishedSource);
    // Only the oldest have a file for macOS, and only one a signed file for arm64.
    const isKept = ({ platform, architecture }: SourceArtifact) =>
      platform === "windows"
        ? architecture === "x64" || whole.buildNumber === 9
        : platform === "linux" || (platform === "macos" && whole.buildNumber < 20);
    return { ...whole, artifacts: whole.artifacts.filter(isKept) };
  });
  for (const release of releases) {
    writeFileSync(path(`releases/${release.version}.json`), JSON.stringify(release));
  }
  const key = { keyId: fixture.settings.signing.active, privateKey: fixture.privateKey };
  const { settings, keys } = fixture;
  const { envelope } = signManifest({ settings, keys, releases }, null, key, Date.now());
  writeFileSync(path("manifest.json"), envelope);
  const result = await read();
  await assertSame(result, fixture.folder);
  assert.ok(result.kind === "loaded");
  const builds = result.feeds.releases.map(({ buildNumber }) => buildNumber);
  assert.deepEqual(builds, [60, 59, 58, 57, 56, 55, 54, 53, 52, 51, 19, 9]);
  result.manifest?.envelope.fill("A");
  assert.match(result.releases[0]?.text() ?? "", /^\0+$/, "no release is held beside the envelope");
});

test("a malformed signature of a release that a feed has is refused", async (t) => {
  const { read, edit } = await start(t, { releases: 12, betaEvery: 0, forUpdaters: true });
  edit("releases/1.1.2.json", (text) => text.replace(/"minisign": "[^"]+"/, '"minisign": "RWQ"'));
  assert.match(errorsOf(await read()), /1\.1\.2\.json: .*signatures\.minisign is no signature/);
});

test("text outside Latin-1 is decoded from the envelope as it is in the files", async (t) => {
  const { fixture, read, edit, path } = await start(t, { releases: 1, drafts: 0 });
  edit("releases/1.0.1.json", (text) => text.replace("Smaller fixes", "Größe – 日本 🎉"));
  const envelope = JSON.parse(readFileSync(path("manifest.json"), "utf8"));
  const payload = Buffer.from(
    Buffer.from(envelope.payload, "base64url")
      .toString()
      .replace("Smaller fixes", "Größe – 日本 🎉"),
  );
  const signature = sign(null, payload, fixture.privateKey).toString("base64url");
  const signed = { ...envelope, payload: payload.toString("base64url"), signature };
  writeFileSync(path("manifest.json"), JSON.stringify(signed));
  await assertSame(await read(), fixture.folder);
});

test("withdrawn releases are left out", async (t) => {
  const { fixture, read, edit } = await start(t);
  edit("releases/1.0.2.json", (text) =>
    JSON.stringify({
      ...JSON.parse(text),
      status: "withdrawn",
      withdrawal: { at: "2026-01-01T00:00:00Z", reason: "Loses data" },
    }),
  );
  const result = await read();
  await assertSame(result, fixture.folder);
  assert.ok(result.kind === "loaded");
  assert.equal(result.releases.length, 39);
  assert.match(result.warnings.join(), /does not have the latest state of 1\.0\.2/);
});

test("without a manifest, or with one in another spelling of JSON, the releases are the same", async (t) => {
  const { fixture, read, edit, path } = await start(t);
  const indent = (text: string) => JSON.stringify(JSON.parse(text), null, 2);
  edit("manifest.json", indent);
  await assertSame(await read(), fixture.folder);

  const envelope = JSON.parse(readFileSync(path("manifest.json"), "utf8"));
  const payload = Buffer.from(indent(Buffer.from(envelope.payload, "base64url").toString()));
  const signature = sign(null, payload, fixture.privateKey).toString("base64url");
  const other = { ...envelope, payload: payload.toString("base64url"), signature };
  writeFileSync(path("manifest.json"), JSON.stringify(other));
  await assertSame(await read(), fixture.folder);

  const escaped = `\\u00${other.payload.charCodeAt(0).toString(16)}${other.payload.slice(1)}`;
  edit("manifest.json", (text) => text.replace(other.payload, escaped));
  await assertSame(await read(), fixture.folder);

  rmSync(path("manifest.json"));
  await assertSame(await read(), fixture.folder);
});

test("of two payloads in an envelope the last one counts, as for every JSON reader", async (t) => {
  const { read, edit } = await start(t);
  edit("manifest.json", (text) => text.replace(/}$/, ',"payload":"AAAA"}'));
  assert.match(errorsOf(await read()), /has a signature that the key .* did not make/);
  edit("manifest.json", (text) => text.replace('"payload":"AAAA"', '"p\\u0061yload":"AAAA"'));
  assert.match(errorsOf(await read()), /has a signature that the key .* did not make/);
});

test("text that is not canonical Base64URL is refused, wherever it is", async (t) => {
  const { read, path } = await start(t, { releases: 80 });
  const text = readFileSync(path("manifest.json"), "utf8");
  const first = text.indexOf('"payload":"') + '"payload":"'.length;
  const end = text.indexOf('"', first);
  assert.ok(end - first > 1 << 17, "more than two pieces");
  for (const at of [first, first + (1 << 16), end - 1]) {
    for (const letter of ["=", "+", "/", " ", "\u00ff"]) {
      writeFileSync(path("manifest.json"), text.slice(0, at) + letter + text.slice(at + 1));
      assert.match(errorsOf(await read()), /is no signed manifest/, `"${letter}" at ${at}`);
    }
  }
});

test("a payload whose last letter has stray bits or that lacks a letter is refused", async (t) => {
  const { fixture, read, edit } = await start(t, { releases: 1, drafts: 0 });
  for (const payload of ["AB", "AAAAA"]) {
    edit("manifest.json", (text) => JSON.stringify({ ...JSON.parse(text), payload }));
    assert.match(errorsOf(await read()), /is no signed manifest/);
  }
  const bytes = Buffer.from("{}");
  const signature = sign(null, bytes, fixture.privateKey).toString("base64url");
  edit("manifest.json", (text) =>
    JSON.stringify({ ...JSON.parse(text), payload: bytes.toString("base64url"), signature }),
  );
  assert.match(errorsOf(await read()), /holds a payload that is no manifest/);
});

test("a signed payload that is not the catalogue's is parsed and compared", async (t) => {
  const { fixture, read, edit } = await start(t, { releases: 2, drafts: 0, betaEvery: 0 });
  const original = JSON.parse(readFileSync(join(fixture.folder, "manifest.json"), "utf8"));
  const payload = Buffer.from(original.payload, "base64url").toString();
  const expectations = {
    product: [payload.replace('"habits"', '"others"'), /belongs to the product "others"/],
    "no sequence": [payload.replace('"sequence":1', '"sequence":0'), /is no manifest/],
    "no head": [',"releases":[', /is no manifest/],
    nothing: ["", /is no signed manifest/],
    "a repeated member": [payload.replace('"sequence":1', '"sequence":2,"sequence":1'), /^$/],
    "another order": [
      JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(payload)).toReversed())),
      /^$/,
    ],
    "more after the end": [`${payload.slice(0, -1)},"releases":[]}`, /^$/],
    "one release less": [
      JSON.stringify({ ...JSON.parse(payload), releases: JSON.parse(payload).releases.slice(1) }),
      /^$/,
    ],
  } as const;
  for (const [name, [text, expected]] of Object.entries(expectations)) {
    const bytes = Buffer.from(text);
    const signature = sign(null, bytes, fixture.privateKey).toString("base64url");
    edit("manifest.json", () =>
      JSON.stringify({ ...original, payload: bytes.toString("base64url"), signature }),
    );
    const result = await read();
    assert.match(errorsOf(result), expected, name);
    if (result.kind === "loaded") await assertSame(result, fixture.folder);
  }
});

test("changed artifact hosts and a changed key ring apply to an otherwise unchanged catalogue", async (t) => {
  const { fixture, read, edit } = await start(t);
  await assertSame(await read(), fixture.folder);
  edit("catalog.json", (text) => text.replace("downloads.example.com", "files.example.com"));
  assert.match(errorsOf(await read()), /points to "downloads.example.com"/);
  edit("catalog.json", (text) => text.replace("files.example.com", "downloads.example.com"));
  await assertSame(await read(), fixture.folder);
  const [active = "", standby = ""] = Object.values(fixture.keys);
  edit("keys.json", (text) => text.replace(active, standby));
  assert.match(errorsOf(await read()), /has a signature that the key .* did not make/);
});

test("artifact hosts that a journal changes apply to the releases in the folder", async (t) => {
  const { fixture, read, path } = await start(t);
  const settings = { ...fixture.settings, artifactHosts: ["files.example.com"] };
  const files = [{ file: "catalog.json", content: JSON.stringify(settings) }];
  writeFileSync(path(".transaction.json"), JSON.stringify({ schemaVersion: 1, files }));
  assert.match(errorsOf(await read()), /points to "downloads.example.com"/);
});

test("a release that was changed after it was signed is refused, and accepted when restored", async (t) => {
  const { fixture, read, edit } = await start(t);
  edit("releases/1.0.1.json", (text) => text.replace("20000001", "20000002"));
  assert.match(errorsOf(await read()), /1\.0\.1\.json: artifacts\[0\]\.size differs/);
  edit("releases/1.0.1.json", (text) => text.replace("20000002", "20000001"));
  await assertSame(await read(), fixture.folder);
});

test("a catalogue with rollouts is read from its envelope, however many releases are staged", async (t) => {
  const staged = Array.from({ length: 60 }, (_, index) => createRelease(100 - index, 0, 0).version);
  const rollouts = staged.map((version) => ({ version, percent: 25 }));
  const { fixture, read } = await start(t, { releases: 100, betaEvery: 0, settings: { rollouts } });
  const result = await read();
  await assertSame(result, fixture.folder);
  assert.ok(result.kind === "loaded");
  result.manifest?.envelope.fill("A");
  assert.match(result.releases[0]?.text() ?? "", /^\0+$/, "no release is held beside the envelope");
});

test("a rollout that is not the signed one is found: unsigned, or an error when it fell", async (t) => {
  const rollouts = [{ version: "1.4.0", percent: 25 }];
  const { fixture, read, edit } = await start(t, { betaEvery: 0, settings: { rollouts } });
  await assertSame(await read(), fixture.folder);
  edit("catalog.json", (text) => text.replace('"percent": 25', '"percent": 50'));
  const raised = await read();
  await assertSame(raised, fixture.folder);
  assert.match(
    raised.kind === "loaded" ? raised.warnings.join() : "",
    /does not have the latest state of the rollout of 1\.4\.0/,
  );
  edit("catalog.json", (text) => text.replace('"percent": 50', '"percent": 10'));
  assert.match(errorsOf(await read()), /rollouts says 10 percent for 1\.4\.0, although 25 percent/);
  edit("catalog.json", (text) => text.replace('"1.4.0"', '"9.9.9"'));
  assert.match(errorsOf(await read()), /rollouts\[0\]\.version "9\.9\.9" is no release/);
});
