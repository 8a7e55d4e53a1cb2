/** Keys that sign files for Tauri and Sparkle: made, shown, and kept apart from the signing keys. */
import assert from "node:assert/strict";
import { createPrivateKey, createPublicKey, verify } from "node:crypto";
import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test, type TestContext } from "node:test";
import type { CatalogFile, DraftRelease } from "../../../src/contract/release/catalog.ts";
import { createCatalogFixture } from "../../fixtures/catalog.ts";
import { runInside } from "../../fixtures/run-inside.ts";

const PASSPHRASE = "correct horse battery";
const URL_START = "https://downloads.example.com";

async function prepare(t: TestContext) {
  const { folder, keysDir, remove } = await createCatalogFixture({
    releases: 2,
    betaEvery: 0,
    settings: { targets: [] },
  });
  t.after(remove);
  const place = dirname(folder);
  writeFileSync(join(place, "trellis.config.json"), '{ "release": {} }');
  const run = async (words: readonly string[], options: Parameters<typeof runInside>[2] = {}) =>
    runInside(place, ["release", ...words], options);
  const readJson = <T>(file: string) => JSON.parse(readFileSync(join(folder, file), "utf8")) as T;
  return {
    place,
    keysDir,
    run,
    settings: () => readJson<CatalogFile>("catalog.json"),
    release: (version: string) => readJson<DraftRelease>(`releases/${version}.json`),
    text: (file: string) => readFileSync(join(folder, file), "utf8"),
    /** Runs with `--json`, and expects that it works. */
    async done(words: readonly string[], options: Parameters<typeof runInside>[2] = {}) {
      const { code, stdout, stderr } = await run([...words, "--json"], options);
      assert.equal(code, 0, stdout + stderr);
      return JSON.parse(stdout);
    },
    async refused(words: readonly string[], options: Parameters<typeof runInside>[2] = {}) {
      const { code, stdout } = await run([...words, "--json"], options);
      assert.equal(code, 1, stdout);
      return JSON.parse(stdout).error as string;
    },
    add(name: string, content: string, ...words: string[]) {
      writeFileSync(join(place, name), content);
      const address = ["--url", `${URL_START}/3.0.0/${name}`];
      const target = ["--platform", "macos", "--architecture", "universal"];
      return ["add-artifact", "3.0.0", join(place, name), ...target, ...address, ...words];
    },
  };
}

function ed25519(base64: string) {
  const x = Buffer.from(base64, "base64").toString("base64url");
  return createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
}

/** In the form of before keys were sealed, which opens without the seal's slow derivation. */
function encryptQuickly(path: string): void {
  const key = createPrivateKey(readFileSync(path));
  const encryption = { cipher: "aes-256-cbc", passphrase: PASSPHRASE };
  writeFileSync(path, key.export({ type: "pkcs8", format: "pem", ...encryption }));
}

