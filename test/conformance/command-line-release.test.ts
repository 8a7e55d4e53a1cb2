import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { type ConformanceReport } from "../../conformance/index.ts";
import { RELEASE_CASES } from "../../conformance/release/check-release.ts";
import { createConformanceCatalog, type ConformanceCatalog } from "./release-catalog.ts";
import { runConformance } from "./run-conformance.ts";
import { startReleaseProcess, type ReleaseProcess } from "./service-process.ts";

const PUBLIC = {
  baseUrl: "https://releases.example.org",
  smartDownloadUrl: "https://download.example.org",
  websiteDownloadUrl: "https://www.example.org/#download",
};

let catalog: ConformanceCatalog;
let server: ReleaseProcess;
let fixturesFile: string;

before(async () => {
  catalog = await createConformanceCatalog();
  server = await startReleaseProcess({ ...PUBLIC, catalog: catalog.fixture.folder });
  fixturesFile = join(catalog.fixture.folder, "..", "fixtures.json");
  await writeFile(fixturesFile, JSON.stringify(catalog.known.fixtures));
});

after(async () => {
  assert.equal(await server.stop(), 0);
  await catalog.fixture.remove();
});

const run = (...words: string[]) => runConformance(["release", ...words]);

test("a compatible server: a line for each case, and exit code 0", async () => {
  const options = {
    "smart-download": server.smartDownloadUrl,
    "public-url": PUBLIC.baseUrl,
    "public-smart-download": PUBLIC.smartDownloadUrl,
    website: PUBLIC.websiteDownloadUrl,
    keys: join(catalog.fixture.folder, "keys.json"),
    product: "habits",
    fixtures: fixturesFile,
  };
  const words = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
  const { code, stdout } = await run(server.url, ...words);
  assert.equal(code, 0, stdout);
  assert.match(stdout, /^pass {2}manifest-signature-holds$/m);
  assert.match(stdout, /, 0 failed, 2 skipped: compatible as far as it was tested/);
});

test("a server that breaks a requirement: the place, the section, and exit code 1", async () => {
  const words = [server.url, "--smart-download", server.smartDownloadUrl];
  const { code, stdout, stderr } = await run(
    ...words,
    "--only",
    "legacy-entry-redirects-permanently",
  );
  assert.equal(code, 1);
  assert.match(stdout, /FAIL {2}legacy-entry-redirects-permanently\n[^]*asked {5}GET \/download\n/);
  assert.match(stdout, /see {7}release contract, GET \/download/);
  assert.match(stderr, /^1 of 1 tested requirements are broken$/m);
});

test("--json prints the report for programs, also when something is broken", async () => {
  const passed = await run(server.url, "--json", "--only", "health-says-ok");
  assert.equal(passed.code, 0);
  assert.equal((JSON.parse(passed.stdout) as ConformanceReport).passed, 1);

  const wrongProduct = ["--product", "other", "--only", "manifest-lists-exactly-what-is-published"];
  const failed = await run(server.url, "--json", ...wrongProduct);
  assert.equal(failed.code, 1);
  const { results } = JSON.parse(failed.stdout) as ConformanceReport;
  assert.deepEqual(results[0]?.outcome, {
    kind: "failed",
    violations: [
      { asked: "GET /api/v1/manifest", expected: 'product "other"', received: '"habits"' },
    ],
  });
});

test("--list names every case without a server", async () => {
  const { code, stdout } = await run("--list");
  assert.equal(code, 0);
  for (const { id } of RELEASE_CASES) assert.ok(stdout.includes(`${id}\n`), id);
});

test("an unreachable address is one error with exit code 1", async () => {
  const { code, stderr } = await run("http://127.0.0.1:9");
  assert.equal(code, 1);
  assert.match(stderr, /^No server responds at http:\/\/127\.0\.0\.1:9: check the address/);
});

test("wrong arguments are usage errors with exit code 2", async () => {
  for (const [words, message] of [
    [[], /Missing argument URL/],
    [["releases.example.org"], /URL must be an absolute http or https address/],
    [[server.url, "--only", "no-such-case"], /Unknown case "no-such-case"/],
  ] as const) {
    const { code, stderr } = await run(...words);
    assert.equal(code, 2);
    assert.match(stderr, message);
  }
});

test("a malformed fixtures file is an error that names every wrong member", async () => {
  await writeFile(`${fixturesFile}.wrong`, '{"stable": {"version": "v1"}, "draft": []}');
  const { code, stderr } = await run(server.url, "--fixtures", `${fixturesFile}.wrong`);
  assert.equal(code, 1);
  assert.match(stderr, /draft is not known here; known are stable, beta, drafts, withdrawn/);
});
