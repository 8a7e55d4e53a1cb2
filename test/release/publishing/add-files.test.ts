/** `release add`: a folder of built files becomes a draft, and the maker's whole way to a beta. */
import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { createReleaseService } from "../../../src/release/service.ts";
import { compareAppVersions } from "../../../src/rules/release/app-version.ts";
import {
  debFile,
  dmgFile,
  elfFile,
  machOFile,
  peFile,
  rpmFile,
  tarGzFile,
  zipFile,
  type Files,
} from "../../fixtures/built-files.ts";
import { CLEAR, ENTER, runAtTerminal } from "../../fixtures/run-at-terminal.ts";
import { runInside } from "../../fixtures/run-inside.ts";

const BASE = "https://downloads.example.com";
const URL_BASE = ["--url-base", `${BASE}/files/`];
const PROGRAM = "Habits.app/Contents/MacOS/Habits";

/** What electron-builder and Tauri leave for three platforms. */
function builtFiles(version: string): Files {
  const universal = machOFile("x64", "arm64");
  // Files of two builds differ.
  const mark = (bytes: Buffer) => Buffer.concat([bytes, Buffer.from(version)]);
  return {
    [`Habits Setup ${version}-x64.exe`]: mark(peFile("x86", true)),
    [`Habits Setup ${version}-x64.exe.blockmap`]: Buffer.from([0x1f, 0x8b, 8]),
    [`Habits-${version}-universal.dmg`]: Buffer.concat([Buffer.from(version), dmgFile()]),
    [`Habits-${version}-mac.zip`]: zipFile({ [PROGRAM]: universal, version }),
    [`Habits-${version}.app.tar.gz`]: tarGzFile({ [PROGRAM]: universal, version }),
    [`Habits-${version}.AppImage`]: mark(elfFile("x64", true)),
    [`habits_${version}_amd64.deb`]: mark(debFile("amd64")),
    [`habits-${version}.x86_64.rpm`]: mark(rpmFile("x86_64")),
    "latest.yml": "version: 1.0.0",
    SHA256SUMS: "sums",
  };
}

async function prepare(t: TestContext, files: Files = builtFiles("1.4.0")) {
  const home = await mkdtemp(join(tmpdir(), "trellis-add-"));
  t.after(() => rm(home, { recursive: true, force: true }));
  await writeFile(join(home, "trellis.config.json"), '{ "release": {} }');
  const run = (...words: string[]) => runInside(home, ["release", ...words]);
  const succeed = async (...words: string[]) => {
    const ending = await run(...words);
    assert.equal(ending.code, 0, ending.stderr || ending.stdout);
    return ending.stdout;
  };
  const build = async (folder: string, content: Files) => {
    await mkdir(join(home, folder, "win-unpacked"), { recursive: true });
    for (const [name, bytes] of Object.entries(content)) {
      await writeFile(join(home, folder, name), bytes);
    }
    return [...Object.keys(content), "win-unpacked"].map((name) => join(home, folder, name));
  };
  await succeed("init", "--product", "habits");
  await succeed("key", "new");
  const paths = await build("build", files);
  const readDraft = async (version: string) =>
    JSON.parse(await readFile(join(home, `catalog/releases/${version}.json`), "utf8"));
  return { home, run, succeed, build, paths, readDraft };
}

const NEW = ["--build", "14", ...URL_BASE, "--yes"];

