/** Keys that installed apps know already are taken over, and sign what those apps accept. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createPublicKey, generateKeyPairSync, randomBytes, scryptSync, verify } from "node:crypto";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test, type TestContext } from "node:test";
import type { CatalogFile } from "../../../src/contract/release/catalog.ts";
import {
  toEd25519PrivateKey,
  toRawPublicKey,
} from "../../../src/release/publishing/ed25519-key.ts";
import { createCatalogFixture } from "../../fixtures/catalog.ts";
import { runInside } from "../../fixtures/run-inside.ts";

const PASSPHRASE = "correct horse battery";
const FILE = "Habits Setup 3.0.0.exe";

async function prepare(t: TestContext) {
  const { folder, keysDir, privateKey, remove } = await createCatalogFixture({ releases: 1 });
  t.after(remove);
  const place = dirname(folder);
  writeFileSync(join(place, "trellis.config.json"), '{ "release": {} }');
  writeFileSync(join(place, FILE), "the built file");
  const catalogFile = join(folder, "catalog.json");
  const settings = () => JSON.parse(readFileSync(catalogFile, "utf8")) as CatalogFile;
  type Options = Parameters<typeof runInside>[2];
  const run = async (words: readonly string[], options: Options = {}) => {
    const { code, stdout } = await runInside(place, ["release", ...words, "--json"], options);
    return { code, ...JSON.parse(stdout) };
  };
  const importKey = (
    kind: string,
    content: string,
    words: readonly string[],
    options?: Options,
  ) => {
    writeFileSync(join(place, "old.key"), content);
    const file = ["--file", join(place, "old.key")];
    return run(["key", "import", "--kind", kind, ...file, ...words], options);
  };
  return {
    place,
    keysDir,
    settings,
    manifestKey: privateKey,
    writeSettings: (changed: CatalogFile) => writeFileSync(catalogFile, JSON.stringify(changed)),
    async imported(kind: string, content: string, words: string[] = [], options?: Options) {
      const result = await importKey(kind, content, words, options);
      assert.equal(result.code, 0, result.error);
      return result.key as { keyId: string; publicKey: string; appKey: string; path: string };
    },
    /** What is said, after nothing was changed. */
    async refused(kind: string, content: string, words: string[] = [], options?: Options) {
      const before = [settings(), readdirSync(keysDir)];
      const result = await importKey(kind, content, words, options);
      assert.equal(result.code, 1);
      assert.deepEqual([settings(), readdirSync(keysDir)], before);
      return result.error as string;
    },
    async sign(...words: string[]) {
      await run(["new", "3.0.0", "--build", "3"]);
      const about = ["--platform", "windows", "--architecture", "x64"];
      const url = ["--url", `https://downloads.example.com/3.0.0/${FILE}`];
      const file = join(place, FILE);
      const added = await run(["add-artifact", "3.0.0", file, ...about, ...url, ...words]);
      assert.equal(added.code, 0, added.error);
      return added.artifact.signatures as { minisign: string; sparkle: string };
    },
  };
}

/** A secret key as Tauri and rsign write it, with scrypt's cost that they use, or without. */
function makeTauriKey(password: string | null) {
  const { privateKey } = generateKeyPairSync("ed25519");
  const seed = privateKey.export({ type: "pkcs8", format: "der" }).subarray(-32);
  const [number, salt] = [randomBytes(8), randomBytes(32)];
  const publicKey = toRawPublicKey(privateKey);
  const key = Buffer.concat([number, seed, publicKey, Buffer.alloc(32)]);
  const limits = Buffer.alloc(16);
  limits.writeBigUInt64LE(1_048_576n, 0);
  limits.writeBigUInt64LE(33_554_432n, 8);
  if (password !== null) {
    const cost = { N: 32_768, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };
    scryptSync(password, salt, key.length, cost).forEach((byte, at) => (key[at]! ^= byte));
  }
  const algorithms = password === null ? "Ed\0\0B2" : "EdScB2";
  const body = Buffer.concat([Buffer.from(algorithms), salt, limits, key]).toString("base64");
  const text = `untrusted comment: rsign encrypted secret key\n${body}\n`;
  const line = Buffer.concat([Buffer.from("Ed"), number, publicKey]).toString("base64");
  return { file: Buffer.from(text).toString("base64"), line, text };
}

const tauriPublicKey = (line: string) =>
  Buffer.from(`untrusted comment: minisign public key: X\n${line}\n`).toString("base64");

