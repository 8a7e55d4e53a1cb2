/** Debian's minisign and Trellis accept each other's signatures. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test, type TestContext } from "node:test";
import type { CatalogFile } from "../../../src/contract/release/catalog.ts";
import { createCatalogFixture } from "../../fixtures/catalog.ts";
import { runInside } from "../../fixtures/run-inside.ts";

const minisign = (folder: string, ...words: string[]) =>
  spawnSync("minisign", words, { cwd: folder, encoding: "utf8" });

const NO_MINISIGN = {
  skip:
    minisign(".", "-v").error !== undefined &&
    "minisign is not installed; signatures that it made stand in, in src/release/publishing",
};

const FILE = "Habits Setup 3.0.0.exe";
const ABOUT_FILE = [
  ["--platform", "windows", "--architecture", "x64"],
  ["--url", `https://downloads.example.com/3.0.0/${FILE}`],
].flat();

async function prepare(t: TestContext) {
  const { folder, remove } = await createCatalogFixture({ releases: 1 });
  t.after(remove);
  const place = dirname(folder);
  writeFileSync(join(place, "trellis.config.json"), '{ "release": {} }');
  writeFileSync(join(place, FILE), "the built file");
  const run = async (...words: string[]) => {
    const { stdout } = await runInside(place, ["release", ...words, "--json"]);
    return JSON.parse(stdout);
  };
  await run("new", "3.0.0", "--build", "3");
  const catalogFile = join(folder, "catalog.json");
  const settings = () => JSON.parse(readFileSync(catalogFile, "utf8")) as CatalogFile;
  return {
    place,
    run,
    settings,
    /** Enters a public key, as the maker of an app does who has one already. */
    enter(publicKey: string) {
      const updaterKeys = { minisign: { keyId: "tauri", publicKey } };
      writeFileSync(catalogFile, JSON.stringify({ ...settings(), updaterKeys }));
    },
    add: (...words: string[]) =>
      run("add-artifact", "3.0.0", join(place, FILE), ...ABOUT_FILE, ...words),
  };
}

/** A key pair of minisign's own. */
function makeKeys(place: string, name = "own"): string {
  const made = minisign(place, "-G", "-W", "-p", `${name}.pub`, "-s", `${name}.key`);
  assert.equal(made.status, 0, made.stderr);
  return readFileSync(join(place, `${name}.pub`), "utf8").split("\n")[1] ?? "";
}

function signWith(place: string, signature: string, ...words: string[]): string {
  const options = ["-s", "own.key", "-m", FILE, "-x", signature, ...words];
  const signed = minisign(place, "-S", "-W", ...options);
  assert.equal(signed.status, 0, signed.stderr);
  return join(place, signature);
}

test("minisign -V accepts what Trellis signs, and nothing else", NO_MINISIGN, async (t) => {
  const { place, run, add, settings } = await prepare(t);
  const { key } = await run("key", "new", "--kind", "minisign");
  const { artifact } = await add("--minisign");
  const signature = Buffer.from(artifact.signatures.minisign, "base64");
  writeFileSync(join(place, "signature"), signature);
  const { publicKey } = settings().updaterKeys?.minisign ?? assert.fail();
  const verify = (...words: string[]) =>
    minisign(place, "-V", "-H", "-x", "signature", "-m", FILE, ...words);
  const verified = verify("-P", publicKey);
  assert.equal(verified.status, 0, verified.stderr);
  assert.match(verified.stdout, /Trusted comment: timestamp:\d+\tfile:Habits Setup 3\.0\.0\.exe/);
  // What tauri.conf.json gets is the Base64 of a public key file.
  writeFileSync(join(place, "tauri.pub"), Buffer.from(key.appKey, "base64"));
  assert.equal(verify("-p", "tauri.pub").status, 0);

  assert.notEqual(verify("-P", makeKeys(place)).status, 0);
  const text = signature.toString();
  writeFileSync(join(place, "signature"), text.replace("file:Habits", "file:habits"));
  assert.notEqual(verify("-P", publicKey).status, 0);
  writeFileSync(join(place, "signature"), signature);
  writeFileSync(join(place, FILE), "the built file!");
  assert.notEqual(verify("-P", publicKey).status, 0);
});

