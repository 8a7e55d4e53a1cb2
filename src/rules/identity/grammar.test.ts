import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { anyCodePoint } from "../../../test/fixtures/any-code-point.ts";
import {
  CLIENT_NONCE_PATTERN,
  findPasswordError,
  parseNewUsername,
  parseUsername,
} from "./grammar.ts";

const matches = (pattern: string, text: string) => new RegExp(pattern).test(text);

test("a client's nonce is Base64URL of 16 bytes or more", () => {
  for (const nonce of ["A-_9".repeat(10), "A".repeat(22), "A".repeat(128)]) {
    assert.ok(matches(CLIENT_NONCE_PATTERN, nonce));
  }
  for (const nonce of ["", "A".repeat(21), "A".repeat(129), `${"A".repeat(42)}=`]) {
    assert.ok(!matches(CLIENT_NONCE_PATTERN, nonce));
  }
});

test("user names are compared in one spelling and keep their case and spaces", () => {
  assert.equal(parseUsername("Zoe\u0308"), "Zo\u00eb");
  assert.equal(parseUsername("Zoë"), "Zo\u00eb");
  assert.notEqual(parseUsername("zoë"), parseUsername("Zoë"));
  assert.equal(parseUsername(" anna "), " anna ");
});

test("a user name has 1 to 128 characters, however many code units those take", () => {
  assert.equal(parseUsername("😀".repeat(128)), "😀".repeat(128));
  assert.equal(parseUsername("😀".repeat(129)), null);
  assert.equal(parseUsername(""), null);
});

test("a user name has no control characters and no halves of characters", () => {
  for (const bad of ["\u0000", "\n", "\u001f", "\u007f", "\u0085", "\ud800", "\udc00"]) {
    assert.equal(parseUsername(`anna${bad}`), null, JSON.stringify(bad));
  }
});

test("a new user name looks like no other one", () => {
  assert.equal(parseNewUsername("Zoe\u0308 de la Cruz"), "Zo\u00eb de la Cruz");
  assert.equal(parseNewUsername("anna\u0000"), null);
  const unseen = ["\u200b", "\u200e", "\u202e", "\u2066", "\ufeff", "\u00ad", "\u3164"];
  for (const bad of unseen) {
    assert.equal(parseNewUsername(`an${bad}na`), null, JSON.stringify(bad));
  }
  for (const bad of [" anna", "anna ", "anna\u00a0", " ", "\u2028anna"]) {
    assert.equal(parseNewUsername(bad), null, JSON.stringify(bad));
  }
});

test("a parsed user name is parsed to itself", () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCodePoint, maxLength: 130 }), (text) => {
      const username = parseUsername(text);
      if (username !== null) assert.equal(parseUsername(username), username);
    }),
  );
});

test("a password has 12 to 1,024 characters, counted in one spelling and with its spaces", () => {
  assert.equal(findPasswordError("a".repeat(11)), "too-short");
  assert.equal(findPasswordError("a".repeat(12)), null);
  assert.equal(findPasswordError(` ${"a".repeat(10)} `), null);
  assert.equal(findPasswordError("e\u0308".repeat(11)), "too-short");
  assert.equal(findPasswordError("😀".repeat(1024)), null);
  assert.equal(findPasswordError("😀".repeat(1025)), "too-long");
  assert.equal(findPasswordError(`${"a".repeat(12)}\ud800`), "not-text");
});
