/** What `trellis doctor` says about an address that serves another state than the catalogue. */
import assert from "node:assert/strict";
import { cp, readFile, rm, writeFile } from "node:fs/promises";
import type { RequestListener } from "node:http";
import { dirname, join } from "node:path";
import { test, type TestContext } from "node:test";
import { createReleaseService } from "../../src/release/service.ts";
import { createCatalogFixture, type CatalogFixtureOptions } from "../fixtures/catalog.ts";
import { serveOnLoopback } from "../fixtures/loopback-server.ts";
import { runInside } from "../fixtures/run-inside.ts";

interface Finding {
  readonly level: "ok" | "warning" | "error";
  readonly subject: string;
  readonly message: string;
  readonly remedy?: string;
}

/** A catalogue, and a copy of it that is deployed. */
async function prepare(t: TestContext, options: Partial<CatalogFixtureOptions> = {}) {
  const fixture = await createCatalogFixture({ releases: 4, betaEvery: 4, ...options });
  t.after(() => fixture.remove());
  const place = dirname(fixture.folder);
  const deployed = join(place, "deployed");
  await cp(fixture.folder, deployed, { recursive: true });
  const configuration = join(place, "trellis.config.json");
  await writeFile(configuration, '{ "release": {} }');
  return {
    place,
    deployed,
    fixture,
    async release(...words: string[]) {
      const { code, stderr } = await runInside(place, ["release", ...words]);
      assert.equal(code, 0, stderr);
    },
    async signDeployed() {
      await writeFile(configuration, '{ "release": { "catalog": "./deployed" } }');
      const { code, stderr } = await runInside(place, ["release", "sign"]);
      assert.equal(code, 0, stderr);
      await writeFile(configuration, '{ "release": {} }');
    },
    /** The findings about what the address serves. */
    async diagnose(address: string) {
      const words = ["doctor", "--json", "--compare-with", address];
      const { stdout } = await runInside(place, words);
      const { findings } = JSON.parse(stdout) as { findings: Finding[] };
      return findings.filter(({ subject }) => subject.startsWith("served "));
    },
  };
}

async function serveCatalog(t: TestContext, catalog: string, over: Record<string, string> = {}) {
  const service = createReleaseService({
    catalog,
    baseUrl: "https://releases.example.com",
    smartDownloadUrl: "https://get.example.com",
    websiteDownloadUrl: "https://example.com/#download",
  });
  t.after(() => service.close());
  const respond: RequestListener = async ({ url = "" }, response) => {
    const replaced = over[url];
    if (replaced !== undefined) return void response.end(replaced);
    const found = await service.fetch(new Request(`https://releases.example.com${url}`));
    response.writeHead(found.status).end(Buffer.from(await found.arrayBuffer()));
  };
  return serveOnLoopback(t, (request, response) => void respond(request, response));
}

function expectOne(findings: Finding[], level: Finding["level"], message: RegExp, remedy: RegExp) {
  assert.equal(findings.length, 1, JSON.stringify(findings));
  assert.equal(findings[0]?.level, level);
  assert.match(findings[0]?.message ?? "", message);
  assert.match(findings[0]?.remedy ?? "", remedy);
}

