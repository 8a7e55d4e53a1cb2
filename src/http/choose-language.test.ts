import assert from "node:assert/strict";
import { test } from "node:test";
import { chooseLanguage } from "./choose-language.ts";

const LANGUAGES = ["en", "de"] as const;

test("the language with the higher weight is chosen, of equals the one named first", () => {
  for (const [header, language] of [
    [null, "en"],
    ["", "en"],
    ["de", "de"],
    ["de-AT, en;q=0.9", "de"],
    ["en;q=0.4, de;q=0.5", "de"],
    ["DE", "de"],
    ["fr, de;q=0.1", "de"],
    ["de;q=0, fr", "en"],
    ["de, en", "de"],
    ["*", "en"],
  ] as const) {
    assert.equal(chooseLanguage(header, LANGUAGES), language, String(header));
  }
});
