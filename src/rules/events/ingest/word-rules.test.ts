import assert from "node:assert/strict";
import { test } from "node:test";
import {
  createTypeFinder,
  DEFAULT_WORD_RULES,
  formatWordRules,
  parseWordRules,
} from "./word-rules.ts";

const typeOf = (...texts: string[]) => createTypeFinder(DEFAULT_WORD_RULES)(texts)?.type ?? null;

test("types are found by words in English and German", () => {
  assert.equal(typeOf("Math homework p. 12"), "homework");
  assert.equal(typeOf("HA Mathe"), "homework");
  assert.equal(typeOf("KLAUSUR Physik"), "exam");
  assert.equal(typeOf("Prüfung"), "exam");
  assert.equal(typeOf("Vokabeltest, Unit 3"), "test");
  assert.equal(typeOf("Bio-Referat"), "presentation");
  assert.equal(typeOf("Präsentation: Wale"), "presentation");
});

test("only whole words count", () => {
  assert.equal(typeOf("Contest, protest and classic"), null);
  assert.equal(typeOf("Halloween"), null);
  assert.equal(typeOf("Stundenplan"), null);
  assert.equal(typeOf("testé"), null);
});

test("an umlaut made of two characters is the same letter", () => {
  assert.equal(typeOf("Pru\u0308fung"), "exam");
});

test("lessons are info, by category or title", () => {
  for (const word of ["lesson", "class", "lecture", "Unterricht", "Stunde", "Vorlesung"]) {
    assert.equal(typeOf(`Mathe (${word})`), "info");
    assert.equal(typeOf(word.toUpperCase(), "Mathe"), "info");
  }
});

test("an exam in a lesson is an exam", () => {
  assert.equal(typeOf("Unterricht", "Mathe Klausur"), "exam");
});

test("words of several parts are found across punctuation", () => {
  const find = createTypeFinder([{ type: "essay", words: ["term paper"] }]);
  assert.equal(find(["History: term-paper!"])?.type, "essay");
  assert.equal(find(["term of the paper"]), null);
});

test("the first rule wins, and a rule of nothing finds nothing", () => {
  const find = createTypeFinder([
    { type: "never", words: ["", "!"] },
    { type: "one", words: ["b"] },
    { type: "two", words: ["a"] },
  ]);
  assert.deepEqual(find(["a b"]), { type: "one", word: "b" });
  assert.deepEqual(find(["A!"]), { type: "two", word: "a" });
  assert.equal(find(["!", ""]), null);
});

test("the default rules survive being edited", () => {
  const result = parseWordRules(formatWordRules(DEFAULT_WORD_RULES));
  assert.deepEqual(result, { kind: "valid", rules: DEFAULT_WORD_RULES });
});

test("empty lines and stray commas are ignored", () => {
  const result = parseWordRules("\r\n exam : Klausur, ,Prüfung,\n\n");
  assert.deepEqual(result, {
    kind: "valid",
    rules: [{ type: "exam", words: ["Klausur", "Prüfung"] }],
  });
});

test("an error names its line", () => {
  const errorOf = (text: string) => {
    const result = parseWordRules(text);
    return result.kind === "valid" ? null : `${result.code} ${result.line}`;
  };
  assert.equal(errorOf("exam"), "no-words 1");
  assert.equal(errorOf("exam: a\n: b"), "bad-type 2");
  assert.equal(errorOf("exam: a\n\n\r\n: b"), "bad-type 4");
  assert.equal(errorOf("exam: !"), "bad-word 1");
  assert.equal(errorOf(`exam: ${"a".repeat(61)}`), "bad-word 1");
  assert.equal(errorOf(`${"a".repeat(65)}: a`), "bad-type 1");
  assert.equal(errorOf("a: b\n".repeat(51)), "too-many-rules null");
  assert.equal(errorOf(`a: ${"b,".repeat(101)}`), "too-many-words 1");
});
