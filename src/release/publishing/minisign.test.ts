import assert from "node:assert/strict";
import { createHash, generateKeyPairSync, verify } from "node:crypto";
import { test } from "node:test";
import {
  parseMinisignPublicKey,
  parseMinisignSignature,
  parseTauriSignature,
  type MinisignSignature,
} from "../../rules/release/minisign.ts";
import {
  signedFileName,
  signMinisign,
  toMinisignPublicKey,
  toTauriPublicKey,
  verifyMinisign,
} from "./minisign.ts";

const CONTENT = Buffer.from("the built file\n");
const DIGEST = createHash("blake2b512").update(CONTENT).digest();

// The key and its signatures were made by minisign 0.11 of Debian, with and without -l.
const DEBIAN_KEY = "RWQp15I04Dnf529Tud5Vx0GTWqtDknRuAW+X7ZzSe6j9SBWKeu+4WW+x";
const PREHASHED = `untrusted comment: signature from minisign secret key
RUQp15I04Dnf59ZCW1v6Ln9+fezTuvGQi1QAo3QKKJzhLZcCYvQmd6nMUINd62iISN6qowx6dKim9uXsoap0gkVonYRlCN2KhwE=
trusted comment: timestamp:1794806831\tfile:app.exe\thashed
abEhk5tXu/6uZDBjrXk4LB+vOlSF2E3/XWvolb+vn1q0F5Mg6MYTVIOHL9xndmi+n8ymqiY4OjE4zcMLiwUkAQ==
`;
const LEGACY = `untrusted comment: signature from minisign secret key
RWQp15I04Dnf53+pRuZcc8ddh7RC7MljCksMX5j/C4lv8TXTIBvsdSvOzssE+e26tFLnSZhOPafIAEOxqFQc3iaiV5nw11A9AA4=
trusted comment: timestamp:1790000000\tfile:app.exe
zeghsdwgvXqtQaloxm4rdAkS0K/tfyGYvycSJNM441uo2+h/qbP0D5A7Vj9nfW8a9+VwtC5hbl0d1zJuNm7+Cw==
`;

function parsed(result: ReturnType<typeof parseTauriSignature>): MinisignSignature {
  if (result.kind === "malformed") assert.fail(result.detail);
  return result.signature;
}

const read = (text: string) => parsed(parseMinisignSignature(Buffer.from(text)));

function publicKeyOf(line: string) {
  return parseMinisignPublicKey(line) ?? assert.fail(line);
}

test("signatures of minisign are verified, of the digest and of the file", () => {
  const key = publicKeyOf(DEBIAN_KEY);
  assert.equal(verifyMinisign(read(PREHASHED), key, DIGEST), "valid");
  assert.equal(verifyMinisign(read(LEGACY), key, CONTENT), "valid");
  assert.equal(signedFileName(read(PREHASHED)), "app.exe");
  assert.equal(signedFileName(read(LEGACY)), "app.exe");
});

test("another file, another key and a changed comment are told apart", () => {
  const key = publicKeyOf(DEBIAN_KEY);
  const signature = read(PREHASHED);
  assert.equal(verifyMinisign(signature, key, Buffer.alloc(64)), "other-file");
  assert.equal(verifyMinisign(read(LEGACY), key, DIGEST), "other-file");
  const other = publicKeyOf(toMinisignPublicKey(Buffer.alloc(32, 1)));
  assert.equal(verifyMinisign(signature, other, DIGEST), "other-key");
  const impostor = { ...key, publicKey: other.publicKey };
  assert.equal(verifyMinisign(signature, impostor, DIGEST), "other-file");
  const changed = read(PREHASHED.replace("file:app.exe", "file:evil.exe"));
  assert.equal(verifyMinisign(changed, key, DIGEST), "changed-comment");
});

test("what is signed here is what Tauri's bundler writes, and verifies with plain Ed25519", () => {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const raw = Buffer.from(publicKey.export({ format: "jwk" }).x ?? "", "base64url");
  const line = toMinisignPublicKey(raw);
  const fileName = "Mein Übersicht Setup.exe";
  const text = signMinisign({
    privateKey,
    publicKey: line,
    blake2b512: DIGEST,
    fileName,
    now: 1_790_000_000_999,
  });
  const lines = Buffer.from(text, "base64").toString("utf8").split("\n");
  assert.equal(lines[0], "untrusted comment: signature from tauri secret key");
  assert.equal(lines[2], `trusted comment: timestamp:1790000000\tfile:${fileName}`);
  assert.deepEqual([lines.length, lines[4]], [5, ""]);
  const [body, global] = [lines[1] ?? "", lines[3] ?? ""].map((item) =>
    Buffer.from(item, "base64"),
  );
  assert.ok(body !== undefined && global !== undefined);
  assert.equal(body.toString("latin1", 0, 2), "ED");
  assert.deepEqual(body.subarray(2, 10), Buffer.from(line, "base64").subarray(2, 10));
  const signature = body.subarray(10);
  assert.ok(verify(null, DIGEST, publicKey, signature));
  const comment = Buffer.from(`timestamp:1790000000\tfile:${fileName}`);
  assert.ok(verify(null, Buffer.concat([signature, comment]), publicKey, global));
  const own = parsed(parseTauriSignature(text));
  assert.equal(verifyMinisign(own, publicKeyOf(line), DIGEST), "valid");
  assert.equal(signedFileName(own), fileName);
});

test("the public key of tauri.conf.json is the Base64 of minisign's file, with the key's number", () => {
  const text = Buffer.from(toTauriPublicKey(DEBIAN_KEY), "base64").toString();
  assert.equal(text, `untrusted comment: minisign public key: E7DF39E03492D729\n${DEBIAN_KEY}\n`);
});

test("the number of a key follows from its public key", () => {
  const [one, two] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)].map(toMinisignPublicKey);
  assert.equal(one, toMinisignPublicKey(Buffer.alloc(32, 1)));
  assert.notEqual(one?.slice(0, 12), two?.slice(0, 12));
  assert.deepEqual(publicKeyOf(one ?? "").publicKey, new Uint8Array(Buffer.alloc(32, 1)));
});
