import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { CANCEL, CLEAR, DOWN, ENTER, runAtTerminal } from "../fixtures/run-at-terminal.ts";
import { createAgeKeys } from "../fixtures/age-keys.ts";
import { runInside } from "../fixtures/run-inside.ts";

const CALLBACK = "http://localhost:43823/callback";

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
    `--product habits --sync-base-url https://sync.example.com --sync-redirect-uri ${CALLBACK} --events-base-url https://planner.example.com --events-name Class-7b --time-zone Europe/Berlin --events-client-id app --events-redirect-uri ${CALLBACK} --events-redirect-uri app://callback`,
  );
  assert.equal(code, 0, stdout);
  assert.deepEqual(written["sync"], {
    baseUrl: "https://sync.example.com",
    redirectUris: [CALLBACK],
  });
  assert.deepEqual(written["events"], {
    baseUrl: "https://planner.example.com",
    serviceName: "Class-7b",
    timeZone: "Europe/Berlin",
    clients: [{ id: "app", name: "app", redirectUris: [CALLBACK, "app://callback"] }],
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
  const words = `init --product habits --events-base-url http://planner.example.com --time-zone Mars --events-client-id app --events-redirect-uri ${CALLBACK}`;
  const { code, stderr } = await runInside(folder, words.split(" "));
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
  assert.match(short.stderr, /passphrase is too short: use at least 12 characters/);
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

test("one service alone is set up, without a catalogue or keys", async (t) => {
  const { folder, code, written, stdout } = await init(
    t,
    "--service sync --sync-base-url https://sync.example.com --sync-name Ada --sync-redirect-uri habits://callback --sync-redirect-uri com.example.app://callback --sync-profile open --sync-cors-origin https://app.example.com",
  );
  assert.equal(code, 0);
  assert.deepEqual(written["sync"], {
    baseUrl: "https://sync.example.com",
    displayName: "Ada",
    redirectUris: ["habits://callback", "com.example.app://callback"],
    allowedSchemes: ["habits"],
    profile: "open",
    corsOrigins: ["https://app.example.com"],
  });
  assert.deepEqual(Object.keys(written), ["$schema", "trustedProxies", "sync"]);
  assert.deepEqual((await readdir(folder)).toSorted(), ["data", "trellis.config.json"]);
  assert.equal(await readFile(join(folder, "data/.gitignore"), "utf8"), "*\n");
  assert.match(stdout, /Allowed the scheme "habits": it has no dot, so another app could claim it/);
  assert.match(stdout, /Next: create the account with `trellis sync account create/);
  assert.doesNotMatch(stdout, /key|catalogue/);
});

test("a public key turns encrypted backups on, and a wrong one leaves nothing behind", async (t) => {
  const { recipient } = await createAgeKeys();
  const words = "--sync-redirect-uri http://localhost:9/cb";
  const { written } = await init(t, `${words} --backup-encrypt-to ${recipient}`);
  const { backup } = written["sync"] as { backup: unknown };
  assert.deepEqual(backup, { encryptTo: [recipient] });
  const folder = await mkdtemp(join(tmpdir(), "trellis-init-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const given = ["init", ...words.split(" "), "--backup-encrypt-to", "age1mistyped"];
  const { code, stderr } = await runInside(folder, given);
  assert.equal(code, 1);
  assert.match(stderr, /sync\.backup\.encryptTo\[0\] must be a public key of age/);
  assert.deepEqual(await readdir(folder), []);
});

for (const [words, message] of [
  ["", "Choose the services to set up: --service release, --service sync or --service events"],
  ["--service shop", '--service must be one of release, sync, events, not "shop"'],
  ["--service release", "Missing option --product NAME"],
  ["--sync-base-url https://sync.example.com", "Missing option --sync-redirect-uri URI"],
  [
    "--service sync --service events --service release",
    "Missing options --product NAME, --sync-redirect-uri URI, --events-client-id ID, --events-redirect-uri URI",
  ],
  [
    "--sync-redirect-uri app://callback --sync-profile notes",
    '--sync-profile must be one of habits, open, sealed, not "notes"',
  ],
  [
    "--service sync --product habits",
    "--product is for the release service: add --service release, or leave it out",
  ],
  [
    "--service release --product habits --backup-encrypt-to age1",
    "--backup-encrypt-to is for the sync and events services",
  ],
  [
    "--service release --product habits --time-zone UTC",
    "--time-zone is for the events service: add --service events, or leave it out",
  ],
] as const) {
  test(`without a terminal, init ${words} says what is missing and writes nothing`, async (t) => {
    const folder = await mkdtemp(join(tmpdir(), "trellis-init-"));
    t.after(() => rm(folder, { recursive: true, force: true }));
    const given = words.split(" ").filter((word) => word !== "");
    const { code, stderr } = await runInside(folder, ["init", ...given]);
    assert.equal(code, 2);
    assert.ok(stderr.startsWith(message), stderr);
    assert.deepEqual(await readdir(folder), []);
  });
}

test("at a terminal, init asks what sync needs and nothing else", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "trellis-init-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const uris = "app://back http://localhost:9/cb";
  const { recipient } = await createAgeKeys();
  const { code, stderr, unasked } = await runAtTerminal(
    folder,
    ["init"],
    [
      ["Which services do you want to set up?", ` ${DOWN} ${ENTER}`],
      ["Public address of personal sync", `${CLEAR}http://sync.example.com${ENTER}`],
      ["Give an address that begins with https://", `${CLEAR}https://sync.example.com${ENTER}`],
      ["Name of the instance on its sign-in page", ENTER],
      ["Redirect URIs of the app", `${CLEAR}javascript:1${ENTER}`],
      ['the scheme "javascript:" is never allowed', `${CLEAR}${uris}${ENTER}`],
      ["Profile of the app's data", `${CLEAR}notes${ENTER}`],
      ["Give habits, open, sealed", `${CLEAR}open${ENTER}`],
      ["Origins of web apps that sync", `https://app.example.com/${ENTER}`],
      ["give an exact origin", `${CLEAR}https://app.example.com${ENTER}`],
      ["for an encrypted backup each day", `age1mistyped${ENTER}`],
      ["It must be a public key of age", `${CLEAR}${recipient}${ENTER}`],
    ],
  );
  assert.deepEqual(unasked, []);
  assert.equal(code, 0, stderr);
  const written = JSON.parse(await readFile(join(folder, "trellis.config.json"), "utf8"));
  assert.deepEqual(Object.keys(written), ["$schema", "trustedProxies", "sync"]);
  assert.deepEqual(written.sync, {
    baseUrl: "https://sync.example.com",
    displayName: "My sync",
    redirectUris: ["app://back", "http://localhost:9/cb"],
    allowedSchemes: ["app"],
    profile: "open",
    corsOrigins: ["https://app.example.com"],
    backup: { encryptTo: [recipient] },
  });
});

test("at a terminal, --no-input takes the defaults and names what has none", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "trellis-init-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const words = ["init", "--no-input", "--service", "release"];
  const refused = await runAtTerminal(folder, words, []);
  assert.match(refused.stderr, /Missing option --product NAME/);
  const { code, stderr } = await runAtTerminal(folder, [...words, "--product", "habits"], []);
  assert.equal(code, 0, stderr);
});

