import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { sign } from "node:crypto";
import {
  chmodSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { after, beforeEach, describe, test } from "node:test";
import { createCatalogFixture, type CatalogFixture } from "../../../test/fixtures/catalog.ts";
import { formatFileError } from "../../rules/release/catalog-file-error.ts";
import { readCatalog } from "./read-catalog.ts";

const NOW = Date.UTC(2026, 5, 1);
const DAY = 86_400_000;
const made: CatalogFixture[] = [];
let fixture: CatalogFixture;

beforeEach(async () => {
  fixture = await createCatalogFixture({ releases: 3, drafts: 1, betaEvery: 0, now: NOW });
  made.push(fixture);
});
after(() => Promise.all(made.map((item) => item.remove())));

function edit(file: string, change: (text: string) => string | Buffer): void {
  const path = join(fixture.folder, file);
  writeFileSync(path, change(readFileSync(path, "utf8")));
}

async function load(now = NOW) {
  const result = await readCatalog(fixture.folder, now);
  if (result.kind === "invalid") assert.fail(result.errors.map(formatFileError).join("\n"));
  return result;
}

async function errors(): Promise<string[]> {
  const result = await readCatalog(fixture.folder, NOW);
  return result.kind === "invalid" ? result.errors.map(formatFileError) : [];
}

async function onlyError(pattern: RegExp): Promise<void> {
  const found = await errors();
  assert.equal(found.length, 1, found.join("\n"));
  assert.match(found[0] ?? "", pattern);
}

test("a signed catalogue loads with the manifest's exact bytes and without a warning", async () => {
  const { catalog, manifest, warnings } = await load();
  assert.deepEqual(warnings, []);
  assert.deepEqual(
    catalog.releases.map(({ version }) => version),
    ["1.0.4", "1.0.3", "1.0.2", "1.0.1"],
  );
  assert.ok(manifest);
  assert.deepEqual(
    Buffer.from(manifest.envelope),
    readFileSync(join(fixture.folder, "manifest.json")),
  );
  assert.equal(manifest.payload.releases.length, 3);
  assert.equal(manifest.keyId, "release-2026-01");
});

test("a release file with another member order than the manifest is no difference", async () => {
  edit("releases/1.0.2.json", (text) =>
    JSON.stringify({
      ...JSON.parse(text),
      notes: Object.fromEntries(Object.entries(JSON.parse(text).notes).toReversed()),
    }),
  );
  const { manifest, warnings } = await load();
  assert.deepEqual(warnings, []);
  assert.equal(manifest?.payload.sequence, 1);
});

test("an envelope or a payload in another spelling of JSON is the same manifest", async () => {
  const path = join(fixture.folder, "manifest.json");
  const indent = (text: string) => JSON.stringify(JSON.parse(text), null, 2);
  const { catalog } = await load();
  edit("manifest.json", indent);
  assert.deepEqual(await load(), { ...(await load()), catalog, warnings: [] });

  const envelope = JSON.parse(readFileSync(path, "utf8"));
  const payload = Buffer.from(indent(Buffer.from(envelope.payload, "base64url").toString()));
  const signature = sign(null, payload, fixture.privateKey).toString("base64url");
  const other = { ...envelope, payload: payload.toString("base64url"), signature };
  writeFileSync(path, JSON.stringify(other));
  assert.equal((await load()).manifest?.payload.releases.length, 3);

  const escaped = `\\u00${other.payload.charCodeAt(0).toString(16)}${other.payload.slice(1)}`;
  edit("manifest.json", (text) => text.replace(other.payload, escaped));
  assert.equal((await load()).manifest?.payload.releases.length, 3);
});

test("a signed payload that is not the catalogue's is compared with it", async () => {
  const original = JSON.parse(readFileSync(join(fixture.folder, "manifest.json"), "utf8"));
  const payload = Buffer.from(original.payload, "base64url").toString();
  const { releases, ...head } = JSON.parse(payload);
  const expectations = {
    "no sequence": [payload.replace('"sequence":1', '"sequence":0'), /is not a manifest/],
    "no head": [',"releases":[', /is not a manifest/],
    nothing: ["", /is not a signed manifest/],
    "another order": [JSON.stringify({ releases, ...head }), /^$/],
    "one release less": [JSON.stringify({ ...head, releases: releases.slice(1) }), /^$/],
  } as const;
  for (const [name, [text, expected]] of Object.entries(expectations)) {
    const bytes = Buffer.from(text);
    const signature = sign(null, bytes, fixture.privateKey).toString("base64url");
    edit("manifest.json", () =>
      JSON.stringify({ ...original, payload: bytes.toString("base64url"), signature }),
    );
    assert.match((await errors()).join("\n"), expected, name);
  }
});

test("artifact hosts that a journal changes apply to the releases in the folder", async () => {
  const settings = { ...fixture.settings, artifactHosts: ["files.example.com"] };
  const files = [{ file: "catalog.json", content: JSON.stringify(settings) }];
  const journal = join(fixture.folder, ".transaction.json");
  writeFileSync(journal, JSON.stringify({ schemaVersion: 1, files }));
  assert.match((await errors()).join("\n"), /points to "downloads.example.com"/);
});

describe("each problem of a file is one error that names the file", () => {
  test("no folder", async () => {
    rmSync(fixture.folder, { recursive: true });
    await onlyError(/catalog is not a folder.*trellis release init/);
  });

  test("a missing file", async () => {
    rmSync(join(fixture.folder, "catalog.json"));
    await onlyError(/^catalog\.json is missing; restore it/);
  });

  test("bad JSON, with line and column", async () => {
    edit("releases/1.0.4.json", () => '{\n  "version": "1.0.4",\n  oops\n}\n');
    await onlyError(/^releases\/1\.0\.4\.json is not valid JSON from line 3, column 3 on/);
    edit("releases/1.0.4.json", () => '{\n  "version": "1.0.4",');
    await onlyError(/^releases\/1\.0\.4\.json is not valid JSON from line 2, column 22 on/);
    edit("releases/1.0.4.json", () => "");
    await onlyError(/^releases\/1\.0\.4\.json is not valid JSON from line 1, column 1 on/);
  });

  test("text that is not UTF-8", async () => {
    edit("releases/1.0.4.json", () => Buffer.from('{"version":"\xff"}', "latin1"));
    await onlyError(/^releases\/1\.0\.4\.json is not UTF-8/);
  });

  test("a folder or a pipe where a file belongs", async () => {
    const path = join(fixture.folder, "releases/1.0.4.json");
    rmSync(path);
    mkdirSync(path);
    await onlyError(/^releases\/1\.0\.4\.json is not a regular file/);
    rmSync(path, { recursive: true });
    execFileSync("mkfifo", [path]);
    await onlyError(/^releases\/1\.0\.4\.json is not a regular file/);
  });

  test("a file where the releases belong", async () => {
    rmSync(join(fixture.folder, "releases"), { recursive: true });
    rmSync(join(fixture.folder, "manifest.json"));
    writeFileSync(join(fixture.folder, "releases"), "");
    await onlyError(/^releases is not a folder/);
  });

  test("a file far too large to be a release", async () => {
    truncateSync(join(fixture.folder, "releases/1.0.4.json"), 5_000_000);
    await onlyError(/^releases\/1\.0\.4\.json has 5000000 bytes/);
  });

  test("a file that may not be read", { skip: process.getuid?.() === 0 }, async () => {
    chmodSync(join(fixture.folder, "keys.json"), 0);
    await onlyError(/^keys\.json cannot be read: permission denied/);
  });

  test("several errors, all of them", async () => {
    edit("keys.json", () => "[");
    edit("releases/1.0.4.json", (text) => text.replace('"stable"', '"nightly"'));
    edit("releases/1.0.3.json", () => "no");
    const found = (await errors()).map((error) => error.split(" ")[0]);
    assert.deepEqual(found.toSorted(), [
      "keys.json",
      "releases/1.0.3.json",
      "releases/1.0.4.json:",
    ]);
  });
});

test("byte order marks, other files, temporary files and an absent releases folder are fine", async () => {
  edit("catalog.json", (text) => `\uFEFF${text}`);
  edit("releases/1.0.4.json", (text) => `\uFEFF${text}`);
  for (const name of ["README.md", ".2.0.0.json.tmp", ".hidden.json", "1.0.4.json.orig"]) {
    writeFileSync(join(fixture.folder, "releases", name), "{");
  }
  assert.equal((await load()).catalog.releases.length, 4);
  rmSync(join(fixture.folder, "releases"), { recursive: true });
  rmSync(join(fixture.folder, "manifest.json"));
  assert.deepEqual((await load()).catalog.releases, []);
});

describe("a manifest that cannot be trusted is an error", () => {
  test("of two payloads in an envelope the last one counts, as for every JSON reader", async () => {
    edit("manifest.json", (text) => text.replace(/}$/, ',"payload":"AAAA"}'));
    await onlyError(/has a signature that the key .* did not make/);
    edit("manifest.json", (text) => text.replace('"payload":"AAAA"', '"p\\u0061yload":"AAAA"'));
    await onlyError(/has a signature that the key .* did not make/);
  });

  test("changed, malformed, with a byte order mark", async () => {
    const path = join(fixture.folder, "manifest.json");
    const envelope = JSON.parse(readFileSync(path, "utf8"));
    const other = envelope.signature.startsWith("A") ? "B" : "A";
    const signature = other + envelope.signature.slice(1);
    writeFileSync(path, JSON.stringify({ ...envelope, signature }));
    await onlyError(/^manifest\.json has a signature that the key "release-2026-01" did not make/);
    writeFileSync(path, `\uFEFF${JSON.stringify(envelope)}`);
    await onlyError(/^manifest\.json is not a signed manifest \(not JSON\)/);
    writeFileSync(path, "");
    await onlyError(/^manifest\.json is not a signed manifest/);
  });

  test("of a key that is not in the ring, of another product", async () => {
    edit("keys.json", (text) => text.replace("release-2026-01", "release-2025-01"));
    edit("catalog.json", (text) => text.replace("release-2026-01", "release-2025-01"));
    await onlyError(/signed with the key "release-2026-01", which is not in the key ring/);
    edit("keys.json", (text) => text.replace("release-2025-01", "release-2026-01"));
    edit("catalog.json", (text) =>
      text.replace("release-2025-01", "release-2026-01").replace("habits", "tasks"),
    );
    await onlyError(/belongs to the product "habits", not "tasks"/);
  });

  test("history that was rewritten", async () => {
    edit("releases/1.0.1.json", (text) => text.replace('"size": 20000001', '"size": 20000002'));
    await onlyError(
      /^releases\/1\.0\.1\.json: artifacts\[0\]\.size differs from what was published/,
    );
  });
});