test("a folder becomes a draft: every file with its platform, architecture, digests and address", async (t) => {
  const { succeed, paths, readDraft } = await prepare(t);
  const stdout = await succeed("add", "1.4.0", ...paths, ...NEW);
  assert.match(stdout, /^Habits-Setup-1\.4\.0-x64\.exe +windows\/x64 +PE program .* new$/m);
  assert.match(stdout, /^Left out: \S+latest\.yml \(it is no file that people or updaters/m);
  assert.match(stdout, /^Left out: \S+win-unpacked \(it is a folder\)$/m);
  assert.match(stdout, /exe\.blockmap \(`release upload` takes it with its file\)$/m);
  assert.match(stdout, /this creates the draft 1\.4\.0 and adds 7 files$/m);
  const { buildNumber, artifacts } = await readDraft("1.4.0");
  assert.equal(buildNumber, 14);
  const places = artifacts.map((item: Record<string, unknown>) =>
    [item["platform"], item["architecture"], item["fileName"], item["signed"]].join(" "),
  );
  assert.deepEqual(places, [
    "windows x64 Habits-Setup-1.4.0-x64.exe true",
    "linux x64 Habits-1.4.0.AppImage false",
    "linux x64 habits_1.4.0_amd64.deb false",
    "linux x64 habits-1.4.0.x86_64.rpm false",
    "macos universal Habits-1.4.0-universal.dmg false",
    "macos universal Habits-1.4.0-mac.zip false",
    "macos universal Habits-1.4.0.app.tar.gz false",
  ]);
  assert.equal(artifacts[0].url, `${BASE}/files/Habits%20Setup%201.4.0-x64.exe`);
  assert.match(artifacts[0].sha512, /==$/);
});

test("a second run adds nothing and asks nothing, and a file that was built again is told", async (t) => {
  const { run, succeed, paths, readDraft, home } = await prepare(t);
  await succeed("add", "1.4.0", ...paths, ...NEW);
  const before = await readDraft("1.4.0");
  const again = await succeed("add", "1.4.0", ...paths, "--build", "14", ...URL_BASE);
  assert.match(again, /Nothing to add: the draft 1\.4\.0 has it all/);
  assert.deepEqual(await readDraft("1.4.0"), before);

  await writeFile(join(home, "build/Habits-1.4.0.AppImage"), elfFile("x64", true));
  const refused = await run("add", "1.4.0", ...paths, ...URL_BASE);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /replaces 1 file that changed in the draft 1\.4\.0.*add --yes/);
  assert.deepEqual(await readDraft("1.4.0"), before);
  const json = JSON.parse(await succeed("add", "1.4.0", ...paths, ...URL_BASE, "--yes", "--json"));
  const changed = json.files.filter(({ change }: { change: string }) => change === "replaced");
  assert.deepEqual(
    changed.map(({ artifact }: { artifact: { fileName: string } }) => artifact.fileName),
    ["Habits-1.4.0.AppImage"],
  );
  const other = await run("add", "1.4.0", ...paths, "--build", "15", ...URL_BASE, "--yes");
  assert.match(
    other.stderr,
    /There is a draft 1\.4\.0 with build 14, channel stable: leave --build/,
  );
});

test("a dry run and a no change nothing", async (t) => {
  const { home, succeed, paths } = await prepare(t);
  const words = ["release", "add", "1.4.0", ...paths, "--build", "14", ...URL_BASE];
  assert.match(await succeed(...words.slice(1), "--dry-run"), /This was a dry run: nothing was/);
  const ending = await runAtTerminal(home, words, [["adds 7 files. Continue?", ENTER]]);
  assert.equal(ending.code, 1);
  assert.match(ending.stdout, /^FILE +FOR +KIND/m);
  assert.match(ending.stderr, /Cancelled, nothing was changed/);
  assert.match(await succeed("list"), /There are no releases yet/);
});

const UNCLEAR = { "Habits.dmg": dmgFile(), "Habits Setup.exe": peFile("x86"), "habits.bin": "?" };