test("an address that serves this catalogue is fine, in both channels", async (t) => {
  const { deployed, diagnose } = await prepare(t);
  const findings = await diagnose(await serveCatalog(t, deployed));
  assert.deepEqual(
    findings.map(({ level }) => level),
    ["ok", "ok", "ok", "ok"],
  );
  assert.match(findings[0]?.message ?? "", /serves this catalogue's manifest, sequence \d+$/);
});

test("an older manifest with the same releases is a warning", async (t) => {
  const { deployed, release, diagnose } = await prepare(t);
  await release("sign");
  const findings = await diagnose(await serveCatalog(t, deployed));
  expectOne(findings, "warning", /sequence \d+, older than \d+ of this catalogue$/, /deploy/);
});

test("a release that was published here and not deployed is an error that names it", async (t) => {
  const { place, deployed, fixture, release, diagnose } = await prepare(t);
  await writeFile(join(place, "app.exe"), "an app");
  await release("new", "9.0.0", "--build", "900");
  const path = join(fixture.folder, "releases/9.0.0.json");
  const draft = JSON.parse(await readFile(path, "utf8")) as object;
  const artifacts = fixture.releases.find(({ status }) => status === "published")?.artifacts;
  await writeFile(path, JSON.stringify({ ...draft, artifacts }));
  await release("publish", "9.0.0");
  const findings = await diagnose(await serveCatalog(t, deployed));
  expectOne(findings, "error", /apps do not see 9\.0\.0$/, /clear the cache/);
});

test("a catalogue that is behind what is served is told before it publishes", async (t) => {
  const { deployed, signDeployed, diagnose } = await prepare(t);
  await signDeployed();
  const findings = await diagnose(await serveCatalog(t, deployed));
  expectOne(findings, "error", /newer than \d+ of this catalogue/, /from version control before/);
});

test("two manifests of one sequence are an error", async (t) => {
  const { deployed, release, signDeployed, diagnose } = await prepare(t);
  await release("sign");
  // Signed a moment later, so it has another time in it.
  await signDeployed();
  const findings = await diagnose(await serveCatalog(t, deployed));
  expectOne(findings, "error", /another manifest with the same sequence/, /release sign/);
});

test("a manifest of another product is told as such", async (t) => {
  const { place, deployed, fixture, diagnose } = await prepare(t);
  const path = join(fixture.folder, "catalog.json");
  await writeFile(path, JSON.stringify({ ...fixture.settings, product: "planner" }));
  await rm(join(fixture.folder, "manifest.json"));
  const signed = await runInside(place, ["release", "sign", "--sequence", "7"]);
  assert.equal(signed.code, 0, signed.stderr);
  const findings = await diagnose(await serveCatalog(t, deployed));
  expectOne(
    findings,
    "error",
    /belongs to the product "habits", not "planner"$/,
    /check the address/,
  );
});

test("another key and a false signature are told apart", async (t) => {
  const { diagnose, fixture } = await prepare(t);
  const { signing } = fixture.settings;
  for (const [settings, message, remedy] of [
    [
      { signing: { active: "stranger-2026-01" } },
      /"stranger-2026-01", which is not in the key ring$/,
      /rotated/,
    ],
    [{ signing }, /has a signature that the key "[\w-]+" did not make$/, /who changed/],
  ] as const) {
    const other = await createCatalogFixture({ releases: 1, settings });
    t.after(() => other.remove());
    const findings = await diagnose(await serveCatalog(t, other.folder));
    expectOne(findings, "error", message, remedy);
  }
});

test("an address with no manifest, with something else or without a server is told", async (t) => {
  const { diagnose } = await prepare(t);
  const empty = await serveOnLoopback(
    t,
    (_request, response) => void response.writeHead(404).end(),
  );
  expectOne(await diagnose(empty), "error", /status 404, so apps find no updates$/, /deploy/);
  const page = await serveOnLoopback(t, (_request, response) => void response.end("<html>"));
  expectOne(await diagnose(page), "error", /is not a signed manifest \(not JSON\)$/, /proxy/);
  expectOne(await diagnose("http://127.0.0.1:1"), "warning", /cannot be reached/, /check DNS/);
});

test("an old release in a cache beside the new manifest is an error", async (t) => {
  const { deployed, diagnose } = await prepare(t);
  const address = await serveCatalog(t, deployed, {
    "/api/v1/releases/latest?channel=stable": '{ "version": "0.9.0", "channel": "stable" }',
    "/api/v1/releases/latest?channel=beta": '{ "version": "0.9.0", "channel": "stable" }',
  });
  const findings = await diagnose(address);
  assert.deepEqual(
    findings.map(({ level }) => level),
    ["ok", "error", "warning", "ok"],
  );
  assert.match(findings[1]?.message ?? "", /responds with "0\.9\.0", and the latest of this/);
  assert.match(findings[2]?.message ?? "", /responds with a release of the channel "stable"$/);
});

test("feeds in a cache beside the new manifest are told by name, unless they are off", async (t) => {
  const { place, deployed, diagnose } = await prepare(t, { forUpdaters: true });
  const address = await serveCatalog(t, deployed, {
    "/feeds/electron/latest.yml": 'version: "0.9.0"',
    "/feeds/sparkle/beta/appcast.xml": "<rss/>",
  });
  const stale = async () =>
    (await diagnose(address)).filter(({ subject }) => subject === "served feeds");
  const [finding] = await stale();
  assert.equal(finding?.level, "error");
  assert.match(
    finding.message,
    /: \/feeds\/electron\/latest\.yml, \/feeds\/sparkle\/beta\/appcast\.xml$/,
  );
  assert.match(finding.remedy ?? "", /clear the cache/);
  const feeds = { electron: false, sparkle: false };
  await writeFile(join(place, "trellis.config.json"), JSON.stringify({ release: { feeds } }));
  const [rest] = await stale();
  assert.deepEqual([rest?.level, rest?.message.split(": ")[1]], ["ok", "tauri, squirrel"]);
});

test("without the option, release.baseUrl is compared when it responds", async (t) => {
  const { place, deployed, release } = await prepare(t);
  const baseUrl = await serveCatalog(t, deployed);
  await release("sign");
  const configuration = { release: { baseUrl, smartDownload: { url: baseUrl } } };
  await writeFile(join(place, "trellis.config.json"), JSON.stringify(configuration));
  const { stdout } = await runInside(place, ["doctor", "--json"]);
  assert.match(stdout, /"subject": "served manifest"/);
  const closed = { release: { baseUrl: "http://127.0.0.1:1" } };
  await writeFile(join(place, "trellis.config.json"), JSON.stringify(closed));
  const silent = await runInside(place, ["doctor", "--json"]);
  assert.doesNotMatch(silent.stdout, /served manifest/);
});

test("a wrong address is wrong use", async (t) => {
  const { place } = await prepare(t);
  const { code, stderr } = await runInside(place, ["doctor", "--compare-with", "releases"]);
  assert.equal(code, 2);
  assert.match(stderr, /--compare-with must be an address/);
});