describe("what only needs attention is a warning", () => {
  test("an expired manifest, and one that expires soon", async () => {
    assert.deepEqual((await load(NOW + 23 * DAY)).warnings, []);
    const soon = (await load(NOW + 23 * DAY + 1)).warnings;
    assert.match(soon.join(), /expires at .*, in 6 days: run `trellis release sign`/);
    assert.match((await load(NOW + 30 * DAY - 1)).warnings.join(), /in less than an hour/);
    const expired = await load(NOW + 30 * DAY);
    assert.match(expired.warnings.join(), /expired at 2026-07-01T00:00:00.000Z, so clients/);
    assert.equal(expired.manifest?.payload.sequence, 1);
  });

  test("a short-lived manifest is not under warning for its whole life", async () => {
    fixture = await createCatalogFixture({
      releases: 1,
      now: NOW,
      settings: { manifestLifetimeDays: 4 },
    });
    made.push(fixture);
    assert.deepEqual((await load(NOW + 3 * DAY)).warnings, []);
    assert.equal((await load(NOW + 3 * DAY + 1)).warnings.length, 1);
  });

  test("no manifest although something is published, but not before", async () => {
    rmSync(join(fixture.folder, "manifest.json"));
    const { manifest, warnings } = await load();
    assert.equal(manifest, null);
    assert.match(warnings.join(), /^manifest\.json is missing, although releases are published/);
    assert.match(warnings.join(), /restore it from version control.*sign --sequence N/);
    for (const number of [1, 2, 3]) rmSync(join(fixture.folder, `releases/1.0.${number}.json`));
    assert.deepEqual((await load()).warnings, []);
  });

  test("a release that was published without being signed", async () => {
    edit("releases/1.0.4.json", (text) =>
      text
        .replace('"draft"', '"published"')
        .replace('"publishedAt": null', '"publishedAt": "2026-06-01T00:00:00Z"'),
    );
    const { warnings } = await load();
    assert.equal(warnings.length, 1);
    assert.match(warnings.join(), /^releases\/1\.0\.4\.json says "published", but manifest\.json/);
    assert.match(
      warnings.join(),
      /set it back to "draft" and run `trellis release publish 1\.0\.4`/,
    );
  });
});

test("a catalogue whose folder was moved away and back is read as it is then", async () => {
  const aside = `${fixture.folder}-aside`;
  renameSync(fixture.folder, aside);
  assert.equal((await errors()).length, 1);
  renameSync(aside, fixture.folder);
  assert.equal((await load()).catalog.releases.length, 4);
});
