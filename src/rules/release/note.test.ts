import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { escapeMarkup } from "./feeds/markup.ts";
import { isNoteAddress, noteToHtml, noteToText, parseNote } from "./note.ts";

const toHtml = (note: string) => noteToHtml(note, escapeMarkup);

test("links are links in HTML, and text with their address elsewhere", () => {
  const note =
    "Faster, see [the numbers](https://example.com/a?b=1&c=2) & [us](mailto:us@example.com)";
  assert.equal(
    toHtml(note),
    'Faster, see <a href="https://example.com/a?b=1&amp;c=2" rel="noopener noreferrer">the numbers</a> &amp; <a href="mailto:us@example.com" rel="noopener noreferrer">us</a>',
  );
  assert.equal(
    noteToText(note),
    "Faster, see the numbers (https://example.com/a?b=1&c=2) & us (mailto:us@example.com)",
  );
});

test("a bare address is a link without the punctuation that follows", () => {
  assert.deepEqual(parseNote("See https://example.com/a_b. Or (http://example.com)!").words, [
    { text: "See ", href: null },
    { text: "https://example.com/a_b", href: "https://example.com/a_b" },
    { text: ". Or (", href: null },
    { text: "http://example.com", href: "http://example.com" },
    { text: ")!", href: null },
  ]);
  assert.equal(noteToText("See https://example.com."), "See https://example.com.");
});

test("points are a list below the note", () => {
  const note = "Widgets\n- for the [lock](https://example.com) screen\n- small\nones";
  assert.equal(
    toHtml(note),
    'Widgets<ul><li>for the <a href="https://example.com" rel="noopener noreferrer">lock</a> screen</li><li>small\nones</li></ul>',
  );
  assert.equal(
    noteToText(note),
    "Widgets\n  - for the lock (https://example.com) screen\n  - small\nones",
  );
});

for (const note of [
  "[x](javascript:alert(1))",
  "[x](JavaScript:alert)",
  "[x](data:text/html,y)",
  "[x](//example.com)",
  "[x](/path)",
  "[x](https://trusted.example@evil.example)",
  '[x](https://example.com/"onclick=alert)',
  "[x](https://example.com/ y)",
  "![x]",
  "<img src=x onerror=alert(1)>",
  "<a href=y>z</a>",
]) {
  test(`${note} makes no element`, () => {
    const made = toHtml(note).replaceAll(
      /<a href="https:\/\/example\.com\/" rel="noopener noreferrer">[^<]*<\/a>/g,
      "",
    );
    assert.doesNotMatch(made, /[<"]/);
  });
}

test("whatever a note says, its HTML has only links of the three schemes, and lists", () => {
  const word = fc.constantFrom(
    ..."[]()<>\"'`- \n@:/ax&!",
    "https://",
    "mailto:",
    "javascript:",
    "](",
  );
  fc.assert(
    fc.property(fc.array(word, { maxLength: 30 }), (words) => {
      const rest = toHtml(words.join(""))
        .replaceAll(
          /<a href="(?:https?:\/\/|mailto:)[^"<>]+" rel="noopener noreferrer">([^<>"]*)<\/a>/g,
          "$1",
        )
        .replaceAll(/<\/?(?:ul|li)>/g, "");
      assert.doesNotMatch(rest, /[<>"]/);
    }),
  );
});

test("an address is one without spaces, quotes and credentials", () => {
  assert.ok(isNoteAddress("https://example.com/a(b)"));
  for (const address of [
    "",
    "x",
    "https://",
    "https://a b",
    "https://u:p@example.com",
    "ftp://x",
  ]) {
    assert.equal(isNoteAddress(address), false, address);
  }
});
