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
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, beforeEach, describe, test } from "node:test";
import { isSealedKey } from "../../identity/seal-key.ts";
import { explainLostKey } from "./signing-key.ts";
import { createKeyFile, inspectKeyFile, openKeyFile } from "./key-files.ts";

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

let sealedKey: ReturnType<typeof createKeyFile> | undefined;

/** A copy of a key with the passphrase "correct horse": to seal one takes longer than most tests. */
async function makeSealed(): Promise<string> {
  sealedKey ??= createKeyFile(join(home, "sealed"), ID, "correct horse");
  const key = await sealedKey;
  assert.ok(key.kind === "created");
  ring[ID] = key.publicKey;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${ID}.pem`);
  writeFileSync(path, readFileSync(key.path), { mode: 0o600 });
  return path;
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
  const path = await makeSealed();
  const text = readFileSync(path, "utf8");
  assert.match(
    text,
    /^-----BEGIN TRELLIS SEALED SIGNING KEY-----\n([A-Za-z0-9+/=]{1,64}\n)+-----END/,
  );
  const sealed: unknown = JSON.parse(
    Buffer.from(text.split("-----")[2] ?? "", "base64").toString(),
  );
  // A sealed key costs as much as the instance key in a backup: 128 MiB for each guess.
  assert.ok(isSealedKey(sealed) && sealed.kdf === "scrypt" && sealed.cost === 2 ** 17);
  assert.equal((await open("correct horse")).kind, "opened");
  assert.match(await refusal("wrong"), /passphrase does not open.*the file is undamaged: try/);
  assert.match(await refusal(), /no passphrase was given: use a terminal, --passphrase-stdin/);
});

const sealedJson = (text: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(text.split("-----")[2] ?? "", "base64").toString()) as Record<
    string,
    unknown
  >;

/** A sealed file with this content. */
const toSealedFile = (content: object) =>
  [
    "-----BEGIN TRELLIS SEALED SIGNING KEY-----",
    Buffer.from(JSON.stringify(content)).toString("base64"),
    "-----END TRELLIS SEALED SIGNING KEY-----",
  ].join("\n");

test("a sealed key in the place of another key is told as such, without its passphrase", async () => {
  const path = await makeSealed();
  const second = "release-2026-02";
  writeFileSync(join(folder, `${second}.pem`), readFileSync(path), { mode: 0o600 });
  ring[second] = "A".repeat(43);
  const ask = () => assert.fail("asked");
  const opened = await openKeyFile(folder, second, ring, ask);
  const expected = /holds the key "release-2026-01", not "release-2026-02": put the file of/;
  assert.match(opened.kind === "refused" ? opened.message : "opened", expected);
  const inspected = await inspectKeyFile(folder, second, ring);
  assert.match(inspected.kind === "refused" ? inspected.message : "usable", expected);
});

test("a sealed key that was given another key's name does not open", async () => {
  const path = await makeSealed();
  const { keyId: _keyId, sha256: _sha256, ...sealed } = sealedJson(readFileSync(path, "utf8"));
  writeFileSync(join(folder, "release-2026-02.pem"), toSealedFile(sealed), { mode: 0o600 });
  const moved = { "release-2026-02": ring[ID] ?? "" };
  const ask = () => Promise.resolve("correct horse");
  const result = await openKeyFile(folder, "release-2026-02", moved, ask);
  assert.match(
    result.kind === "refused" ? result.message : "opened",
    /it is wrong, or the file was changed or is that of another key/,
  );
});

test("a damaged sealed key is told as damaged, before the passphrase is asked for", async () => {
  const path = await makeSealed();
  const text = readFileSync(path, "utf8");
  const json = sealedJson(text);
  const damages: [string, RegExp][] = [
    [text.slice(0, 200), /damaged \(its end is missing\): restore it from your backup/],
    [text.replace(/\n.{64}\n/, "\n"), /damaged \(its/],
    [text.replace(/\n.{10}/, "\n"), /damaged \(its/],
    [text.replace(/\n../, "\n*!"), /its lines are not Base64/],
    [toSealedFile({ ...json, salt: "AAAA" }), /its content is not what was written/],
    [toSealedFile({ ...json, cost: 2 ** 30 }), /its content is not what was written/],
    [toSealedFile({ kdf: "argon2id" }), /not sealed in a way that this version knows/],
    [toSealedFile({ ...json, sha256: undefined, sealed: "*" }), /its content is not Base64URL/],
    [toSealedFile([]), /its content cannot be read/],
  ];
  for (const [damaged, expected] of damages) {
    writeFileSync(path, damaged);
    const opened = await openKeyFile(folder, ID, ring, () => assert.fail("asked"));
    assert.match(opened.kind === "refused" ? opened.message : "opened", expected);
    const inspected = await inspectKeyFile(folder, ID, ring);
    assert.match(inspected.kind === "refused" ? inspected.message : "usable", expected);
  }
  writeFileSync(path, text.replaceAll("\n", "\r\n"));
  assert.equal((await open("correct horse")).kind, "opened");
});

test("any one changed letter of a sealed key is damage, never a wrong passphrase", async () => {
  const path = await makeSealed();
  const text = readFileSync(path, "utf8");
  const start = text.indexOf("\n") + 1;
  const end = text.indexOf("-----END");
  for (let at = start; at < end; at++) {
    if (text[at] === "\n") continue;
    const letter = text[at] === "A" ? "B" : "A";
    writeFileSync(path, text.slice(0, at) + letter + text.slice(at + 1));
    // The name of the digest's member may be hit: then all that is needed is still there.
    const message = await refusal("correct horse");
    assert.match(message, /is damaged|holds the key|^opened$/, `letter ${at}`);
  }
});

test("a sealed key without a digest is read, and its refusal names every cause", async () => {
  const path = await makeSealed();
  const { keyId: _keyId, sha256: _sha256, ...sealed } = sealedJson(readFileSync(path, "utf8"));
  writeFileSync(path, toSealedFile(sealed));
  assert.equal((await open("correct horse")).kind, "opened");
  assert.match(await refusal("wrong"), /it is wrong, or the file was changed.*from your backup/);
  writeFileSync(path, toSealedFile({ ...sealed, cost: 2 ** 30 }));
  assert.match(await refusal("correct horse"), /it is wrong, or the file was changed/);
});

test("key files in the earlier form are still read, with the passphrase they have", async () => {
  await make();
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  ring[ID] = publicKey.export({ format: "jwk" }).x ?? "";
  const encrypted = { cipher: "aes-256-cbc", passphrase: "short" };
  const pem = privateKey.export({ type: "pkcs8", format: "pem", ...encrypted });
  writeFileSync(join(folder, `${ID}.pem`), pem);
  assert.equal(await refusal("short"), "opened");
  assert.match(await refusal("wrong"), /passphrase does not open.*or the file was changed/);
  for (const [damaged, detail] of [
    [pem.slice(0, 150), "its end is missing"],
    [pem.replace(/\n.{64}\n/, "\n"), "a part of it is missing"],
    [pem.replace(/.{64}\n-----END/, "-----END").replace(/\n.{4}/, "\n"), "a part of it is missing"],
    [pem.replace(/\n../, "\n*!"), "its lines are not Base64"],
  ] as const) {
    writeFileSync(join(folder, `${ID}.pem`), damaged);
    const opened = await openKeyFile(folder, ID, ring, () => assert.fail("asked"));
    assert.ok(opened.kind === "refused" && opened.message.includes(`damaged (${detail})`));
  }
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

test("no key is written through a link in place of the folder", async () => {
  const elsewhere = join(folder, "..", "elsewhere");
  mkdirSync(elsewhere, { recursive: true, mode: 0o755 });
  symlinkSync(elsewhere, folder);
  const { mode } = statSync(elsewhere);
  const result = await createKeyFile(folder, ID, undefined);
  assert.match(result.kind === "refused" ? result.message : "", /keys" is a link: put a folder/);
  assert.deepEqual(readdirSync(elsewhere), []);
  assert.equal(statSync(elsewhere).mode, mode);
});

describe("a key file that must not be used is refused with what to do", () => {
  test("it is missing", async () => {
    assert.match(await refusal(), /is not here: put it at ".*release-2026-01\.pem"$/);
    const signing = { active: ID, standby: "release-2026-02" };
    for (const [keyId, roles, expected] of [
      [ID, signing, /if it is lost, let the standby key release-2026-02 take over.*key rotate/],
      [ID, { active: ID }, /if it is lost, create a key with .*there is no standby key/],
      // A rotation that lacks the standby key must not get the advice to rotate.
      ["release-2026-02", signing, /release-2026-01 stays the active key: revoke this one/],
    ] as const) {
      const lost = explainLostKey(keyId, roles);
      const opened = await openKeyFile(folder, keyId, ring, () => assert.fail("asked"), lost);
      assert.match(opened.kind === "refused" ? opened.message : "opened", expected);
    }
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

  test("it has lost its line ends, and opens when it is repaired as the message says", async () => {
    const path = await make();
    const text = readFileSync(path, "utf8");
    const repair = /write "-----BEGIN PRIVATE KEY-----", the letters after it and "-----END PRIV/;
    for (const [damaged, expected] of [
      [text.replaceAll("\n", " "), repair],
      [text.replaceAll("\n", ""), repair],
      [text.replaceAll("\n", "\r"), repair],
      [text.replaceAll("\n", "\\n"), /a backslash and an n where its lines end.*printf '%b'/],
    ] as const) {
      writeFileSync(path, damaged);
      const message = await refusal();
      assert.match(message, /has lost its line ends: /);
      assert.match(message, expected);
    }
    const [, letters = ""] = /-----([A-Za-z0-9+/]+)-----/.exec(text.replaceAll("\n", "")) ?? [];
    writeFileSync(path, `-----BEGIN PRIVATE KEY-----\n${letters}\n-----END PRIVATE KEY-----`);
    assert.equal(await refusal(), "opened");
  });

  test("an encrypted key has lost its line ends: that is no wrong passphrase", async () => {
    await make();
    const { privateKey, publicKey } = generateKeyPairSync("ed25519");
    ring[ID] = publicKey.export({ format: "jwk" }).x ?? "";
    const encrypted = { cipher: "aes-256-cbc", passphrase: "short" };
    const pem = privateKey.export({ type: "pkcs8", format: "pem", ...encrypted });
    writeFileSync(join(folder, `${ID}.pem`), pem.replaceAll("\n", " "));
    assert.match(await refusal("short"), /has lost its line ends/);
    const inspected = await inspectKeyFile(folder, ID, ring);
    assert.match(inspected.kind === "refused" ? inspected.message : "", /has lost its line ends/);
  });

  test("a sealed key opens in one line, and is told as damaged only with backslashes", async () => {
    const path = await makeSealed();
    const text = readFileSync(path, "utf8");
    writeFileSync(path, text.replaceAll("\n", " "));
    assert.equal(await refusal("correct horse"), "opened");
    writeFileSync(path, text.replaceAll("\n", "\\n"));
    assert.match(await refusal("correct horse"), /has lost its line ends: it has a backslash/);
  });

  test("it is no key, a public key, or a folder", async () => {
    const path = await make();
    writeFileSync(path, "hello");
    assert.match(await refusal(), /not a PEM private key/);
    const { publicKey } = generateKeyPairSync("ed25519");
    writeFileSync(path, publicKey.export({ type: "spki", format: "pem" }));
    assert.match(await refusal(), /not a PEM private key/);
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
    assert.match(
      await refusal(),
      /does not belong to the public key.*: restore the right file from your backup$/,
    );
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
