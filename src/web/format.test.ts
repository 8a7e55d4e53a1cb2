import assert from "node:assert/strict";
import { test } from "node:test";
import { capitalise, formatDate, formatList, formatSize } from "./format.ts";

test("a date is in UTC and in the language", () => {
  const lateEvening = Date.UTC(2026, 7, 21, 23, 59, 59);
  assert.equal(formatDate(lateEvening, "en"), "21 August 2026");
  assert.equal(formatDate(lateEvening, "de"), "21. August 2026");
});

test("a size is in megabytes with the decimal separator of the language", () => {
  assert.equal(formatSize(61_440_000, "en"), "61.4 MB");
  assert.equal(formatSize(61_440_000, "de"), "61,4 MB");
  assert.equal(formatSize(2_000_000_000, "en"), "2,000 MB");
});

test("a file under a tenth of a megabyte is shown in kilobytes", () => {
  assert.equal(formatSize(42_100, "en"), "42.1 kB");
  assert.equal(formatSize(900, "de"), "0,9 kB");
});

test("a list ends with the word of the language", () => {
  assert.equal(formatList(["Windows", "macOS", "Linux"], "en"), "Windows, macOS and Linux");
  assert.equal(formatList(["Windows", "macOS", "Linux"], "de"), "Windows, macOS und Linux");
  assert.equal(capitalise("ältere Geräte", "de"), "Ältere Geräte");
});