const minisign = (folder: string, words: readonly string[], input = "") =>
  spawnSync("minisign", words, { cwd: folder, encoding: "utf8", input });

const NO_MINISIGN = {
  skip: minisign(".", ["-v"]).error !== undefined && "minisign is not installed",
};

test(
  "a key that minisign made with a password signs what minisign -V accepts",
  NO_MINISIGN,
  async (t) => {
    const { place, imported, refused, sign, settings } = await prepare(t);
    // With less memory minisign chooses a lower cost for scrypt, which makes the test quick.
    const command = "ulimit -v 131072; exec minisign -G -p own.pub -s own.key";
    const options = {
      cwd: place,
      encoding: "utf8",
      input: "  old password\n  old password\n",
    } as const;
    const made = spawnSync("sh", ["-c", command], options);
    assert.equal(made.status, 0, made.stderr);
    const secret = readFileSync(join(place, "own.key"), "utf8");
    const wrong = { input: "old password\n" };
    assert.match(
      await refused("minisign", secret, ["--password-stdin"], wrong),
      /The password does not open ".*old\.key": try it again/,
    );
    assert.match(
      await refused("minisign", secret),
      /is encrypted and no password was given: .*--password-stdin/,
    );
    const key = await imported("minisign", secret, ["--password-stdin", "--id", "tauri"], {
      input: "  old password\n",
    });
    const line = readFileSync(join(place, "own.pub"), "utf8").split("\n")[1];
    assert.deepEqual(settings().updaterKeys?.minisign, { keyId: "tauri", publicKey: line });
    assert.match(readFileSync(key.path, "utf8"), /^-----BEGIN PRIVATE KEY-----\n/);
    const { minisign: signature } = await sign("--minisign");
    writeFileSync(join(place, "signature"), Buffer.from(signature, "base64"));
    const verified = minisign(place, ["-V", "-x", "signature", "-m", FILE, "-p", "own.pub"]);
    assert.equal(verified.status, 0, verified.stderr);
  },
);

test("a key that minisign made without a password signs too", NO_MINISIGN, async (t) => {
  const { place, imported, sign } = await prepare(t);
  assert.equal(minisign(place, ["-G", "-W", "-p", "own.pub", "-s", "own.key"]).status, 0);
  await imported("minisign", readFileSync(join(place, "own.key"), "utf8"));
  const { minisign: signature } = await sign("--minisign");
  writeFileSync(join(place, "signature"), Buffer.from(signature, "base64"));
  const verified = minisign(place, ["-V", "-x", "signature", "-m", FILE, "-p", "own.pub"]);
  assert.equal(verified.status, 0, verified.stderr);
});

test("a key of Tauri is opened by the password that Tauri reads, or by none", async (t) => {
  const { place, imported, refused, settings, writeSettings } = await prepare(t);
  const [named, empty, open] = [makeTauriKey("secret"), makeTauriKey(""), makeTauriKey(null)];
  const before = settings();
  const env = {
    TAURI_SIGNING_PRIVATE_KEY_PASSWORD: "secret",
    TRELLIS_RELEASE_KEY_PASSPHRASE: PASSPHRASE,
  };
  const appKey = ["--public-key", tauriPublicKey(named.line)];
  const year = new Date().getUTCFullYear();
  const first = await imported("minisign", named.file, appKey, { env });
  assert.equal(first.publicKey, named.line);
  assert.equal(first.keyId, `minisign-${year}-01`);
  assert.match(readFileSync(first.path, "utf8"), /^-----BEGIN TRELLIS SEALED SIGNING KEY-----\n/);
  assert.equal(statSync(first.path).mode & 0o777, 0o600);
  assert.match(
    await refused("minisign", empty.file),
    /already the minisign key "minisign-\d+-01", and installed apps know only that one/,
  );
  for (const [index, key] of [empty, open].entries()) {
    writeSettings(before);
    const id = ["--id", `tauri-${index}`];
    assert.equal((await imported("minisign", key.file, id)).publicKey, key.line);
  }
  writeSettings(before);
  assert.match(
    await refused("minisign", open.file, ["--id", "other", ...appKey]),
    /does not belong to the public key RW.*installed apps would refuse what it signs/,
  );
  assert.match(
    await refused("minisign", open.file, ["--public-key", "hello"]),
    /--public-key is not a public key of minisign: give plugins\.updater\.pubkey/,
  );
  // A public key that verified signatures made elsewhere gets its private key.
  const minisignKey = { keyId: "for-tauri", publicKey: open.line };
  writeSettings({ ...before, updaterKeys: { minisign: minisignKey } });
  assert.match(await refused("minisign", empty.file), /holds another key than "for-tauri"/);
  assert.equal((await imported("minisign", open.text)).keyId, "for-tauri");
  assert.ok(readFileSync(join(place, "data", "keys", "for-tauri.pem"), "utf8"));
});

