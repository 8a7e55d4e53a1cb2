/** A hand edit of what a release publishes for other updaters is noticed wherever it could be used. */
import assert from "node:assert/strict";
import { sign } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test, type TestContext } from "node:test";
import { createMemoryStorage, createUpdateClient } from "../../src/client/index.ts";
import type { SourceArtifact } from "../../src/contract/release/catalog.ts";
import type { ManifestPayload } from "../../src/contract/release/schemas.ts";
import { readCatalog } from "../../src/release/catalog/read-catalog.ts";
import { createReleaseService } from "../../src/release/service.ts";
import { createCatalogFixture, type CatalogFixture } from "../fixtures/catalog.ts";
import { serveOnLoopback } from "../fixtures/loopback-server.ts";
import { runInside } from "../fixtures/run-inside.ts";

const ADDRESSES = {
  baseUrl: "https://releases.example.com",
  smartDownloadUrl: "https://get.example.com",
  websiteDownloadUrl: "https://example.com/#download",
};

async function createFixture(t: TestContext): Promise<CatalogFixture> {
  const fixture = await createCatalogFixture({ releases: 2, betaEvery: 0, forUpdaters: true });
  t.after(() => fixture.remove());
  writeFileSync(join(dirname(fixture.folder), "trellis.config.json"), '{ "release": {} }');
  return fixture;
}

function edit({ folder }: CatalogFixture, file: string, change: (text: string) => string): void {
  const path = join(folder, file);
  const before = readFileSync(path, "utf8");
  const after = change(before);
  assert.notEqual(after, before, `the edit changes ${file}`);
  writeFileSync(path, after);
}

/** Signs again without `files`, as versions before did. */
function signAsBefore(fixture: CatalogFixture): void {
  edit(fixture, "manifest.json", (text) => {
    const envelope = JSON.parse(text) as Record<string, string>;
    const payload = JSON.parse(
      Buffer.from(envelope["payload"] ?? "", "base64url").toString(),
    ) as ManifestPayload;
    const { files: _files, ...before } = payload;
    const bytes = Buffer.from(JSON.stringify(before));
    const signature = sign(null, bytes, fixture.privateKey).toString("base64url");
    return JSON.stringify({ ...envelope, payload: bytes.toString("base64url"), signature });
  });
}

/** Changes the first artifact with signatures in the text of a release file. */
const editArtifact = (change: (artifact: SourceArtifact) => void) => (text: string) => {
  const release = JSON.parse(text) as { artifacts: SourceArtifact[] };
  const artifact = release.artifacts.find(({ signatures }) => signatures?.sparkle !== undefined);
  assert.ok(artifact);
  change(artifact);
  return JSON.stringify(release);
};
const OTHER = `${"A".repeat(86)}==`;

/** Each changes what no member of the contract's release shows. */
const EDITS = {
  "a SHA-512": editArtifact((artifact) => {
    artifact.sha512 = OTHER;
  }),
  "a signature for Sparkle": editArtifact((artifact) => {
    artifact.signatures = { ...artifact.signatures, sparkle: OTHER };
  }),
  "a signature that is removed": editArtifact((artifact) => {
    delete artifact.signatures;
  }),
  "the oldest system": editArtifact((artifact) => {
    artifact.minimumOs = "99.0";
  }),
  "the app's own version": (text: string) =>
    JSON.stringify({ ...(JSON.parse(text) as object), appVersion: "1.0.2-beta.3" }),
} as const;

for (const [name, change] of Object.entries(EDITS)) {
  test(`the server and \`release verify\` refuse a published release with an edit of ${name}`, async (t) => {
    const fixture = await createFixture(t);
    edit(fixture, "releases/1.0.2.json", change);
    const read = await readCatalog(fixture.folder, Date.now());
    assert.equal(read.kind, "invalid");
    assert.deepEqual(
      read.errors.map(({ file, path }) => `${file} ${path}`),
      ["releases/1.0.2.json artifacts"],
    );
    const { code, stderr } = await runInside(dirname(fixture.folder), ["release", "verify"]);
    assert.equal(code, 1);
    assert.match(stderr, /manifest is genuine, but the catalogue .* is not what was signed/);
    assert.match(
      stderr,
      /releases\/1\.0\.2\.json: artifacts have a SHA-512, an updater's signature/,
    );
  });
}

