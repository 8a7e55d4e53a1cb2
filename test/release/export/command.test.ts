/** `trellis release export` as a person calls it. */
import assert from "node:assert/strict";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { rootCommand } from "../../../src/cli/commands/root.ts";
import { runCommandLine } from "../../../src/cli/run.ts";
import { createCatalogFixture, type CatalogFixture } from "../../fixtures/catalog.ts";

let fixture: CatalogFixture;
let home: string;

before(async () => {
  fixture = await createCatalogFixture({ releases: 3 });
  home = await mkdtemp(join(tmpdir(), "trellis-export-"));
  const release = {
    catalog: fixture.folder,
    baseUrl: "https://releases.example.com",
    smartDownload: { url: "https://get.example.com" },
    websiteDownloadUrl: "https://www.example.com/#download",
  };
  writeFileSync(join(home, "config.json"), JSON.stringify({ release }));
});
after(async () => {
  await fixture.remove();
  await rm(home, { recursive: true, force: true });
});

async function run(...words: string[]) {
  const output = { stdout: "", stderr: "" };
  const stream = (name: keyof typeof output) =>
    ({
      isTTY: false,
      write: (text: string) => ((output[name] += text), true),
    }) as NodeJS.WriteStream;
  const code = await runCommandLine(
    rootCommand,
    ["release", "export", ...words, "--config", join(home, "config.json")],
    {
      stdin: process.stdin,
      stdout: stream("stdout"),
      stderr: stream("stderr"),
      env: {},
    },
  );
  return { code, ...output };
}

test("prints what it wrote and what to do next", async () => {
  const { code, stdout } = await run(join(home, "plain"));
  assert.equal(code, 0);
  assert.match(stdout, /^Wrote .*plain\/current: 3 releases, \d+ files, /);
  assert.match(stdout, /clients decide on updates from the manifest/);
  assert.doesNotMatch(stdout, /website|nginx/);
  assert.ok(!existsSync(join(home, "plain/current/nginx")));
  assert.match((await run(join(home, "plain"))).stdout, /^Nothing has changed/);
});

test("with a running service there are rules for nginx", async () => {
  const { code, stdout } = await run(join(home, "rules"), "--upstream", "http://127.0.0.1:4801");
  assert.equal(code, 0);
  assert.match(stdout, /include .*rules\/current\/nginx\/api\.conf .*nginx -s reload/);
  const rules = readFileSync(join(home, "rules/current/nginx/api.conf"), "utf8");
  assert.match(rules, /proxy_pass http:\/\/127\.0\.0\.1:4801;/);
});

test("prints the result as JSON with --json", async () => {
  const { stdout } = await run(join(home, "json"), "--json");
  const { kind, releases, hasManifest } = JSON.parse(stdout);
  assert.deepEqual(
    { kind, releases, hasManifest },
    { kind: "written", releases: 3, hasManifest: true },
  );
});

test("writes the download page with its own rules", async () => {
  const directory = join(home, "site");
  assert.equal((await run(directory, "--site", "My Habits")).code, 0);
  const tree = join(directory, "current");
  assert.match(readFileSync(join(tree, "site/index.html"), "utf8"), /My Habits/);
  assert.match(readFileSync(join(tree, "nginx/site.conf"), "utf8"), /Content-Security-Policy/);
  assert.match(readFileSync(join(tree, "site/_headers"), "utf8"), /Content-Security-Policy: /);
  assert.ok(!existsSync(join(home, "plain/current/site")));
});

test("a catalogue with a site.json has its page exported, and --site gives it another name", async () => {
  const directory = join(home, "theme");
  const theme = join(fixture.folder, "site.json");
  writeFileSync(theme, JSON.stringify({ schemaVersion: 1, name: "Steady" }));
  const titleOf = () => {
    const page = readFileSync(join(directory, "current/site/index.html"), "utf8");
    return /<title>(.*?)<\/title>/.exec(page)?.[1];
  };
  const first = await run(directory);
  assert.equal(first.code, 0);
  assert.match(first.stdout, /website +include .*theme\/current\/nginx\/site\.conf/);
  assert.match(titleOf() ?? "", /^Download Steady /);
  assert.equal((await run(directory, "--site", "My Habits")).code, 0);
  assert.match(titleOf() ?? "", /^Download My Habits /);
  writeFileSync(theme, JSON.stringify({ schemaVersion: 1, name: "Steady", accent: "red" }));
  const { code, stderr } = await run(directory);
  assert.equal(code, 1);
  assert.match(stderr, /site\.json: accent must be a colour of six hexadecimal digits/);
  rmSync(theme);
});

test("invalid options are named", async () => {
  for (const [words, message] of [
    [["--upstream", "localhost"], /--upstream must be an address/],
    [["--upstream", "http://127.0.0.1:4801/api"], /--upstream must be an address/],
    [["--deployed-at", "srv"], /--deployed-at must be a path from the root/],
  ] as const) {
    const { code, stderr } = await run(join(home, "wrong"), ...words);
    assert.equal(code, 2);
    assert.match(stderr, message);
  }
  assert.ok(!existsSync(join(home, "wrong")));
});

test("a folder with files of another program is refused", async () => {
  const { code, stderr } = await run(home);
  assert.equal(code, 1);
  assert.match(stderr, /contains files that are not from an export/);
});