test("a key of each kind is made once, sealed like a signing key, and shown for the app", async (t) => {
  const { done, refused, run, settings, keysDir } = await prepare(t);
  const sealed = { input: `${PASSPHRASE}\n` };
  const minisign = await done(["key", "new", "--kind", "minisign", "--passphrase-stdin"], sealed);
  const sparkle = await done(["key", "new", "--kind", "sparkle", "--id", "mac-updates"]);
  const year = new Date().getUTCFullYear();
  assert.equal(minisign.key.keyId, `minisign-${year}-01`);
  assert.equal(minisign.isEncrypted, true);
  assert.deepEqual(settings().updaterKeys, {
    minisign: { keyId: minisign.key.keyId, publicKey: minisign.key.publicKey },
    sparkle: { keyId: "mac-updates", publicKey: sparkle.key.publicKey },
  });
  const path = join(keysDir, `minisign-${year}-01.pem`);
  assert.match(readFileSync(path, "utf8"), /^-----BEGIN TRELLIS SEALED SIGNING KEY-----\n/);
  assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.match(readFileSync(join(keysDir, "mac-updates.pem"), "utf8"), /BEGIN PRIVATE KEY/);

  const { ring, updaterKeys } = await done(["key", "show"]);
  assert.deepEqual(Object.keys(ring), ["release-2026-01", "release-2026-02"]);
  assert.deepEqual(
    updaterKeys.map(({ kind, isHere }: { kind: string; isHere: boolean }) => [kind, isHere]),
    [
      ["minisign", true],
      ["sparkle", true],
    ],
  );
  const { stdout } = await run(["key", "show"]);
  const tauri = /plugins\.updater\.pubkey:\n(\S+)\n/.exec(stdout)?.[1] ?? "";
  const [comment, line] = Buffer.from(tauri, "base64").toString().split("\n");
  assert.match(comment ?? "", /^untrusted comment: minisign public key: [0-9A-F]{16}$/);
  assert.equal(line, minisign.key.publicKey);
  assert.ok(stdout.includes(`<key>SUPublicEDKey</key>\n<string>${sparkle.key.publicKey}</string>`));
  assert.equal(/PRIVATE|SEALED/.test(stdout), false);
  const status = await run(["status"]);
  assert.match(status.stdout, /^ {11}mac-updates \(sparkle, private key on this machine\)$/m);

  const before = settings();
  assert.match(
    await refused(["key", "new", "--kind", "sparkle"]),
    /already the sparkle key "mac-updates", and installed apps know only that one/,
  );
  assert.deepEqual(settings(), before);
});

test("a key has one id and one purpose: no command takes it for a signing key", async (t) => {
  const { done, refused, run, settings } = await prepare(t);
  assert.match(
    await refused(["key", "new", "--kind", "minisign", "--id", "release-2026-01"]),
    /already a key "release-2026-01"/,
  );
  await done(["key", "new", "--kind", "minisign", "--id", "for-tauri"]);
  assert.match(await refused(["key", "new", "--id", "for-tauri"]), /already a key "for-tauri"/);
  assert.match(
    await refused(["key", "new", "--kind", "sparkle", "--id", "for-tauri"]),
    /already a key "for-tauri"/,
  );
  const before = settings();
  assert.match(
    await refused(["key", "revoke", "for-tauri"]),
    /"for-tauri" is the minisign key, which signs files .* never a manifest: it cannot be revoked by one; if it is stolen/,
  );
  assert.match(
    await refused(["key", "rotate", "--standby", "for-tauri", "--yes"]),
    /"for-tauri" is the minisign key.*cannot be the standby key/,
  );
  assert.deepEqual(settings(), before);
  const wrong = await run(["key", "new", "--kind", "gpg"]);
  assert.equal(wrong.code, 2);
  assert.match(wrong.stderr, /--kind must be one of manifest, minisign, sparkle, not "gpg"/);
});

test("rotation and later signing keys leave the keys of other updaters alone", async (t) => {
  const { done, settings } = await prepare(t);
  await done(["key", "new", "--kind", "sparkle"]);
  const { updaterKeys } = settings();
  await done(["key", "rotate", "--yes"]);
  await done(["key", "new"]);
  assert.deepEqual(settings().updaterKeys, updaterKeys);
  assert.equal(settings().signing.active, "release-2026-02");
});

test("one passphrase on standard input opens both keys", async (t) => {
  const { add, done, refused } = await prepare(t);
  for (const kind of ["minisign", "sparkle"]) {
    const { key } = await done(["key", "new", "--kind", kind]);
    encryptQuickly(key.path);
  }
  await done(["new", "3.0.0", "--build", "3"]);
  const words = add("a.dmg", "the app", "--minisign", "--sparkle");
  assert.match(await refused(words), /is encrypted and no passphrase was given/);
  const input = { input: `${PASSPHRASE}\n` };
  const { artifact } = await done([...words, "--passphrase-stdin"], input);
  assert.deepEqual(Object.keys(artifact.signatures), ["minisign", "sparkle"]);
});

