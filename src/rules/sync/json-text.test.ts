import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  enterList,
  enterObject,
  nextElement,
  nextMember,
  readJson,
  takeValue,
  type JsonReader,
} from "./json-text.ts";

const space = fc.string({ unit: fc.constantFrom(" ", "\n", "\r", "\t"), maxLength: 3 });

test("elements and separators together are the list, to the letter", () => {
  fc.assert(
    fc.property(fc.array(fc.json()), space, (elements, gap) => {
      const reader = readJson(`${gap}[${gap}${elements.join(`${gap},${gap}`)}${gap}]${gap}`);
      assert.ok(enterList(reader));
      const found: string[] = [];
      while (nextElement(reader)) found.push(takeValue(reader));
      assert.deepEqual(found, elements);
      assert.equal(reader.text.slice(reader.at), gap);
    }),
  );
});

test("members are found by their decoded names, with their values' texts", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.string(), fc.json())), space, (members, gap) => {
      const parts = members.map(([name, json]) => `${JSON.stringify(name)}${gap}:${gap}${json}`);
      const reader = readJson(`{${gap}${parts.join(`${gap},${gap}`)}${gap}}`);
      assert.ok(enterObject(reader));
      const found: [string, string][] = [];
      for (let name = nextMember(reader); name !== null; name = nextMember(reader)) {
        found.push([name, takeValue(reader)]);
      }
      assert.deepEqual(found, members);
      assert.equal(reader.at, reader.text.length);
    }),
  );
});

test("a value's text parses to the value, and its members are counted", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value, null, 1);
      const reader = readJson(text);
      assert.equal(takeValue(reader), text);
      assert.equal(reader.members, countMembers(value));
    }),
  );
});

for (const [name, text] of [
  ["a quote that is escaped", String.raw`"a\"b"`],
  ["a backslash before the closing quote", String.raw`"a\\"`],
  ["an escaped backslash and an escaped quote", String.raw`"\\\"\\\\"`],
  ["brackets, braces and colons", `"]}[{:,"`],
  ["an escape of four digits", String.raw`"\u0022"`],
  ["nothing", `""`],
] as const) {
  test(`a string of ${name} ends where it ends`, () => {
    for (const body of [text, `[${text}]`, `{"x":${text}}`, `[[${text},1]]`]) {
      const reader = readJson(`${body}  `);
      assert.equal(takeValue(reader), body);
    }
  });
}

test("a hundred thousand levels cost no stack", () => {
  const text = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
  assert.equal(takeValue(readJson(text)).length, text.length);
});

test("text that is not JSON is an error, never an endless walk", () => {
  fc.assert(
    fc.property(fc.json(), fc.nat(), (json, at) => {
      const text = `{"a":[1,{"b":${json}}]}`;
      const cut = text.slice(0, at % text.length);
      assert.throws(() => takeValue(readJson(cut)), /not JSON/);
      assert.throws(() => walk(readJson(cut)), /not JSON/);
    }),
  );
});

function walk(reader: JsonReader): void {
  if (enterObject(reader)) while (nextMember(reader) !== null) walk(reader);
  else if (enterList(reader)) while (nextElement(reader)) walk(reader);
  else takeValue(reader);
}

function countMembers(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const own = Array.isArray(value) ? 0 : Object.keys(value).length;
  return Object.values(value).reduce((sum: number, inside) => sum + countMembers(inside), own);
}
