import assert from "node:assert/strict";
import { test } from "node:test";
import { escapeControls, escapeLine } from "./escape-controls.ts";

/** Everything that a terminal may obey; not what our own lines have. */
const CONTROL = /[\p{Cc}\p{Bidi_Control}\u2028\u2029\u{e0000}-\u{e007f}]/u;

test("no control character and no mark of direction is left", () => {
  for (let code = 0; code <= 0xe01ff; code++) {
    const character = String.fromCodePoint(code);
    const isOurs = character === "\n" || character === "\t";
    const text = `a${character}b`;
    const escaped = `a${escapeOf(character)}b`;
    const isControl = CONTROL.test(character);
    if (escapeControls(text) !== (isControl && !isOurs ? escaped : text)) assert.fail(escaped);
    if (escapeLine(text) !== (isControl ? escaped : text)) assert.fail(escaped);
  }
});

function escapeOf(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
}

test("escaped JSON is the same value", () => {
  const value = { "\u009b31m": "\u001b]0;x\u0007\r\n\u202e\u007f", list: ["\u2066", "\u{e0041}"] };
  assert.deepEqual(JSON.parse(escapeControls(JSON.stringify(value, null, 2))), value);
});
