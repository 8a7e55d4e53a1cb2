/** `release add`: a folder of built files becomes a draft. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { gzipSync } from "node:zlib";
import {
  builtFiles,
  debFile,
  dmgFile,
  elfFile,
  MAC_PROGRAM,
  machOFile,
  peFile,
  tarGzFile,
  type Files,
} from "../../fixtures/built-files.ts";
import { CLEAR, ENTER, runAtTerminal } from "../../fixtures/run-at-terminal.ts";
import { runInside } from "../../fixtures/run-inside.ts";

const BASE = "https://downloads.example.com";
const URL_BASE = ["--url-base", `${BASE}/files/`];

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
  assert.match(
    stdout,
    /^Left out: \S+latest\.yml \(people and updaters do not install such a file/m,
  );
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

test("a draft has it all only when there are files that it has", async (t) => {
  const { succeed, paths } = await prepare(t);
  const others = paths.filter((path) => path.endsWith("latest.yml"));
  assert.equal(others.length, 1);
  await succeed("new", "1.4.0", "--build", "14");
  assert.match(
    await succeed("add", "1.4.0", ...others, ...URL_BASE),
    /^Nothing to add: none of these is a file that people install, and the draft 1\.4\.0 has no files yet$/m,
  );
  await succeed("add", "1.4.0", ...paths, ...URL_BASE, "--yes");
  assert.match(await succeed("add", "1.4.0", ...others, ...URL_BASE), /1\.4\.0 has 7 files$/m);
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
  const app = tarGzFile({ [MAC_PROGRAM]: machOFile("arm64") });
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
  await writeFile(join(home, "signed", name), tarGzFile({ [MAC_PROGRAM]: machOFile("x64") }));
  const { stderr } = await run("add", "1.4.0", ...signed, ...URL_BASE, "--yes");
  assert.match(stderr, /is not the signature of "Habits\.app\.tar\.gz"/);
});

/** Reads from a service with the catalogue as it is now. */

test("links and bombs among the files are refused with a sentence, and nothing is changed", async (t) => {
  const { run, build, home, readDraft } = await prepare(t, {});
  const bomb = tarGzFile({ "a.txt": Buffer.alloc(65 * 1024 * 1024) });
  const [program = "", tar = ""] = await build("own", {
    "a-x64.exe": peFile("x64"),
    "a.tar.gz": bomb,
  });
  const add = (...words: string[]) => run("add", "1.4.0", ...words, ...NEW);
  const packed = await add(tar);
  assert.match(packed.stderr, /"a\.tar\.gz": its content is too complex to look into\n.*--as /);
  const link = join(home, "link.exe");
  await symlink(program, link);
  const isLink = /".*link\.exe" is a link: put the file itself there/;
  assert.match((await add(link)).stderr, isLink);
  await assert.rejects(readDraft("1.4.0"), { code: "ENOENT" });
  const told = await add(tar, "--as", "a.tar.gz=linux/x64");
  assert.equal(told.code, 0, told.stderr);
  assert.match((await run("add-artifact", "1.4.0", link, ...ADDED)).stderr, isLink);
});

const ADDED = ["--platform", "windows", "--architecture", "x64", "--url", `${BASE}/link.exe`];

test("a pipe is not waited for", { skip: process.platform === "win32" }, async (t) => {
  const { run, home } = await prepare(t, {});
  const pipe = join(home, "a.exe");
  execFileSync("mkfifo", [pipe]);
  const { code, stderr } = await run("add", "1.4.0", pipe, ...NEW);
  assert.equal(code, 1);
  assert.match(stderr, /a\.exe" is not a file/);
});

const deb = (version: string) => debFile("amd64", gzipSync, ".gz", version);

test("a file of another version is told, and published only when that is allowed", async (t) => {
  const { run, succeed, paths, readDraft } = await prepare(t, { "habits.deb": deb("1.3.0-1") });
  const added = await run("add", "1.4.0", ...paths, ...NEW);
  const isOther =
    /artifacts\[0\] \(habits\.deb\) says version 1\.3\.0-1, and the release is 1\.4\.0; /;
  assert.match(added.stderr, isOther);
  const [artifact] = (await readDraft("1.4.0")).artifacts;
  assert.deepEqual(artifact.detected, { format: "deb", version: "1.3.0-1" });
  const checked = await run("check");
  assert.equal(checked.code, 1);
  assert.match(checked.stdout, isOther);
  assert.match(await succeed("check", "--allow-version-mismatch"), isOther);
  const publish = ["publish", "1.4.0", "--no-check-urls", "--yes"];
  const refused = await run(...publish);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, isOther);
  await succeed(...publish, "--allow-version-mismatch");
  // A published file is of the release, whatever it says.
  assert.equal((await readDraft("1.4.0")).artifacts[0].detected, undefined);
  await succeed("check");
});

