/** `release upload` puts the files of a release where the catalogue says. */
import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { runInside } from "../../fixtures/run-inside.ts";
import { S3_BUCKET, S3_SECRET, serveS3 } from "../../fixtures/s3-server.ts";

const HOST = "https://downloads.example.com";
const PNG = "\x89PNG\r\n\x1a\n and a picture";

/** A draft with two programs, one of them below a folder, and a picture. */
async function prepare(t: TestContext) {
  const place = await mkdtemp(join(tmpdir(), "trellis-upload-"));
  t.after(() => rm(place, { recursive: true, force: true }));
  const run = (words: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    runInside(place, ["release", ...words], { env });
  const expectDone = async (...words: string[]) => {
    const { code, stderr } = await run(words);
    assert.equal(code, 0, stderr);
  };
  const build = join(place, "build");
  await mkdir(join(build, "mac"), { recursive: true });
  await writeFile(join(place, "trellis.config.json"), '{ "release": {} }');
  await writeFile(join(build, "habits.exe"), "the windows app");
  await writeFile(join(build, "mac/habits.dmg"), "the mac app");
  await writeFile(join(build, "week.png"), Buffer.from(PNG, "latin1"));
  await expectDone("init", "--product", "habits");
  await expectDone("new", "1.0.0", "--build", "1");
  const add = (file: string, ...options: string[]) =>
    expectDone("add-artifact", "1.0.0", join(build, file), ...options);
  const windows = ["--platform", "windows", "--architecture", "x64"];
  await add("habits.exe", ...windows, "--url", `${HOST}/1.0.0/habits.exe`);
  const mac = ["--platform", "macos", "--architecture", "universal"];
  await add("mac/habits.dmg", ...mac, "--url", `${HOST}/1.0.0/habits.dmg`);
  const picture = [join(build, "week.png"), "--id", "week", "--url", `${HOST}/1.0.0/week.png`];
  await expectDone("add-media", "1.0.0", ...picture);
  const upload = (to: string, words: readonly string[] = ["--from", build], env = {}) =>
    run(["upload", "1.0.0", "--to", to, ...words], env);
  return { place, build, add, upload };
}

test("every file goes to the path of its address, with its type, and is skipped the next time", async (t) => {
  const { build, upload } = await prepare(t);
  const s3 = await serveS3(t);
  const to = `s3://${S3_BUCKET}/habits`;
  const first = await upload(to, ["--from", build], s3.env);
  assert.equal(first.code, 0, first.stderr);
  assert.match(first.stdout, /^Uploaded s3:\/\/releases\/habits\/1\.0\.0\/habits\.exe: 15 bytes$/m);
  assert.match(
    first.stdout,
    /Next: publish it with `trellis release publish 1\.0\.0 --check-urls`/,
  );
  for (const [name, type, text] of [
    ["habits.exe", "application/vnd.microsoft.portable-executable", "the windows app"],
    ["habits.dmg", "application/x-apple-diskimage", "the mac app"],
    ["week.png", "image/png", null],
  ] as const) {
    const stored = await s3.read(`habits/1.0.0/${name}`);
    assert.equal(stored.status, 200);
    assert.equal(stored.headers.get("content-type"), type);
    assert.match(stored.headers.get("cache-control") ?? "", /immutable/);
    if (text !== null) assert.equal(await stored.text(), text);
  }
  const again = await upload(to, ["--from", build, "--json"], s3.env);
  assert.equal(again.code, 0, again.stdout);
  const { files } = JSON.parse(again.stdout) as { files: { result: string }[] };
  assert.deepEqual(
    files.map(({ result }) => result),
    ["skipped", "skipped", "skipped"],
  );
  assert.equal(s3.requests.filter(({ method }) => method === "PUT").length, 3);
});

test("another file at a key is refused before anything is sent, and replaced on demand", async (t) => {
  const { build, upload } = await prepare(t);
  const s3 = await serveS3(t);
  await s3.write("1.0.0/habits.dmg", "another app");
  const refused = await upload(`s3://${S3_BUCKET}`, ["--from", build], s3.env);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /^Nothing was uploaded, because other files are there already\n/);
  assert.match(refused.stderr, /s3:\/\/releases\/1\.0\.0\/habits\.dmg\n/);
  assert.equal((await s3.read("1.0.0/habits.exe")).status, 404);
  const { code, stderr } = await upload(
    `s3://${S3_BUCKET}`,
    ["--from", build, "--replace", "--yes"],
    s3.env,
  );
  assert.equal(code, 0, stderr);
  assert.equal(await (await s3.read("1.0.0/habits.dmg")).text(), "the mac app");
});

test("a wrong secret is refused, and no secret is printed", async (t) => {
  const { build, upload } = await prepare(t);
  const s3 = await serveS3(t);
  const secret = "not the secret of the bucket";
  for (const words of [
    ["--from", build],
    ["--from", build, "--json"],
  ]) {
    const { code, stdout, stderr } = await upload(`s3://${S3_BUCKET}`, words, {
      ...s3.env,
      AWS_SECRET_ACCESS_KEY: secret,
    });
    assert.equal(code, 1);
    assert.match(stdout + stderr, /check AWS_SECRET_ACCESS_KEY and AWS_REGION/);
    assert.equal((stdout + stderr).includes(secret), false);
    assert.equal((stdout + stderr).includes(S3_SECRET), false);
  }
  const missing = await upload(`s3://${S3_BUCKET}`, ["--from", build], {});
  assert.equal(missing.code, 2);
  assert.match(missing.stderr, /set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY/);
});