test("at a terminal, init asks what releases need and offers a passphrase", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "trellis-init-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const { code, stdout, stderr, unasked } = await runAtTerminal(
    folder,
    ["init", "--service", "release"],
    [
      ["The product's name", `${CLEAR}My App${ENTER}`],
      ["Use lower-case letters", `${CLEAR}my-app${ENTER}`],
      ["Public address of the release API", `${CLEAR}https://releases.example.com${ENTER}`],
      // Suggested below the address of the API.
      ["Public address of the smart-download origin", ENTER],
      ["The website's download section", `${CLEAR}https://www.example.com/${ENTER}`],
      ["Which targets must every release have?", ` ${DOWN} ${ENTER}`],
      ["Hosts that artifacts are downloaded from", `https://x.example.com${ENTER}`],
      ["without https://", `${CLEAR}a.example.com, b.example.com${ENTER}`],
      ["Passphrase for the new keys (empty: none)", `too short${ENTER}`],
      ["use at least 12 characters", `${CLEAR}correct horse battery${ENTER}`],
      ["Repeat the passphrase", `incorrect horse battery${ENTER}`],
      ["The two passphrases differ. Passphrase for the", `correct horse battery${ENTER}`],
      ["Repeat the passphrase", `correct horse battery${ENTER}`],
    ],
  );
  assert.deepEqual(unasked, []);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /The key files are encrypted with your passphrase/);
  const catalog = JSON.parse(await readFile(join(folder, "catalog/catalog.json"), "utf8"));
  assert.equal(catalog.product, "my-app");
  assert.equal(catalog.targets.length, 2);
  assert.deepEqual(catalog.artifactHosts, ["a.example.com", "b.example.com"]);
  const written = JSON.parse(await readFile(join(folder, "trellis.config.json"), "utf8"));
  assert.equal(written.release.smartDownload.url, "https://get.releases.example.com");
});

test("at a terminal, init asks for the client of an events service", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "trellis-init-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const words = ["init", "--service", "events", "--time-zone", "Europe/Berlin"];
  const { code, stderr, unasked } = await runAtTerminal(folder, words, [
    ["Public address of the events service", ENTER],
    ["Display name of the events service", `${CLEAR}Class 7b${ENTER}`],
    ["Client id of the app", `${CLEAR}habits${ENTER}`],
    ["Display name of that app", `${CLEAR}My Habits${ENTER}`],
    ["Redirect URIs of that app", `${CLEAR}habits://callback${ENTER}`],
    ["for an encrypted backup each day", ENTER],
  ]);
  assert.deepEqual(unasked, []);
  assert.equal(code, 0, stderr);
  const written = JSON.parse(await readFile(join(folder, "trellis.config.json"), "utf8"));
  assert.deepEqual(written.events, {
    baseUrl: "http://localhost:4821",
    serviceName: "Class 7b",
    timeZone: "Europe/Berlin",
    clients: [{ id: "habits", name: "My Habits", redirectUris: ["habits://callback"] }],
  });
});

test("a cancelled question leaves nothing behind", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "trellis-init-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const given =
    "init --product habits --base-url http://localhost:1 --smart-download-url http://localhost:2 --website-download-url http://localhost:3 --target linux/x64 --host x.example.com";
  const { code, stderr } = await runAtTerminal(folder, given.split(" "), [
    ["Passphrase for the new keys", CANCEL],
  ]);
  assert.equal(code, 1);
  assert.match(stderr, /Cancelled, nothing was changed/);
  assert.deepEqual(await readdir(folder), []);
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
  assert.ok(found.every(({ level }) => level !== "error"));
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
  assert.equal(found?.level, "error");
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
    ["error"],
  );
  assert.match(found[0]?.message ?? "", /although release\.smartDownload\.url is public/);
});
