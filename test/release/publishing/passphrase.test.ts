/** Encrypted signing keys without a terminal. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { runInside } from "../../fixtures/run-inside.ts";

const SECRET = "correct horse battery staple";
let place: string;

before(async () => {
  place = mkdtempSync(join(tmpdir(), "trellis-passphrase-"));
  writeFileSync(join(place, "trellis.config.json"), '{ "release": {} }');
  writeFileSync(join(place, "app.deb"), "the app");
  await succeed(["init", "--product", "habits"]);
  await succeed(["key", "new", "--passphrase-stdin"], { input: `${SECRET}\r\nsecond line\n` });
  await succeed(["new", "1.0.0", "--build", "1"]);
  const url = "https://downloads.example.com/app.deb";
  const target = ["--platform", "linux", "--architecture", "x64", "--url", url];
  await succeed(["add-artifact", "1.0.0", join(place, "app.deb"), ...target]);
});
after(() => rmSync(place, { recursive: true, force: true }));

type Options = Parameters<typeof runInside>[2];

async function succeed(words: string[], options?: Options): Promise<void> {
  const { code, stdout, stderr } = await runInside(place, ["release", ...words], options);
  assert.equal(code, 0, stderr);
  assert.equal((stdout + stderr).includes(SECRET), false);
}

async function fail(words: string[], options?: Options): Promise<string> {
  const { code, stdout, stderr } = await runInside(place, ["release", ...words], options);
  assert.equal(code, 1, stdout);
  assert.equal((stdout + stderr).includes(SECRET), false);
  return stderr;
}

test("nothing is published when the key cannot be opened", async () => {
  const file = join(place, "catalog/releases/1.0.0.json");
  const before = readFileSync(file, "utf8");
  assert.match(await fail(["publish", "1.0.0"]), /encrypted and no passphrase was given/);
  const wrong = { input: "wrong\n" };
  assert.match(await fail(["publish", "1.0.0", "--passphrase-stdin"], wrong), /does not open/);
  assert.equal(readFileSync(file, "utf8"), before);
});

test("the passphrase comes from standard input, the environment or a file", async () => {
  await succeed(["publish", "1.0.0", "--passphrase-stdin"], { input: SECRET });
  await succeed(["sign"], { env: { TRELLIS_RELEASE_KEY_PASSPHRASE: SECRET } });
  const path = join(place, "passphrase");
  writeFileSync(path, `${SECRET}\n`);
  await succeed(["sign"], { env: { TRELLIS_RELEASE_KEY_PASSPHRASE_FILE: path } });
});

test("an empty passphrase for new keys is refused", async () => {
  const words = ["key", "new", "--passphrase-stdin"];
  assert.match(await fail(words, { input: "\n" }), /passphrase on standard input is empty/);
});

test("a passphrase for new keys follows the rule of passwords, wherever it comes from", async () => {
  const words = ["key", "new", "--passphrase-stdin"];
  const short = /passphrase is too short: use at least 12 characters/;
  assert.match(await fail(words, { input: "elevenchars\n" }), short);
  const env = { TRELLIS_RELEASE_KEY_PASSPHRASE: "elevenchars" };
  assert.match(await fail(["key", "new"], { env }), short);
});

test("the data folder is kept out of version control", async () => {
  assert.equal(readFileSync(join(place, "data/.gitignore"), "utf8"), "*\n");
});
