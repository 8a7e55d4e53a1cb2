/** Changes that cannot be taken back: they say what they will do, and ask. */
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { test, type TestContext } from "node:test";
import { createCatalogFixture } from "../../fixtures/catalog.ts";
import { ENTER, runAtTerminal } from "../../fixtures/run-at-terminal.ts";
import { runInside } from "../../fixtures/run-inside.ts";

async function prepare(t: TestContext) {
  const fixture = await createCatalogFixture({ releases: 3, betaEvery: 0 });
  t.after(() => fixture.remove());
  const home = dirname(fixture.folder);
  await writeFile(join(home, "trellis.config.json"), '{ "release": {} }');
  const files = ["catalog.json", "manifest.json", "releases/1.0.3.json"];
  const read = () => Promise.all(files.map((file) => readFile(join(fixture.folder, file), "utf8")));
  return {
    home,
    read,
    run: (...words: string[]) => runInside(home, ["release", ...words]),
  };
}

const WITHDRAW = ["withdraw", "1.0.3", "--reason", "Crashes", "--replaced-by", "1.0.2"];
const ROTATE = ["key", "rotate"];
const REVOKE = ["key", "revoke", "release-2026-01"];

for (const [words, consequence, detail, done] of [
  [
    WITHDRAW,
    'This withdraws 1.0.3 (build 3) from the channel "stable", which then offers 1.0.2 (build 2), and signs manifest 2 with release-2026-01',
    "Users see the reason: Crashes",
    /^Withdrew 1\.0\.3/m,
  ],
  [
    ROTATE,
    "This makes release-2026-02 the active key in place of release-2026-01, and release-2026-02 signs manifest 2",
    "release-2026-01 is retired: apps still trust it, but it no longer signs",
    /^release-2026-02 is the active key now/m,
  ],
  [
    REVOKE,
    "This revokes release-2026-01 for good, and release-2026-02 signs manifest 2 that says so",
    "Copies that pin release-2026-01 alone: they refuse manifest 2, and find no update until people install a version that pins release-2026-02",
    /^Revoked release-2026-01; release-2026-02 is the active key$/m,
  ],
] as const) {
  test(`${words.slice(0, 2).join(" ")}: a dry run says what would happen and changes nothing`, async (t) => {
    const { run, read } = await prepare(t);
    const before = await read();
    const { code, stdout } = await run(...words, "--dry-run", "--yes");
    assert.equal(code, 0);
    const lines = stdout.split("\n");
    assert.equal(lines[0], consequence);
    assert.ok(lines.includes(detail), stdout);
    assert.match(stdout, /This was a dry run: nothing was changed/);
    const { stdout: json } = await run(...words, "--dry-run", "--json");
    const { isDryRun, plan } = JSON.parse(json);
    assert.equal(isDryRun, true);
    assert.equal(plan.sequence ?? plan.manifest.sequence, 2);
    assert.deepEqual(await read(), before);
  });

  test(`${words.slice(0, 2).join(" ")}: without a terminal it needs --yes`, async (t) => {
    const { run, read } = await prepare(t);
    const before = await read();
    const refused = await run(...words);
    assert.equal(refused.code, 1);
    assert.ok(refused.stdout.includes(detail), refused.stdout);
    assert.equal(refused.stderr, `${consequence}: nothing was changed; add --yes to confirm\n`);
    assert.deepEqual(await read(), before);
    const confirmed = await run(...words, "--yes");
    assert.equal(confirmed.code, 0);
    assert.match(confirmed.stdout, done);
    assert.notDeepEqual(await read(), before);
  });

  test(`${words.slice(0, 2).join(" ")}: at a terminal it asks, and no is the default`, async (t) => {
    const { home, read } = await prepare(t);
    const before = await read();
    const given = ["release", ...words];
    const refused = await runAtTerminal(home, given, [[`${consequence}. Continue?`, ENTER]]);
    assert.equal(refused.code, 1);
    assert.ok(refused.stdout.includes(detail), refused.stdout);
    assert.match(refused.stderr, /Cancelled, nothing was changed/);
    assert.deepEqual(await read(), before);
    const agreed = await runAtTerminal(home, given, [[`${consequence}. Continue?`, "y"]]);
    assert.equal(agreed.code, 0, agreed.stderr);
    assert.match(agreed.stdout, done);
    assert.notDeepEqual(await read(), before);
  });
}

test("a dry run of what would fail says why", async (t) => {
  const { run } = await prepare(t);
  const unknown = await run("withdraw", "9.9.9", "--reason", "x", "--dry-run");
  assert.equal(unknown.code, 1);
  assert.match(unknown.stderr, /There is no release 9\.9\.9/);
  await run(...ROTATE, "--yes");
  assert.match((await run(...ROTATE, "--dry-run")).stderr, /There is no standby key/);
});

test("a key that becomes the standby key is not called retired, and its maker is not told to destroy it", async (t) => {
  const { run } = await prepare(t);
  const words = [...ROTATE, "--standby", "release-2026-01", "--yes"];
  const { stdout } = await run(...words);
  assert.match(
    stdout,
    /^release-2026-02 is the active key now, release-2026-01 is the standby key now$/m,
  );
  assert.doesNotMatch(stdout, /retired|destroy|revoke/);
  const back = [...ROTATE, "--standby", "release-2026-02", "--yes", "--json"];
  assert.equal(JSON.parse((await run(...back)).stdout).retired, null);
  const { stdout: gone } = await run(...ROTATE, "--yes");
  assert.match(gone, /release-2026-01 is retired$/m);
  assert.match(gone, /Keep the public key of release-2026-01 .* destroy its private key/);
});

test("keys show their roles: active, standby, retired, unused, revoked", async (t) => {
  const { run } = await prepare(t);
  const roles = async () => {
    const { stdout } = await run("key", "show", "--json");
    const { keys } = JSON.parse(stdout) as { keys: { keyId: string; role: string }[] };
    return Object.fromEntries(keys.map(({ keyId, role }) => [keyId, role]));
  };
  await run("key", "new", "--id", "spare");
  await run("key", "new", "--id", "later");
  const made = { "release-2026-01": "active", "release-2026-02": "standby" };
  assert.deepEqual(await roles(), { ...made, spare: "unused", later: "unused" });
  await run("key", "rotate", "--standby", "later", "--yes");
  const rotated = { "release-2026-01": "retired", "release-2026-02": "active" };
  assert.deepEqual(await roles(), { ...rotated, spare: "unused", later: "standby" });
  await run("key", "rotate", "--standby", "release-2026-01", "--yes");
  const again = { "release-2026-01": "standby", "release-2026-02": "retired" };
  assert.deepEqual(await roles(), { ...again, spare: "unused", later: "active" });
  await run("key", "revoke", "release-2026-02", "--yes");
  assert.deepEqual(await roles(), {
    ...again,
    "release-2026-02": "revoked",
    spare: "unused",
    later: "active",
  });
  assert.match((await run("key", "show")).stdout, /^spare: unused, private key on this machine$/m);
  assert.match((await run("status")).stdout, /^ +spare \(unused, private key on this machine\)$/m);
});
