import assert from "node:assert/strict";
import { test } from "node:test";
import { escapeControls } from "./escape-controls.ts";

/** Everything that a terminal may obey; not what our own lines have. */
const CONTROL = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u;

test("no control character and no mark of direction is left", () => {
  for (let code = 0; code <= 0xffff; code++) {
    const character = String.fromCharCode(code);
    const isKept = character === "\n" || character === "\t" || !CONTROL.test(character);
    const escape = `\\u${code.toString(16).padStart(4, "0")}`;
    assert.equal(escapeControls(`a${character}b`), isKept ? `a${character}b` : `a${escape}b`);
  }
});

test("escaped JSON is the same value", () => {
  const value = { "\u009b31m": "\u001b]0;x\u0007\r\n\u202e\u007f", list: ["\u2066"] };
  assert.deepEqual(JSON.parse(escapeControls(JSON.stringify(value, null, 2))), value);
});
