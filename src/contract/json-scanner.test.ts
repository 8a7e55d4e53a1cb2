import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  enterList,
  enterObject,
  nextElement,
  nextMember,
  createJsonScanner,
  takeValue,
  type JsonScanner,
} from "./json-scanner.ts";

const space = fc.string({ unit: fc.constantFrom(" ", "\n", "\r", "\t"), maxLength: 3 });

test("elements are taken exactly, with any white space between them", () => {
  fc.assert(
    fc.property(fc.array(fc.json()), space, (elements, gap) => {
      const scanner = createJsonScanner(
        `${gap}[${gap}${elements.join(`${gap},${gap}`)}${gap}]${gap}`,
      );
      assert.ok(enterList(scanner));
      const found: string[] = [];
      while (nextElement(scanner)) found.push(takeValue(scanner));
      assert.deepEqual(found, elements);
      assert.equal(scanner.text.slice(scanner.position), gap);
    }),
  );
});

test("members are found by their decoded names, with their values' texts", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.string(), fc.json())), space, (members, gap) => {
      const parts = members.map(([name, json]) => `${JSON.stringify(name)}${gap}:${gap}${json}`);
      const scanner = createJsonScanner(`{${gap}${parts.join(`${gap},${gap}`)}${gap}}`);
      assert.ok(enterObject(scanner));
      const found: [string, string][] = [];
      for (let name = nextMember(scanner); name !== null; name = nextMember(scanner)) {
        found.push([name, takeValue(scanner)]);
      }
      assert.deepEqual(found, members);
      assert.equal(scanner.position, scanner.text.length);
    }),
  );
});

test("the text of a value is taken whole, and its members are counted", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value, null, 1);
      const scanner = createJsonScanner(text);
      assert.equal(takeValue(scanner), text);
      assert.equal(scanner.memberCount, countMembers(value));
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
      const scanner = createJsonScanner(`${body}  `);
      assert.equal(takeValue(scanner), body);
    }
  });
}

test("a hundred thousand levels do not exhaust the stack", () => {
  const text = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
  assert.equal(takeValue(createJsonScanner(text)).length, text.length);
});

test("text that is not JSON is an error, never an endless loop", () => {
  fc.assert(
    fc.property(fc.json(), fc.nat(), (json, at) => {
      const text = `{"a":[1,{"b":${json}}]}`;
      const cut = text.slice(0, at % text.length);
      assert.throws(() => takeValue(createJsonScanner(cut)), /not JSON/);
      assert.throws(() => scanAll(createJsonScanner(cut)), /not JSON/);
    }),
  );
});

function scanAll(scanner: JsonScanner): void {
  if (enterObject(scanner)) while (nextMember(scanner) !== null) scanAll(scanner);
  else if (enterList(scanner)) while (nextElement(scanner)) scanAll(scanner);
  else takeValue(scanner);
}

function countMembers(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const own = Array.isArray(value) ? 0 : Object.keys(value).length;
  return Object.values(value).reduce((sum: number, inside) => sum + countMembers(inside), own);
}
