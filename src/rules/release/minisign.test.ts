import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  formatKeyNumber,
  parseMinisignPublicKey,
  parseMinisignSignature,
  parseTauriSignature,
} from "./minisign.ts";

// The key and its signatures were made by minisign 0.11 of Debian.
const PUBLIC_KEY = "RWQp15I04Dnf529Tud5Vx0GTWqtDknRuAW+X7ZzSe6j9SBWKeu+4WW+x";
const LINES = [
  "untrusted comment: signature from minisign secret key",
  "RUQp15I04Dnf59ZCW1v6Ln9+fezTuvGQi1QAo3QKKJzhLZcCYvQmd6nMUINd62iISN6qowx6dKim9uXsoap0gkVonYRlCN2KhwE=",
  "trusted comment: timestamp:1794806831\tfile:app.exe\thashed",
  "abEhk5tXu/6uZDBjrXk4LB+vOlSF2E3/XWvolb+vn1q0F5Mg6MYTVIOHL9xndmi+n8ymqiY4OjE4zcMLiwUkAQ==",
  "",
];
const [, BODY = ""] = LINES;

function parse(lines: readonly string[], end = "\n") {
  return parseMinisignSignature(Buffer.from(lines.join(end)));
}

function detailOf(lines: readonly string[]): string {
  const result = parse(lines);
  return result.kind === "malformed" ? result.detail : "parsed";
}

function withLine(index: number, line: string): string[] {
  return LINES.with(index, line);
}

test("a public key has a number, printed as minisign prints it", () => {
  const key = parseMinisignPublicKey(PUBLIC_KEY);
  assert.equal(key && formatKeyNumber(key.keyNumber), "E7DF39E03492D729");
  assert.equal(key?.publicKey.length, 32);
});

test("a signature is read from its four lines, and from the Base64 of them", () => {
  for (const result of [
    parse(LINES),
    parse(LINES, "\r\n"),
    parse(LINES.slice(0, 4)),
    parseTauriSignature(Buffer.from(LINES.join("\n")).toString("base64")),
  ]) {
    assert.ok(result.kind === "parsed");
    const { signature } = result;
    assert.equal(signature.isPrehashed, true);
    assert.equal(formatKeyNumber(signature.keyNumber), "E7DF39E03492D729");
    assert.deepEqual([signature.signature.length, signature.globalSignature.length], [64, 64]);
    assert.equal(
      Buffer.from(signature.trustedComment).toString(),
      "timestamp:1794806831\tfile:app.exe\thashed",
    );
  }
});

test("the trusted comment keeps its bytes", () => {
  const result = parse(withLine(2, "trusted comment: file:Übersicht.exe"));
  assert.equal(
    result.kind === "parsed" && Buffer.from(result.signature.trustedComment).toString(),
    "file:Übersicht.exe",
  );
});

test("the legacy form signs the file itself", () => {
  const bytes = Buffer.from(BODY, "base64");
  bytes.write("Ed");
  const result = parse(withLine(1, bytes.toString("base64")));
  assert.equal(result.kind === "parsed" && result.signature.isPrehashed, false);
});

describe("what is not a signature is told", () => {
  for (const [name, lines, detail] of [
    ["nothing", [""], /first line/],
    ["a comment alone", LINES.slice(0, 1), /second line is not a signature/],
    ["another algorithm", withLine(1, `RX${BODY.slice(2)}`), /second line is not a signature/],
    ["a short signature", withLine(1, BODY.slice(4)), /second line is not a signature/],
    ["no trusted comment", withLine(2, "comment: x"), /third line/],
    ["no global signature", withLine(3, ""), /fourth line is not a signature/],
    ["a fifth line", [...LINES.slice(0, 4), "more"], /more than four lines/],
    ["a public key", ["untrusted comment: minisign public key", PUBLIC_KEY], /it is a public key/],
    ["a secret key", ["untrusted comment: x", `RWRTY0Iy${"A".repeat(204)}`], /it is a secret key/],
  ] as const) {
    test(name, () => assert.match(detailOf(lines), detail));
  }

  test("text that is no Base64 in the place of Tauri's", () => {
    const result = parseTauriSignature("hello!");
    assert.equal(result.kind === "malformed" && result.detail, "it is not one line of Base64");
  });

  test("public keys of another form", () => {
    for (const text of ["", "hello", PUBLIC_KEY.slice(4), `RX${PUBLIC_KEY.slice(2)}`, BODY]) {
      assert.equal(parseMinisignPublicKey(text), null, text);
    }
  });
});
