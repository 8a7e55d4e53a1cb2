import assert from "node:assert/strict";
import { test } from "node:test";
import { parseContentLine, splitTextList, unescapeText, unfoldLines } from "./content-line.ts";

const unfold = (text: string) =>
  [...unfoldLines(text)].map(({ number, text }) => `${number} ${text}`);

test("folded lines are put together, with the number of their first part", () => {
  assert.deepEqual(unfold("A:1\r\n 2\r\n\t3\r\nB:4\r\n"), ["1 A:123", "4 B:4"]);
});

test("every kind of line end is one, and empty lines are nothing", () => {
  assert.deepEqual(unfold("A:1\nB:2\rC:3\r\n\r\nD:4"), ["1 A:1", "2 B:2", "3 C:3", "5 D:4"]);
});

test("white space before the first line is nothing, and its lines count", () => {
  assert.deepEqual(unfold(" \r\n\t\n A:1\r\n 2\nB:3"), ["3 A:12", "5 B:3"]);
  assert.deepEqual(unfold(" \n "), []);
});

test("a line is cut at its limit, however it is folded", () => {
  const [whole] = unfoldLines("x".repeat(70_000));
  const [folded] = unfoldLines(`x${"\r\n x".repeat(70_000)}`);
  assert.equal(whole?.text.length, 65_536);
  assert.equal(folded?.text.length, 65_536);
});

test("a line has a name, parameters and a value", () => {
  const line = parseContentLine('dtstart;tzid="a:b;c";Value=DATE-TIME:2026:x');
  assert.deepEqual(line, {
    name: "DTSTART",
    parameters: new Map([
      ["TZID", "a:b;c"],
      ["VALUE", "DATE-TIME"],
    ]),
    value: "2026:x",
  });
});

test("what is no line is none", () => {
  for (const text of ["", ":x", "NAME", "NAME;X", "NAME;X=1", "NA ME:x", 'NAME;X=":y']) {
    assert.equal(parseContentLine(text), null, text);
  }
});

test("texts lose their escapes once", () => {
  assert.equal(unescapeText(String.raw`a\, b\; c\\n d\n e\x`), "a, b; c\\n d\n e\\x");
});

test("lists are split at commas that are not escaped", () => {
  assert.deepEqual(splitTextList(String.raw`a\,b,c\\,,d`), ["a,b", "c\\", "d"]);
  assert.deepEqual(splitTextList(""), []);
});