test("what is no secret key of minisign is told", async (t) => {
  const { refused } = await prepare(t);
  const { line, text } = makeTauriKey(null);
  const lines = (second: string) => `untrusted comment: x\n${second}\n`;
  const body = Buffer.from(text.split("\n")[1] ?? "", "base64");
  const changed = (at: number, value: string) => {
    const bytes = Buffer.from(body);
    bytes.write(value, at, "latin1");
    return lines(bytes.toString("base64"));
  };
  const huge = changed(2, "Sc").split("\n")[1] ?? "";
  const limits = Buffer.from(huge, "base64").fill(0xff, 38, 54).toString("base64");
  for (const [content, expected] of [
    [tauriPublicKey(line), /it is the public key/],
    [lines(line), /it is the public key/],
    [lines(Buffer.alloc(74).toString("base64")), /it is a signature/],
    [lines("!"), /its second line is not Base64/],
    [changed(0, "XX"), /algorithms that minisign does not have/],
    [changed(70, "changed"), /its two halves do not belong together/],
    [lines(limits), /limits of scrypt that no such key has/],
    [randomBytes(32).toString("base64"), /does not begin with the comment of one/],
    ["x".repeat(70_000), /it is too large/],
  ] as const) {
    assert.match(await refused("minisign", content), expected);
  }
});

test("a key of Sparkle signs what its public key verifies, and needs that key", async (t) => {
  const { place, imported, refused, sign, settings, manifestKey } = await prepare(t);
  const seed = randomBytes(32);
  const publicKey = toRawPublicKey(toEd25519PrivateKey(seed)).toString("base64");
  const file = seed.toString("base64");
  const appKey = ["--public-key", publicKey];
  assert.match(await refused("sparkle", file), /Give the app's public key with --public-key/);
  assert.match(
    await refused("sparkle", publicKey, appKey),
    /give the private key of the app, not its public key/,
  );
  assert.match(
    await refused("sparkle", file, ["--public-key", "x"]),
    /--public-key is not a public key/,
  );
  for (const [content, expected] of [
    [randomBytes(96).toString("base64"), /older form of 96 bytes.*sign_update.*--ed-signature/],
    [randomBytes(33).toString("base64"), /it has 33 bytes, not 32/],
    ["-----BEGIN PRIVATE KEY-----", /it is not one line of Base64/],
    [makeTauriKey(null).file, /import it with --kind minisign/],
  ] as const) {
    assert.match(await refused("sparkle", content, appKey), expected);
  }
  const own = manifestKey.export({ type: "pkcs8", format: "der" }).subarray(-32).toString("base64");
  const ownPublic = toRawPublicKey(createPublicKey(manifestKey)).toString("base64");
  assert.match(
    await refused("sparkle", own, ["--public-key", ownPublic]),
    /This key is "release-2026-01" of keys\.json, which signs manifests/,
  );
  await imported("sparkle", `${file}\n`, [...appKey, "--id", "mac"]);
  assert.deepEqual(settings().updaterKeys?.sparkle, { keyId: "mac", publicKey });
  const { sparkle } = await sign("--sparkle");
  const content = readFileSync(join(place, FILE));
  const key = createPublicKey(toEd25519PrivateKey(seed));
  assert.ok(verify(null, content, key, Buffer.from(sparkle, "base64")));
});

test("two secrets do not come from one line, and a file has to be there", async (t) => {
  const { place } = await prepare(t);
  const none = ["--kind", "minisign", "--file", join(place, "none")];
  const missing = await runInside(place, ["release", "key", "import", ...none]);
  assert.match(missing.stderr, /There is no file ".*none"/);
  const words = ["--kind", "minisign", "--file", "x", "--password-stdin", "--passphrase-stdin"];
  const { code, stderr } = await runInside(place, ["release", "key", "import", ...words]);
  assert.equal(code, 2);
  assert.match(stderr, /Standard input has one line: .*TRELLIS_RELEASE_KEY_PASSPHRASE/);
});
