import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, beforeEach, describe, test } from "node:test";
import { isSealedKey } from "../../identity/seal-key.ts";
import { createKeyFile, openKeyFile } from "./key-files.ts";

const home = mkdtempSync(join(tmpdir(), "trellis-keys-"));
after(() => rmSync(home, { recursive: true, force: true }));

const ID = "release-2026-01";
let folder: string;
let ring: Record<string, string>;
let number = 0;

beforeEach(() => {
  folder = join(home, String(++number), "keys");
  ring = {};
});

async function make(passphrase?: string): Promise<string> {
  const key = await createKeyFile(folder, ID, passphrase);
  assert.equal(key.kind, "created");
  if (key.kind !== "created") return "";
  ring[ID] = key.publicKey;
  return key.path;
}

function open(passphrase?: string) {
  return openKeyFile(folder, ID, ring, () => Promise.resolve(passphrase));
}

async function refusal(passphrase?: string): Promise<string> {
  const result = await open(passphrase);
  return result.kind === "refused" ? result.message : "opened";
}

test("a key file is readable by its owner only, and opens", async () => {
  const path = await make();
  assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.equal(statSync(folder).mode & 0o777, 0o700);
  const key = await open();
  assert.equal(key.kind === "opened" && key.privateKey.asymmetricKeyType, "ed25519");
});

test("an encrypted key opens with its passphrase only", async () => {
  const path = await make("correct horse");
  const text = readFileSync(path, "utf8");
  assert.match(
    text,
    /^-----BEGIN TRELLIS SEALED SIGNING KEY-----\n([A-Za-z0-9+/=]{1,64}\n)+-----END/,
  );
  const sealed: unknown = JSON.parse(
    Buffer.from(text.split("-----")[2] ?? "", "base64").toString(),
  );
  // As the instance key in a backup: 128 MiB for each guess.
  assert.ok(isSealedKey(sealed) && sealed.kdf === "scrypt" && sealed.cost === 2 ** 17);
  assert.equal((await open("correct horse")).kind, "opened");
  assert.match(await refusal("wrong"), /passphrase does not open/);
  assert.match(await refusal(), /no passphrase was given: use a terminal, --passphrase-stdin/);
});

test("a sealed key does not open in the place of another key, nor when it was changed", async () => {
  const path = await make("correct horse");
  const text = readFileSync(path, "utf8");
  const moved = join(folder, "release-2026-02.pem");
  writeFileSync(moved, text, { mode: 0o600 });
  const ask = () => Promise.resolve("correct horse");
  const result = await openKeyFile(
    folder,
    "release-2026-02",
    { "release-2026-02": ring[ID] ?? "" },
    ask,
  );
  assert.match(result.kind === "refused" ? result.message : "opened", /does not open/);
  for (const damaged of [
    text.replace("A", "B"),
    text.slice(0, 200),
    text.replaceAll(/[a-z]/g, ""),
  ]) {
    writeFileSync(path, damaged);
    assert.match(await refusal("correct horse"), /does not open|no PEM private key/);
  }
  writeFileSync(path, text.replaceAll("\n", "\r\n"));
  assert.equal((await open("correct horse")).kind, "opened");
});

test("key files in the earlier form are still read, with the passphrase they have", async () => {
  await make();
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  ring[ID] = publicKey.export({ format: "jwk" }).x ?? "";
  const encrypted = { cipher: "aes-256-cbc", passphrase: "short" };
  const pem = privateKey.export({ type: "pkcs8", format: "pem", ...encrypted });
  writeFileSync(join(folder, `${ID}.pem`), pem);
  assert.equal((await open("short")).kind, "opened");
  assert.match(await refusal("wrong"), /passphrase does not open/);
});

test("there is no prompt for the passphrase of a key that has none", async () => {
  await make();
  const result = await openKeyFile(folder, ID, ring, () => assert.fail("asked"));
  assert.equal(result.kind, "opened");
});

test("an existing key file is never overwritten", async () => {
  const before = readFileSync(await make(), "utf8");
  const again = await createKeyFile(folder, ID, undefined);
  assert.match(again.kind === "refused" ? again.message : "", /already a key file/);
  assert.equal(readFileSync(join(folder, `${ID}.pem`), "utf8"), before);
  assert.deepEqual(readdirSync(folder), [`${ID}.pem`]);
});

describe("a key file that must not be used is refused with what to do", () => {
  test("it is missing", async () => {
    assert.match(await refusal(), /is not here: put it at ".*key rotate/);
  });

  test("others may read it", { skip: process.platform === "win32" }, async () => {
    for (const mode of [0o640, 0o604, 0o620, 0o666]) {
      const path = await make();
      chmodSync(path, mode);
      assert.match(await refusal(), new RegExp(`mode 0${mode.toString(8)}.*chmod 600`));
      rmSync(path);
    }
  });

  test("it begins with a byte order mark", async () => {
    const path = await make();
    writeFileSync(path, `\uFEFF${readFileSync(path, "utf8")}`);
    assert.match(await refusal(), /byte order mark/);
  });

  test("it is no key, a public key, or a folder", async () => {
    const path = await make();
    writeFileSync(path, "hello");
    assert.match(await refusal(), /no PEM private key/);
    const { publicKey } = generateKeyPairSync("ed25519");
    writeFileSync(path, publicKey.export({ type: "spki", format: "pem" }));
    assert.match(await refusal(), /no PEM private key/);
    rmSync(path);
    mkdirSync(path);
    assert.match(await refusal(), /not a regular file/);
  });

  test("it is of another type", async () => {
    const path = await make();
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    writeFileSync(path, privateKey.export({ type: "pkcs8", format: "pem" }));
    assert.match(await refusal(), /of type "ec": only Ed25519/);
  });

  test("it does not belong to the ring's public key", async () => {
    await make();
    ring[ID] = "A".repeat(43);
    assert.match(await refusal(), /does not belong to the public key/);
    ring = {};
    assert.match(await refusal(), /does not belong to the public key/);
  });
});

test("no message holds private material", async () => {
  const path = await make();
  const secret = readFileSync(path, "utf8").split("\n")[1] ?? "";
  ring[ID] = "A".repeat(43);
  assert.ok(secret.length > 20);
  assert.equal((await refusal()).includes(secret), false);
});
