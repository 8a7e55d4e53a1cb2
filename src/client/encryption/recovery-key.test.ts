import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { countedDataKey } from "../../../test/fixtures/data-keys.ts";
import { readRecoveryKey, toRecoveryKey } from "./recovery-key.ts";

const KEY = countedDataKey(200).bytes;
const TEXT = toRecoveryKey(KEY);

test("a recovery key is 14 groups of 4 without I, L, O and U, and reads as the key", () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (key) => {
      const text = toRecoveryKey(key);
      assert.match(text, /^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){13}$/);
      assert.deepEqual(readRecoveryKey(text), key);
    }),
  );
});

test("reading takes any case, spaces and dashes, and letters that look like digits", () => {
  // The bytes of these are 0 and 1, whose letters people mistake.
  const withDigits = toRecoveryKey(new Uint8Array(32).fill(0b0000_1000));
  assert.match(withDigits, /0/);
  assert.match(withDigits, /1/);
  const key = readRecoveryKey(withDigits);
  assert.ok(key);
  for (const text of [
    withDigits.toLowerCase(),
    withDigits.replaceAll("-", ""),
    withDigits.replaceAll("-", " \n\t"),
    withDigits.replaceAll("-", "\u2013"),
    ` ${withDigits} `,
    withDigits.replaceAll("0", "O").replaceAll("1", "I"),
    withDigits.replaceAll("0", "o").replaceAll("1", "l"),
    withDigits.replaceAll("1", "L"),
    withDigits.replaceAll("1", "i"),
  ]) {
    assert.deepEqual(readRecoveryKey(text), key, text);
  }
});

test("every other text is a typing error", () => {
  for (const text of [
    "",
    "correct horse battery staple",
    TEXT.slice(0, -1),
    `${TEXT}0`,
    TEXT.replace(/.$/, "U"),
    TEXT.replace(/.$/, "\u0131"),
    TEXT.replaceAll("-", "_"),
    `${TEXT}-${TEXT}`,
  ]) {
    assert.equal(readRecoveryKey(text), null, text);
  }
});

test("a wrong character, and two neighbours in the wrong order, are typing errors", () => {
  const characters = TEXT.replaceAll("-", "");
  for (let index = 0; index < characters.length; index++) {
    const [a = "", b = ""] = characters.slice(index, index + 2);
    const before = characters.slice(0, index);
    const wrong = before + (a === "7" ? "8" : "7") + characters.slice(index + 1);
    assert.equal(readRecoveryKey(wrong), null, wrong);
    const swapped = before + b + a + characters.slice(index + 2);
    if (a !== b && b !== "") assert.equal(readRecoveryKey(swapped), null, swapped);
  }
});