test("what a file does not tell is named with the option that tells it", async (t) => {
  const { run, succeed, paths, readDraft } = await prepare(t, UNCLEAR);
  const { code, stderr } = await run("add", "1.4.0", ...paths, ...NEW);
  assert.equal(code, 1);
  assert.match(stderr, /"Habits\.dmg": neither its name nor its content tells the architecture/);
  assert.match(stderr, /"Habits Setup\.exe": a 32-bit installer/);
  assert.match(stderr, /"habits\.bin": .*names a platform/);
  assert.match(stderr, /--as NAME=PLATFORM\/ARCH .* --as NAME=skip/);
  const told = ["--as", "Habits.dmg=macos/universal", "--as", "Habits Setup.exe=windows/amd64"];
  await succeed("add", "1.4.0", ...paths, ...NEW, ...told, "--as", "habits.bin=skip");
  const { artifacts } = await readDraft("1.4.0");
  assert.deepEqual(
    artifacts.map((item: { architecture: string }) => item.architecture),
    ["x64", "universal"],
  );
  // The draft remembers what it was told.
  const again = await succeed("add", "1.4.0", ...paths.slice(0, 2), ...URL_BASE);
  assert.match(again, /Nothing to add/);
  const query = await run("add", "1.4.0", ...paths, "--url-base", `${BASE}/?v=1`);
  assert.match(query.stderr, /--url-base must be an address without/);
  for (const wrong of ["Habits.dmg", "Habits.dmg=mac/x64", "=macos/x64", "Other.dmg=skip"]) {
    assert.equal((await run("add", "1.4.0", ...paths, ...NEW, "--as", wrong)).code, 2, wrong);
  }
});

test("a person at a terminal is asked about it", async (t) => {
  const { home, paths, readDraft } = await prepare(t, UNCLEAR);
  const words = ["release", "add", "1.4.0", ...paths, "--build", "14", ...URL_BASE];
  const ending = await runAtTerminal(home, words, [
    ['What is "Habits.dmg" for', `${CLEAR}macos/universal${ENTER}`],
    ['What is "Habits Setup.exe" for', `x64${ENTER}`],
    ['What is "habits.bin" for', `skip${ENTER}`],
    ["adds 2 files. Continue?", "y"],
  ]);
  assert.equal(ending.code, 0, ending.stderr);
  assert.deepEqual(ending.unasked, []);
  assert.equal((await readDraft("1.4.0")).artifacts.length, 2);
});

test("the .sig file beside a file is its signature, and a wrong one is refused", async (t) => {
  const name = "Habits.app.tar.gz";
  const app = tarGzFile({ [PROGRAM]: machOFile("arm64") });
  const { home, run, succeed, paths, build, readDraft } = await prepare(t, { [name]: app });
  await succeed("key", "new", "--kind", "minisign");
  await succeed("add", "1.4.0", ...paths, ...NEW, "--minisign");
  const { minisign } = (await readDraft("1.4.0")).artifacts[0].signatures;
  assert.match(
    await succeed("add", "1.4.0", ...paths, ...URL_BASE, "--minisign"),
    /Nothing to add/,
  );
  // What was entered before about the same bytes stays.
  assert.match(await succeed("add", "1.4.0", ...paths, ...URL_BASE), /Nothing to add/);
  await succeed("discard", "1.4.0", "--yes");

  const signed = await build("signed", { [name]: app, [`${name}.sig`]: minisign });
  await succeed("add", "1.4.0", ...signed, ...NEW);
  assert.equal((await readDraft("1.4.0")).artifacts[0].signatures.minisign, minisign);
  await writeFile(join(home, "signed", name), tarGzFile({ [PROGRAM]: machOFile("x64") }));
  const { stderr } = await run("add", "1.4.0", ...signed, ...URL_BASE, "--yes");
  assert.match(stderr, /is not the signature of "Habits\.app\.tar\.gz"/);
});

/** Reads from a service with the catalogue as it is now. */
async function serve(t: TestContext, home: string) {
  const service = createReleaseService({
    baseUrl: "https://releases.example.com",
    smartDownloadUrl: "https://get.example.com",
    websiteDownloadUrl: "https://www.example.com/#download",
    catalog: join(home, "catalog"),
  });
  t.after(() => service.close());
  await service.ready;
  return async (path: string) => {
    const response = await service.fetch(new Request(`https://releases.example.com${path}`));
    const location = response.headers.get("Location");
    return { status: response.status, location, text: await response.text() };
  };
}