test(
  "signatures that minisign made are accepted, of the digest and legacy",
  NO_MINISIGN,
  async (t) => {
    const { place, add, enter } = await prepare(t);
    enter(makeKeys(place));
    const prehashed = signWith(place, "prehashed.minisig");
    const legacy = signWith(place, "legacy.minisig", "-l");
    for (const path of [prehashed, legacy]) {
      const { artifact, warnings } = await add("--signature-file", path);
      assert.deepEqual(warnings, []);
      const kept = Buffer.from(artifact.signatures.minisign, "base64").toString();
      assert.equal(kept, readFileSync(path, "utf8"));
    }
    // Tauri's bundler writes the Base64 of the same text.
    const tauri = readFileSync(prehashed).toString("base64");
    writeFileSync(join(place, "tauri.sig"), tauri);
    const { artifact } = await add("--signature-file", join(place, "tauri.sig"));
    assert.equal(artifact.signatures.minisign, tauri);
    writeFileSync(join(place, "lines.sig"), `${tauri}\r\n`);
    const again = await add("--signature-file", join(place, "lines.sig"));
    assert.equal(again.change, "unchanged");
  },
);

test(
  "a signature of another file or key, or with a changed comment, is refused",
  NO_MINISIGN,
  async (t) => {
    const { place, add, enter } = await prepare(t);
    const own = makeKeys(place);
    enter(own);
    const error = async (path: string) => (await add("--signature-file", path)).error as string;
    for (const words of [[], ["-l"]]) {
      const path = signWith(place, "x.minisig", ...words);
      const text = readFileSync(path, "utf8");
      writeFileSync(join(place, "comment.minisig"), text.replace("file:Habits", "file:Other"));
      assert.match(
        await error(join(place, "comment.minisig")),
        /^The trusted comment in ".*" was changed after the file was signed/,
      );
      writeFileSync(join(place, FILE), "built again");
      assert.match(
        await error(path),
        /is not the signature of "Habits Setup 3\.0\.0\.exe": the file was built again/,
      );
      writeFileSync(join(place, FILE), "the built file");
      enter(makeKeys(place, `other${words.length}`));
      assert.match(
        await error(path),
        /was made with the minisign key [0-9A-F]{16}, but the app's key in catalog\.json is [0-9A-F]{16}: sign/,
      );
      enter(own);
    }
  },
);

test("without a public key a signature is kept with a warning", NO_MINISIGN, async (t) => {
  const { place, add } = await prepare(t);
  makeKeys(place);
  const path = signWith(place, "x.minisig");
  const { change, warnings } = await add("--signature-file", path);
  assert.equal(change, "added");
  assert.match(warnings.join("\n"), /was not verified, because catalog\.json has no updaterKeys/);
  const other = signWith(place, "y.minisig", "-t", "timestamp:1\tfile:other.exe");
  assert.match(
    (await add("--signature-file", other)).warnings.join("\n"),
    /names the file "other\.exe", not "Habits Setup 3\.0\.0\.exe"/,
  );
});

test("what is no signature is refused, and a secret key is never copied", async (t) => {
  const { place, add, run } = await prepare(t);
  const error = async (content: string) => {
    writeFileSync(join(place, "x.sig"), content);
    return (await add("--signature-file", join(place, "x.sig"))).error as string;
  };
  const secret = `untrusted comment: minisign secret key\nRWRTY0Iy${"A".repeat(204)}\n`;
  const publicKey = `untrusted comment: minisign public key\nRWQ${"A".repeat(53)}\n`;
  for (const [content, detail] of [
    [secret, "it is a secret key"],
    [Buffer.from(secret).toString("base64"), "it is a secret key"],
    [publicKey, "it is a public key"],
    ["", "its first line does not begin"],
    ["-----BEGIN PGP SIGNATURE-----", "it is not one line of Base64"],
    ["x".repeat(65_537), "it is too large"],
  ] as const) {
    const message = await error(content);
    assert.ok(message.includes(`x.sig" is not a signature of minisign (${detail}`), message);
    assert.match(message, /: give the \.sig file that Tauri's bundler writes, or the \.minisig/);
    assert.equal(message.includes("RWR"), false);
  }
  const missing = await add("--signature-file", join(place, "none.sig"));
  assert.match(
    missing.error,
    /no signature file ".*none\.sig": Tauri's bundler writes it .* TAURI_SIG/,
  );
  assert.match((await add("--signature-file", place)).error, /is not a file/);
  assert.deepEqual((await run("check")).incomplete[0].version, "3.0.0");
});
