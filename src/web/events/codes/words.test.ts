import assert from "node:assert/strict";
import { test } from "node:test";
import { FETCH_ERRORS } from "../../../rules/events/subscriptions/fetch-error.ts";
import { LANGUAGES } from "../../language.ts";
import { describeFault, FAULTS } from "./faults.ts";
import { describeSkipReason, SKIP_REASONS } from "./skip-reasons.ts";
import { describeWarning, WARNINGS } from "./warnings.ts";
import type { Words } from "./words.ts";

const TABLES: readonly [string, Words<string>][] = [
  ["faults", FAULTS],
  ["skip reasons", SKIP_REASONS],
  ["warnings", WARNINGS],
];

for (const [name, words] of TABLES) {
  test(`the ${name} are whole sentences in both languages, and none is said twice`, () => {
    assert.deepEqual(Object.keys(words.en).sort(), Object.keys(words.de).sort());
    for (const language of LANGUAGES) {
      const sentences = Object.values(words[language]);
      for (const sentence of sentences) assert.match(sentence, /^\p{Lu}.*[.?]$/u);
      assert.equal(new Set(sentences).size, sentences.length);
    }
    for (const [code, sentence] of Object.entries(words.en)) {
      assert.notEqual(words.de[code], sentence, code);
    }
  });
}

test("every fault of a fetch has words", () => {
  for (const code of Object.keys(FETCH_ERRORS)) {
    for (const language of LANGUAGES) {
      assert.doesNotMatch(describeFault(code, language), /no words|keine Worte/, code);
    }
  }
});

test("a code that nobody knows yet is told with general words and its name", () => {
  for (const code of ["brand-new", "toString", "__proto__", ""]) {
    for (const language of LANGUAGES) {
      for (const describe of [describeFault, describeSkipReason, describeWarning]) {
        assert.ok(describe(code, language).endsWith(`. (${code})`), `${code} ${language}`);
      }
    }
  }
});
