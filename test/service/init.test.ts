import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { runInside } from "../fixtures/run-inside.ts";

async function init(t: TestContext, words: string) {
  const folder = await mkdtemp(join(tmpdir(), "trellis-init-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const { code, stdout, stderr } = await runInside(folder, ["init", ...words.split(" ")]);
  const text = await readFile(join(folder, "trellis.config.json"), "utf8");
  return { folder, code, stdout, stderr, written: JSON.parse(text) as Record<string, unknown> };
}

test("only the wanted services are configured", async (t) => {
  const { code, written, stdout } = await init(t, "--product habits");
  assert.equal(code, 0);
  assert.deepEqual(Object.keys(written), ["$schema", "release"]);
  assert.doesNotMatch(stdout, /account create/);
});

test("the written configuration is usable and has only the given values", async (t) => {
  const { folder, code, written, stdout } = await init(
    t,
    "--product habits --sync-base-url https://sync.example.com --events-base-url https://planner.example.com --events-name Class-7b --time-zone Europe/Berlin",
  );
  assert.equal(code, 0, stdout);
  assert.deepEqual(written["sync"], { baseUrl: "https://sync.example.com" });
  assert.deepEqual(written["events"], {
    baseUrl: "https://planner.example.com",
    serviceName: "Class-7b",
    timeZone: "Europe/Berlin",
  });
  assert.match(stdout, /`trellis events account create --username NAME`/);
  const made = await runInside(
    folder,
    ["events", "account", "create", "--username", "ada", "--password-stdin"],
    { input: "correct horse battery" },
  );
  assert.equal(made.code, 0, made.stderr);
  assert.match(made.stdout, /Created the account "ada" in the time zone Europe\/Berlin/);
});

test("invalid values are rejected before anything is written", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "trellis-init-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const words = ["--product", "habits", "--events-base-url", "http://planner.example.com"];
  const { code, stderr } = await runInside(folder, ["init", ...words, "--time-zone", "Mars"]);
  assert.equal(code, 1);
  assert.match(stderr, /of these answers:\n(.*\n)*\s+events\.baseUrl /);
  assert.match(stderr, /events\.timeZone /);
  assert.deepEqual(await readdir(folder), []);
});

test("a host with a scheme is refused before anything is written", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "trellis-init-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const words = ["init", "--product", "habits", "--host", "https://downloads.example.com"];
  const { code, stderr } = await runInside(folder, words);
  assert.equal(code, 2);
  assert.match(stderr, /--host must be a host such as downloads\.example\.com, without https:/);
  assert.deepEqual(await readdir(folder), []);
});

test("a passphrase that breaks the rule of passwords leaves nothing behind", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "trellis-init-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const words = ["init", "--product", "habits", "--passphrase-stdin"];
  const short = await runInside(folder, words, { input: "elevenchars\n" });
  assert.equal(short.code, 1);
  assert.match(short.stderr, /passphrase is too short: it needs at least 12 characters/);
  assert.deepEqual(await readdir(folder), []);
  const { code } = await runInside(folder, words, { input: "twelve chars\n" });
  assert.equal(code, 0);
  const [key = ""] = (await readdir(join(folder, "data/keys"))).toSorted();
  assert.match(await readFile(join(folder, "data/keys", key), "utf8"), /SEALED SIGNING KEY/);
});

test("private files are kept out of version control", async (t) => {
  const { folder } = await init(t, "--product habits");
  assert.equal(await readFile(join(folder, "data/.gitignore"), "utf8"), "*\n");
});

interface Finding {
  readonly level: string;
  readonly subject: string;
  readonly message: string;
  readonly remedy?: string;
}

async function diagnose(folder: string, env: Record<string, string> = {}): Promise<Finding[]> {
  const { stdout } = await runInside(folder, ["doctor", "--json"], { env });
  const { findings } = JSON.parse(stdout) as { findings: Finding[] };
  return findings.filter(({ subject }) => subject.startsWith("release."));
}

test("a public API gets a public smart-download origin, and what is missing is told", async (t) => {
  const { folder, code, written, stdout } = await init(
    t,
    "--product habits --base-url https://releases.example.invalid",
  );
  assert.equal(code, 0);
  assert.deepEqual(written["release"], {
    baseUrl: "https://releases.example.invalid",
    smartDownload: { url: "https://get.releases.example.invalid" },
  });
  assert.match(
    stdout,
    /smart-download origin is https:\/\/get\.releases\.example\.invalid: let the proxy forward it to 127\.0\.0\.1:4802/,
  );
  assert.match(stdout, /Next: set release\.websiteDownloadUrl to a public address/);
  const found = await diagnose(folder);
  assert.equal(
    found.find(({ subject }) => subject === "release.websiteDownloadUrl")?.level,
    "warning",
  );
  assert.ok(found.every(({ level }) => level !== "fault"));
});

test("given addresses are written as they are, and a local API keeps a local origin", async (t) => {
  const given = await init(
    t,
    "--product habits --base-url https://releases.example.com --smart-download-url https://get.example.com --website-download-url https://www.example.com/#download",
  );
  assert.deepEqual(given.written["release"], {
    baseUrl: "https://releases.example.com",
    smartDownload: { url: "https://get.example.com" },
    websiteDownloadUrl: "https://www.example.com/#download",
  });
  assert.doesNotMatch(given.stdout, /public address|smart-download origin/);
  const local = await init(t, "--product habits --base-url http://localhost:4801");
  assert.deepEqual(local.written["release"], { baseUrl: "http://localhost:4801" });
  assert.doesNotMatch(local.stdout, /public address|smart-download origin/);
});

test("doctor names a local smart-download origin of a public API, and not its network", async (t) => {
  const { folder } = await init(t, "--product habits --base-url https://releases.example.invalid");
  const [found, ...more] = (
    await diagnose(folder, { TRELLIS_RELEASE_SMART_DOWNLOAD_URL: "http://localhost:4802" })
  ).filter(({ subject }) => subject === "release.smartDownload.url");
  assert.deepEqual(more, []);
  assert.equal(found?.level, "fault");
  assert.match(
    found?.message ?? "",
    /is an address of this machine, although release\.baseUrl is public/,
  );
  assert.match(
    found?.remedy ?? "",
    /such as https:\/\/get\.releases\.example\.invalid.*127\.0\.0\.1:4802/,
  );
});

test("doctor names a local API of a public smart-download origin", async (t) => {
  const { folder } = await init(
    t,
    "--product habits --smart-download-url https://get.example.invalid",
  );
  const found = (await diagnose(folder)).filter(({ subject }) => subject === "release.baseUrl");
  assert.deepEqual(
    found.map(({ level }) => level),
    ["fault"],
  );
  assert.match(found[0]?.message ?? "", /although release\.smartDownload\.url is public/);
});
