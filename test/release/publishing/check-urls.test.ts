/** `publish --check-urls` asks the addresses of a draft before anything is published. */
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { test, type TestContext } from "node:test";
import type { Terminal } from "../../../src/cli/command.ts";
import { rootCommand } from "../../../src/cli/commands/root.ts";
import { runCommandLine } from "../../../src/cli/run.ts";
import { createCatalogFixture } from "../../fixtures/catalog.ts";
import { runInside } from "../../fixtures/run-inside.ts";
import { runTrellis } from "../../fixtures/run-trellis.ts";
import { HTTPS_AUTHORITY, serveHttps } from "../../fixtures/serve-https.ts";

/** A draft with a file and a picture, whose addresses are on a server of the test. */
async function prepare(t: TestContext, files: Readonly<Record<string, string>>) {
  const origin = await serveHttps(t, ({ url = "" }, response) => {
    const content = files[url];
    response.writeHead(content === undefined ? 404 : 200, {
      "Content-Length": content?.length ?? 0,
    });
    response.end();
  });
  const fixture = await createCatalogFixture({
    releases: 1,
    settings: { targets: [], artifactHosts: [] },
  });
  t.after(() => fixture.remove());
  const place = dirname(fixture.folder);
  await writeFile(join(place, "trellis.config.json"), '{ "release": {} }');
  const authority = join(place, "authority.pem");
  await writeFile(authority, HTTPS_AUTHORITY);
  const { presentation: _presentation, ...published } = fixture.releases[0] ?? {};
  const draft = {
    ...published,
    version: "9.0.0",
    buildNumber: 900,
    status: "draft",
    publishedAt: null,
    media: [
      {
        id: "week",
        fileName: "week.png",
        mimeType: "image/png",
        url: `${origin}/week.png`,
        sha256: "0".repeat(64),
        size: 4,
      },
    ],
    artifacts: [
      {
        platform: "windows",
        architecture: "x64",
        fileName: "habits.exe",
        signed: true,
        url: `${origin}/habits.exe`,
        sha256: "0".repeat(64),
        size: 7,
      },
    ],
  };
  const path = join(fixture.folder, "releases/9.0.0.json");
  await writeFile(path, JSON.stringify(draft));
  const readStatus = async () =>
    (JSON.parse(await readFile(path, "utf8")) as { status: string }).status;
  const publish = (...options: string[]) =>
    runTrellis(place, ["release", "publish", "9.0.0", "--allow-lost-coverage", ...options], {
      env: { NODE_EXTRA_CA_CERTS: authority },
    });
  return { origin, place, publish, readStatus };
}

test("every address that is wrong is listed at once, and nothing is published", async (t) => {
  const { origin, publish, readStatus } = await prepare(t, { "/week.png": "wrong size" });
  const { code, stderr } = await publish("--check-urls");
  assert.equal(code, 1);
  assert.match(
    stderr,
    /^Release 9\.0\.0 was not published: 2 of 2 addresses do not serve what the catalogue says\n/,
  );
  assert.ok(stderr.includes(`  ${origin}/habits.exe has no file (status 404); upload the file`));
  assert.ok(stderr.includes(`  ${origin}/week.png has a different file: 10 bytes`), stderr);
  assert.match(stderr, /--no-check-urls\n$/);
  assert.equal(await readStatus(), "draft");
});

test("a release whose files are all there is published", async (t) => {
  const files = { "/week.png": "four", "/habits.exe": "7 bytes" };
  const { publish, readStatus } = await prepare(t, files);
  const { code, stdout, stderr } = await publish("--check-urls");
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^Checked 2 addresses: every file is there and has its size\n/);
  assert.match(stdout, /^Published 9/m);
  assert.equal(await readStatus(), "published");
});

test("without a terminal the addresses are asked only with --check-urls", async (t) => {
  const { place, readStatus } = await prepare(t, {});
  const both = ["--check-urls", "--no-check-urls"];
  const refused = await runInside(place, ["release", "publish", "9.0.0", ...both]);
  assert.equal(refused.code, 2);
  assert.match(refused.stderr, /--check-urls or --no-check-urls, not both/);
  const { code, stderr } = await runInside(place, [
    "release",
    "publish",
    "9.0.0",
    "--allow-lost-coverage",
  ]);
  assert.equal(code, 0, stderr);
  assert.equal(await readStatus(), "published");
});

test("on a terminal the addresses are asked by default, and not with --no-check-urls", async (t) => {
  const { place, readStatus } = await prepare(t, {});
  const publish = (...options: string[]) => {
    let stderr = "";
    const words = ["release", "publish", "9.0.0", "--allow-lost-coverage", ...options];
    const config = ["--config", join(place, "trellis.config.json")];
    const terminal = {
      stdin: { isTTY: true },
      stdout: { isTTY: true, write: () => true },
      stderr: { isTTY: false, write: (text: string) => void (stderr += text) },
      env: {},
    } as unknown as Terminal;
    return runCommandLine(rootCommand, [...words, ...config], terminal).then((code) => ({
      code,
      stderr,
    }));
  };
  const asked = await publish();
  assert.equal(asked.code, 1);
  // This process does not know the authority of the test.
  assert.match(asked.stderr, /2 of 2 addresses [^]*has a certificate that is not trusted/);
  assert.equal(await readStatus(), "draft");
  assert.equal((await publish("--no-check-urls")).code, 0);
  assert.equal(await readStatus(), "published");
});