test("a file of a withdrawn release is refused in every other one, one of a live release is told", async (t) => {
  const { run, succeed, build, paths } = await prepare(t, { "habits.deb": deb("1.4.0") });
  const options = ["--no-check-urls", "--yes", "--allow-version-mismatch"];
  const publish = (version: string) => ["publish", version, ...options];
  await succeed("add", "1.4.0", ...paths, ...NEW);
  await succeed(...publish("1.4.0"));
  await succeed("add", "1.4.1", ...paths, "--build", "15", ...URL_BASE, "--yes");
  const live = await run(...publish("1.4.1"));
  assert.equal(live.code, 0, live.stderr);
  assert.match(live.stderr, /is a file of 1\.4\.0, which is published; check that/);
  await succeed(
    "withdraw",
    "1.4.1",
    "--reason",
    "Loses reminders",
    "--replaced-by",
    "1.4.0",
    "--yes",
  );
  await succeed("add", "1.4.2", ...paths, "--build", "16", ...URL_BASE, "--yes");
  const isWithdrawn = /is a file of 1\.4\.1, which is withdrawn; build it again/;
  for (const words of [["check", "--allow-version-mismatch"], publish("1.4.2")]) {
    const { code, stdout, stderr } = await run(...words);
    assert.equal(code, 1);
    assert.match(stdout + stderr, isWithdrawn);
  }
  const [again = ""] = await build("again", { "habits.deb": deb("1.4.2") });
  await succeed("add", "1.4.2", again, ...URL_BASE, "--yes");
  const fixed = await run(...publish("1.4.2"));
  assert.equal(fixed.code, 0, fixed.stderr);
  assert.doesNotMatch(fixed.stderr, /says version|is a file of/);
});

test("a folder stands for the files in it, and one beside files does not", async (t) => {
  const { run, succeed, home, build, paths, readDraft } = await prepare(t);
  await build("build/win-unpacked", { "Other-x64.exe": peFile("x64") });
  await writeFile(join(home, "build", ".hidden"), "");
  const fileNames = async (version: string) =>
    (await readDraft(version)).artifacts.map(({ fileName }: { fileName: string }) => fileName);
  const stdout = await succeed("add", "1.4.0", join(home, "build"), ...NEW);
  assert.match(stdout, /^Left out: \S+win-unpacked \(it is a folder\)$/m);
  await succeed("add", "1.4.1", ...paths, "--build", "15", ...URL_BASE, "--yes");
  assert.equal((await fileNames("1.4.0")).length, 7);
  assert.deepEqual(await fileNames("1.4.0"), await fileNames("1.4.1"));
  const [one, two] = [join(home, "deb"), join(home, "exe")];
  await build("deb", { "habits_1.4.2_amd64.deb": deb("1.4.2") });
  await build("exe", { "Habits-x64.exe": peFile("x64") });
  await succeed("add", "1.4.2", one, two, "--build", "16", ...URL_BASE, "--yes");
  assert.deepEqual(await fileNames("1.4.2"), ["Habits-x64.exe", "habits_1.4.2_amd64.deb"]);
  await mkdir(join(home, "empty"));
  const { code, stderr } = await run("add", "1.4.2", join(home, "empty"), ...URL_BASE, "--yes");
  assert.equal(code, 1);
  assert.match(stderr, /The folder ".*empty" has no files: was it built\?/);
});