test("a file that is not the one that was added is refused, and every problem is told", async (t) => {
  const { place, build, upload } = await prepare(t);
  await writeFile(join(build, "habits.exe"), "the patched app");
  await rm(join(build, "mac"), { recursive: true });
  const to = `file:${join(place, "public")}`;
  const { code, stderr } = await upload(to);
  assert.equal(code, 1);
  assert.match(
    stderr,
    /habits\.exe" is not the file that was added \(15 bytes, SHA-256 [0-9a-f]{64}\)/,
  );
  assert.match(stderr, /There is no "habits\.dmg"/);
  const named = await upload(to, [join(build, "habits.exe"), join(place, "trellis.config.json")]);
  assert.equal(named.code, 1);
  assert.match(named.stderr, /habits\.exe" is not the file that was added/);
  assert.match(named.stderr, /trellis\.config\.json" is not a file of this release/);
  await assert.rejects(readFile(join(place, "public/1.0.0/habits.exe")));
});

test("named files are recognised by their content, and only they are uploaded", async (t) => {
  const { place, build, upload } = await prepare(t);
  await writeFile(join(build, "renamed.bin"), "the windows app");
  const { code, stderr } = await upload(`file:${join(place, "public")}`, [
    join(build, "renamed.bin"),
  ]);
  assert.equal(code, 0, stderr);
  assert.equal(await readFile(join(place, "public/1.0.0/habits.exe"), "utf8"), "the windows app");
  await assert.rejects(readFile(join(place, "public/1.0.0/habits.dmg")));
});

test("the block map of a file goes beside it, from a folder and by its name", async (t) => {
  const { place, build, upload } = await prepare(t);
  const map = Buffer.concat([Buffer.from([0x1f, 0x8b]), Buffer.from("blocks")]);
  const blockMap = join(build, "habits.exe.blockmap");
  await writeFile(blockMap, map);
  for (const [to, words] of [
    ["a", ["--from", build]],
    ["b", [join(build, "habits.exe"), blockMap]],
  ] as const) {
    const { code, stderr } = await upload(`file:${join(place, to)}`, words);
    assert.equal(code, 0, stderr);
    assert.deepEqual(await readFile(join(place, to, "1.0.0/habits.exe.blockmap")), map);
  }
  await writeFile(blockMap, "<html>");
  const { code, stderr } = await upload(`file:${join(place, "c")}`, [blockMap]);
  assert.equal(code, 1);
  assert.match(stderr, /habits\.exe\.blockmap" is not a block map of electron-builder/);
});

test("files with the names of builders are found in the folder", async (t) => {
  const { place, build, add, upload } = await prepare(t);
  await writeFile(join(build, "My Habits (x64).msi"), "the installer");
  const windows = ["--platform", "windows", "--architecture", "x64"];
  await add("My Habits (x64).msi", ...windows, "--url", `${HOST}/1.0.0/setup.msi`);
  const { code, stderr } = await upload(`file:${join(place, "public")}`);
  assert.equal(code, 0, stderr);
  assert.equal(await readFile(join(place, "public/1.0.0/setup.msi"), "utf8"), "the installer");
  await writeFile(join(build, "My Habits (x64).msi"), "another one");
  const changed = await upload(`file:${join(place, "public")}`, [
    join(build, "My Habits (x64).msi"),
  ]);
  assert.match(changed.stderr, /My Habits \(x64\)\.msi" is not the file that was added/);
});

test("a dry run shows the way of every file, and asks and changes nothing", async (t) => {
  const { place, build, upload } = await prepare(t);
  const s3 = await serveS3(t);
  const words = ["--from", build, "--dry-run", "--served-at", `${HOST}/1.0.0`];
  const { code, stdout, stderr } = await upload(`s3://${S3_BUCKET}/habits`, words, s3.env);
  assert.equal(code, 0, stderr);
  assert.ok(
    stdout.includes(
      `${join(build, "mac/habits.dmg")} → s3://releases/habits/habits.dmg (${HOST}/1.0.0/habits.dmg)`,
    ),
    stdout,
  );
  assert.deepEqual(s3.requests, []);
  const folder = `file:${join(place, "public")}`;
  assert.equal((await upload(folder, ["--from", build, "--dry-run"])).code, 0);
  await assert.rejects(readFile(join(place, "public/1.0.0/habits.exe")));
});

test("wrong use is told before anything is read", async (t) => {
  const { build, upload } = await prepare(t);
  for (const [to, words, message] of [
    ["file:public", [], /Name the built files, or give their folder/],
    ["file:public", ["a", "--from", build], /Name the built files, or give their folder/],
    ["gs://bucket", ["--from", build], /s3:\/\/bucket\/prefix, or file:/],
    ["file:public", ["--from", build, "--served-at", "http://x"], /--served-at must be/],
  ] as const) {
    const { code, stderr } = await upload(to, words);
    assert.equal(code, 2);
    assert.match(stderr, message);
  }
  const { code, stderr } = await upload("file:public", ["--from", "no-such-folder"]);
  assert.equal(code, 1);
  assert.match(stderr, /Cannot read the folder "no-such-folder" \(ENOENT\): check --from/);
});
