import assert from "node:assert/strict";
import { test } from "node:test";
import { LANGUAGES } from "../../contract/language.ts";
import { FETCH_ERRORS, toAccountError } from "../../rules/events/subscriptions/fetch-error.ts";
import {
  describeCode,
  FEED_ERROR_TEXTS,
  FEED_NOTICE_TEXTS,
  FEED_WARNING_TEXTS,
  SKIP_REASON_TEXTS,
  type CodeTexts,
} from "./feed-texts.ts";

const TABLES: readonly [string, CodeTexts<string>][] = [
  ["feed errors", FEED_ERROR_TEXTS],
  ["skip reasons", SKIP_REASON_TEXTS],
  ["feed warnings", FEED_WARNING_TEXTS],
  ["feed notices", FEED_NOTICE_TEXTS],
];

for (const [name, texts] of TABLES) {
  test(`the ${name} are distinct, complete sentences in both languages`, () => {
    assert.deepEqual(Object.keys(texts.en).sort(), Object.keys(texts.de).sort());
    for (const language of LANGUAGES) {
      const sentences = Object.values(texts[language]);
      for (const sentence of sentences) assert.match(sentence, /^\p{Lu}.*[.?]$/u);
      assert.equal(new Set(sentences).size, sentences.length);
    }
    for (const [code, sentence] of Object.entries(texts.en)) {
      assert.notEqual(texts.de[code], sentence, code);
    }
  });
}

test("every fetch error that an account sees has a text", () => {
  for (const code of Object.keys(FETCH_ERRORS).map(toAccountError)) {
    for (const language of LANGUAGES) {
      const text = describeCode(FEED_ERROR_TEXTS, code, language);
      assert.ok(!text.endsWith(`(${code})`), code);
    }
  }
});

test("an unknown code gets a general text and its name", () => {
  for (const code of ["brand-new", "toString", "__proto__", ""]) {
    for (const language of LANGUAGES) {
      for (const [name, texts] of TABLES) {
        const text = describeCode(texts, code, language);
        assert.ok(text.endsWith(`. (${code})`), `${name} ${code} ${language}`);
      }
    }
  }
});
