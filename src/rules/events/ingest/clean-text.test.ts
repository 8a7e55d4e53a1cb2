import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { anyCodePoint } from "../../../../test/fixtures/any-code-point.ts";
import { cleanText } from "./clean-text.ts";

test("control characters and line ends become single spaces", () => {
  assert.equal(cleanText(" a\u0000b\r\n\tc\u0085d ", 50).text, "a b c d");
});

test("text without visible characters is null", () => {
  assert.deepEqual(cleanText("\u0000 \n", 50), { text: null, isCut: false });
});

test("a formula stays the text that it is", () => {
  for (const formula of ["=cmd|' /C calc'!A0", "+1+1", "@SUM(A1)", "-2+3"]) {
    assert.equal(cleanText(formula, 50).text, formula);
  }
});

test("a text is cut by characters and never inside of one", () => {
  assert.deepEqual(cleanText("😀".repeat(10), 10), { text: "😀".repeat(10), isCut: false });
  assert.deepEqual(cleanText("😀".repeat(11), 10), { text: `${"😀".repeat(9)}…`, isCut: true });
});

test("any text becomes well-formed text without control characters, and cleaning it again changes nothing", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: anyCodePoint }),
      fc.integer({ min: 1, max: 20 }),
      (source, max) => {
        const { text } = cleanText(source, max);
        if (text === null) return;
        assert.ok(text.isWellFormed());
        assert.ok(Array.from(text).length <= max);
        // oxlint-disable-next-line no-control-regex
        assert.doesNotMatch(text, /[\u0000-\u001f\u007f-\u009f]/);
        assert.equal(cleanText(text, max).text?.trim(), text.trim());
      },
    ),
  );
});