test("a maker with three platforms and a beta: every feed has its file, under the app's own name", async (t) => {
  const { home, succeed, build, paths, run } = await prepare(t);
  await succeed("key", "new", "--kind", "minisign");
  await succeed("key", "new", "--kind", "sparkle");
  const sign = ["--minisign", "--sparkle", "--yes"];
  await succeed("add", "1.4.0", ...paths, "--build", "14", ...URL_BASE, ...sign);
  await succeed("notes", "1.4.0", "--note", "added=Sync");
  await succeed("publish", "1.4.0", "--yes");
  const beta = await build("beta", builtFiles("1.5.0-beta.2"));
  const name = ["--channel", "beta", "--app-version", "1.5.0-beta.2", "--build", "15"];
  await succeed("add", "1.4.90", ...beta, ...name, ...URL_BASE, ...sign);
  await succeed("notes", "1.4.90", "--note", "added=Widgets");
  await succeed("publish", "1.4.90", "--yes");
  assert.match(await succeed("list"), /^1\.4\.90 \(1\.5\.0-beta\.2\) +15 +beta +published/m);
  assert.match(await succeed("check"), /The catalogue is valid: 2 releases/);
  for (const [version, wrong] of [
    ["1.4.91", "1.5.0-beta.2+7"],
    ["1.4.91", "1.5.0-beta.1"],
  ] as const) {
    const refused = await run(
      "new",
      version,
      "--build",
      "16",
      "--channel",
      "beta",
      "--app-version",
      wrong,
    );
    assert.match(refused.stderr, /give (?:another|a newer) --app-version/, wrong);
  }

  const read = await serve(t, home);
  for (const [channel, version] of [
    ["latest", "1.4.0"],
    ["beta", "1.5.0-beta.2"],
  ] as const) {
    for (const [target, file] of [
      ["", `Habits%20Setup%20${version}-x64.exe`],
      ["-mac", `Habits-${version}-mac.zip`],
      ["-linux", `Habits-${version}.AppImage`],
    ]) {
      const { text } = await read(`/feeds/electron/${channel}${target}.yml`);
      assert.match(text, new RegExp(`^version: "${version}"$`, "m"));
      assert.ok(text.includes(`${BASE}/files/${file}`), text);
    }
  }
  // An app on its own beta is not offered itself, nor the older stable release.
  const tauri = "/feeds/tauri/beta/darwin/aarch64";
  assert.equal((await read(`${tauri}/1.5.0-beta.2`)).status, 204);
  assert.equal((await read(`${tauri}/1.5.0`)).status, 204);
  const offered = JSON.parse((await read(`${tauri}/1.5.0-beta.1`)).text);
  assert.equal(offered.url, `${BASE}/files/Habits-1.5.0-beta.2.app.tar.gz`);
  assert.ok(compareAppVersions(offered.version, "1.4.0") > 0);
  const appcast = (await read("/feeds/sparkle/beta/appcast.xml")).text;
  assert.match(appcast, /<sparkle:shortVersionString>1\.5\.0-beta\.2</);
  const decision = JSON.parse(
    (await read("/api/v1/update/macos?version=1.4.0&build=14&channel=beta")).text,
  );
  assert.deepEqual(decision.target, { version: "1.4.90", buildNumber: 15 });
  // People are led to the disk image, not to the updater's archive.
  const download = await read("/api/v1/download/macos");
  assert.equal(download.location, `${BASE}/files/Habits-1.4.0-universal.dmg`);

  // The stable release of that name ends the beta.
  const stable = await build("stable", builtFiles("1.5.0"));
  await succeed("add", "1.5.0", ...stable, "--build", "16", ...URL_BASE, ...sign);
  await succeed("publish", "1.5.0", "--yes");
  const readAgain = await serve(t, home);
  const { text } = await readAgain("/feeds/electron/beta-mac.yml");
  assert.match(text, /^version: "1\.5\.0"$/m);
});