test("a release file with its members in another order is what was signed", async (t) => {
  const fixture = await createFixture(t);
  edit(fixture, "releases/1.0.2.json", (text) => {
    const { artifacts, ...release } = JSON.parse(text) as { artifacts: object[] };
    const reversed = artifacts.map((one) => Object.fromEntries(Object.entries(one).toReversed()));
    return JSON.stringify({ artifacts: reversed, ...release });
  });
  assert.equal((await readCatalog(fixture.folder, Date.now())).kind, "loaded");
});

test("a catalogue that was signed before files were is valid, and its client says so", async (t) => {
  const fixture = await createFixture(t);
  signAsBefore(fixture);
  edit(fixture, "releases/1.0.2.json", EDITS["a SHA-512"]);
  assert.equal((await readCatalog(fixture.folder, Date.now())).kind, "loaded");
  const { code, stderr } = await runInside(dirname(fixture.folder), ["release", "verify"]);
  assert.equal(code, 0, stderr);
  const { files } = await checkFiles(t, fixture);
  assert.deepEqual(files, { kind: "not-signed" });
});

async function checkFiles(
  t: TestContext,
  fixture: CatalogFixture,
  tamper = (text: string) => text,
) {
  const service = createReleaseService({ ...ADDRESSES, catalog: fixture.folder });
  t.after(() => service.close());
  const client = createUpdateClient({
    baseUrl: ADDRESSES.baseUrl,
    product: fixture.settings.product,
    keys: fixture.keys,
    platform: "windows",
    current: { version: "1.0.1", buildNumber: 1 },
    storage: createMemoryStorage(),
    fetch: async (url, init) => {
      const response = await service.fetch(new Request(url, init));
      if (!url.includes("/feeds/")) return response;
      return new Response(tamper(await response.text()), response);
    },
  });
  const update = await client.check();
  assert.equal(update.kind, "update-available");
  return { update, files: await client.files(update) };
}

test("the client has the files of an update as they were signed", async (t) => {
  const fixture = await createFixture(t);
  const { files, update } = await checkFiles(t, fixture);
  const source = fixture.releases.find(({ version }) => version === update.release.version);
  assert.deepEqual(files, { kind: "files", files: source?.artifacts });
});

test("the client uses no list of files that was altered, and says where it is", async (t) => {
  const fixture = await createFixture(t);
  const { files } = await checkFiles(t, fixture, (text) => text.replace(/("sha512":")../, "$1zz"));
  assert.ok(files.kind === "altered-files");
  assert.equal(files.version, "1.0.2");
  assert.equal(files.url, "https://releases.example.com/feeds/files/1.0.2");
  assert.notEqual(files.found, files.expected);
});

test("`release verify URL` compares the files that a service has with the signed ones", async (t) => {
  const fixture = await createFixture(t);
  const service = createReleaseService({ ...ADDRESSES, catalog: fixture.folder });
  t.after(() => service.close());
  let isAltered = false;
  const url = await serveOnLoopback(t, (request, response) => {
    const sent = service.fetch(new Request(`${ADDRESSES.baseUrl}${request.url}`));
    void sent
      .then((got) => got.text())
      .then((text) => response.end(isAltered ? text.replace(/("sha512":")../, "$1zz") : text));
  });
  const verify = () => runInside(dirname(fixture.folder), ["release", "verify", url]);
  const first = await verify();
  assert.equal(first.code, 0, first.stderr);
  isAltered = true;
  const { code, stderr } = await verify();
  assert.equal(code, 1);
  assert.match(stderr, /\/feeds\/files\/1\.0\.2 has other SHA-512 digests, signatures or names/);
});