test("an artifact is signed for both updaters, and the release keeps it for good", async (t) => {
  const { add, done, refused, run, release, settings, text } = await prepare(t);
  await done(["key", "new", "--kind", "minisign"]);
  await done(["key", "new", "--kind", "sparkle"]);
  await done(["new", "3.0.0", "--build", "3"]);
  const options = ["--minisign", "--sparkle", "--minimum-os", "12.0"];
  const words = add("Habits 3.0.0.dmg", "the app", ...options);
  const { change, artifact, warnings } = await done(words);
  assert.deepEqual([change, warnings], ["added", []]);
  assert.equal(artifact.url, `${URL_START}/3.0.0/Habits%203.0.0.dmg`);
  assert.equal(artifact.fileName, "Habits-3.0.0.dmg");
  assert.deepEqual(Object.keys(artifact).slice(-4), ["size", "sha512", "signatures", "minimumOs"]);
  const key = ed25519(settings().updaterKeys?.sparkle?.publicKey ?? "");
  const signature = Buffer.from(artifact.signatures.sparkle, "base64");
  assert.ok(verify(null, Buffer.from("the app"), key, signature));
  assert.equal(verify(null, Buffer.from("the app!"), key, signature), false);
  const comment = Buffer.from(artifact.signatures.minisign, "base64").toString().split("\n")[2];
  assert.match(comment ?? "", /^trusted comment: timestamp:\d{10}\tfile:Habits 3\.0\.0\.dmg$/);

  const { stdout } = await run(words);
  assert.match(stdout, /^Unchanged: Habits-3\.0\.0\.dmg/);
  assert.match(
    stdout,
    /^Public file name Habits-3\.0\.0\.dmg; the address keeps Habits 3\.0\.0\.dmg$/m,
  );
  assert.match(stdout, /^Has a minisign signature, for Tauri\nHas an Ed25519 signature, for Sp/m);

  await done(["publish", "3.0.0", "--allow-lost-coverage"]);
  assert.deepEqual(release("3.0.0").artifacts, [artifact]);
  const published = text("releases/3.0.0.json");
  assert.match(await refused(words), /is published and never changes/);
  assert.equal(text("releases/3.0.0.json"), published);
  await done(["withdraw", "3.0.0", "--reason", "x", "--replaced-by", "1.0.2", "--yes"]);
  assert.deepEqual(release("3.0.0").artifacts, [artifact]);
});

test("a file that is signed already keeps its minisign signature, whatever the time", async (t) => {
  const { add, done } = await prepare(t);
  await done(["key", "new", "--kind", "minisign"]);
  await done(["new", "3.0.0", "--build", "3"]);
  t.mock.timers.enable({ apis: ["Date"], now: Date.now() });
  const first = await done(add("a.dmg", "the app", "--minisign"));
  t.mock.timers.tick(3_600_000);
  const again = await done(add("a.dmg", "the app", "--minisign"));
  assert.deepEqual([again.change, again.artifact], ["unchanged", first.artifact]);
  const rebuilt = await done(add("a.dmg", "another app", "--minisign"));
  assert.equal(rebuilt.change, "replaced");
  assert.notEqual(rebuilt.artifact.signatures.minisign, first.artifact.signatures.minisign);
});

test("a signature that is left out is removed with a warning", async (t) => {
  const { add, done } = await prepare(t);
  await done(["key", "new", "--kind", "sparkle"]);
  await done(["new", "3.0.0", "--build", "3"]);
  await done(add("a.dmg", "the app", "--sparkle"));
  const { change, artifact, warnings } = await done(add("a.dmg", "the app"));
  assert.equal(change, "replaced");
  assert.equal("signatures" in artifact, false);
  assert.match(warnings.join(), /had a signature for sparkle of "a\.dmg", which is removed/);
});

