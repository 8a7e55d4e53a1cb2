import assert from "node:assert/strict";
import { test } from "node:test";
import { checkWordRules, formatWordRules, parseWordRules } from "./check-word-rules.ts";
import { DEFAULT_WORD_RULES } from "./word-rules.ts";

test("the rules that everybody starts with survive being edited", () => {
  const result = parseWordRules(formatWordRules(DEFAULT_WORD_RULES));
  assert.deepEqual(result, { ok: true, rules: DEFAULT_WORD_RULES });
});

test("empty lines and stray commas are forgiven", () => {
  const result = parseWordRules("\r\n exam : Klausur, ,Prüfung,\n\n");
  assert.deepEqual(result, { ok: true, rules: [{ type: "exam", words: ["Klausur", "Prüfung"] }] });
});

test("what is wrong is named with its line", () => {
  const faultOf = (value: unknown) => {
    const result = typeof value === "string" ? parseWordRules(value) : checkWordRules(value);
    return result.ok ? null : `${result.fault.code} ${result.fault.line}`;
  };
  assert.equal(faultOf("exam"), "no-words 1");
  assert.equal(faultOf("exam: a\n: b"), "bad-type 2");
  assert.equal(faultOf("exam: a\n\n\r\n: b"), "bad-type 4");
  assert.equal(faultOf("exam: !"), "bad-word 1");
  assert.equal(faultOf(`exam: ${"a".repeat(61)}`), "bad-word 1");
  assert.equal(faultOf(`${"a".repeat(65)}: a`), "bad-type 1");
  assert.equal(faultOf("a: b\n".repeat(51)), "too-many-rules null");
  assert.equal(faultOf(`a: ${"b,".repeat(101)}`), "too-many-words 1");
  assert.equal(faultOf({}), "no-list null");
  assert.equal(faultOf([null]), "bad-type 1");
  assert.equal(faultOf([{ type: "a", words: [1] }]), "bad-word 1");
});