test("a given signature of Sparkle is verified when the public key is known", async (t) => {
  const { add, done, refused, run, settings, place } = await prepare(t);
  await done(["new", "3.0.0", "--build", "3"]);
  const signature = Buffer.alloc(64, 1).toString("base64");
  const unverified = await done(add("a.dmg", "the app", "--ed-signature", signature));
  assert.equal(unverified.artifact.signatures.sparkle, signature);
  assert.match(
    unverified.warnings.join(),
    /not verified, because catalog\.json has no updaterKeys/,
  );

  await done(["key", "new", "--kind", "sparkle"]);
  assert.match(
    await refused(add("a.dmg", "the app", "--ed-signature", signature)),
    /not the signature of "a\.dmg" by the app's key.*sign it again, or correct updaterKeys\.sparkle/,
  );
  const made = (await done(add("a.dmg", "the app", "--sparkle"))).artifact.signatures.sparkle;
  const given = await done(add("a.dmg", "the app", "--ed-signature", made));
  assert.deepEqual([given.change, given.warnings], ["unchanged", []]);
  for (const text of ["hello", made.slice(4), `sparkle:edSignature="${made}"`]) {
    const message = await refused(add("a.dmg", "the app", "--ed-signature", text));
    assert.match(
      message,
      /not an Ed25519 signature: give the 88 characters that Sparkle's `sign_update -p`/,
    );
  }
  // The private half may be elsewhere: then a signature is given, and still verified.
  const { sparkle } = settings().updaterKeys ?? {};
  writeFileSync(join(place, "data/keys", `${sparkle?.keyId}.pem`), "moved away");
  assert.equal((await done(add("a.dmg", "the app", "--ed-signature", made))).change, "unchanged");

  for (const [words, message] of [
    [["--sparkle", "--ed-signature", made], /--sparkle makes a signature and --ed-signature gives/],
    [["--minisign", "--signature-file", "x"], /--minisign makes a signature and --signature-file/],
    [["--signature-file", ""], /--signature-file must not be empty/],
    [["--minimum-os", "Monterey"], /--minimum-os must be a version of one to four numbers/],
  ] as const) {
    const { code, stderr } = await run(add("a.dmg", "the app", ...words));
    assert.equal(code, 2);
    assert.match(stderr, message);
  }
});

test("a key file that is missing or of another key is told as that of an updater", async (t) => {
  const { add, done, refused, keysDir } = await prepare(t);
  await done(["new", "3.0.0", "--build", "3"]);
  await done(["key", "new", "--kind", "minisign", "--id", "for-tauri"]);
  const path = join(keysDir, "for-tauri.pem");
  const own = readFileSync(path);
  writeFileSync(path, readFileSync(join(keysDir, "release-2026-01.pem")));
  const other = await refused(add("a.dmg", "the app", "--minisign"));
  assert.match(
    other,
    /does not belong to the public key "for-tauri" of the catalogue: restore .* is given with --signature-file$/,
  );
  assert.equal(/rotate|ring/.test(other), false);
  rmSync(path);
  assert.match(
    await refused(add("a.dmg", "the app", "--minisign")),
    /"for-tauri" is not here: put it at ".*for-tauri\.pem"; a signature that was made elsewhere is given with --signature-file$/,
  );
  writeFileSync(path, own, { mode: 0o600 });
  assert.equal((await done(add("a.dmg", "the app", "--minisign"))).change, "added");
});

test("doctor looks at the files of these keys too", async (t) => {
  const { done, place, keysDir } = await prepare(t);
  await done(["key", "new", "--kind", "minisign", "--id", "for-tauri"]);
  await done(["key", "new", "--kind", "sparkle", "--id", "for-sparkle"]);
  rmSync(join(keysDir, "for-tauri.pem"));
  writeFileSync(join(keysDir, "for-sparkle.pem"), "damaged");
  const { code, stdout } = await runInside(place, ["doctor"]);
  assert.equal(code, 1);
  assert.match(stdout, /^ok +keys: for-tauri \(minisign\) is not on this machine$/m);
  assert.match(stdout, /for-sparkle\.pem" is not a PEM private key: restore it/);
});
