import assert from "node:assert/strict";
import { test } from "node:test";
import { formatFileSize } from "./format.ts";

for (const [bytes, text] of [
  [0, "0 bytes"],
  [1, "1 byte"],
  [999, "999 bytes"],
  [1000, "1.0 kB (1,000 bytes)"],
  [12_345_678, "12.3 MB (12,345,678 bytes)"],
  [999_949, "999.9 kB (999,949 bytes)"],
  [999_950, "1.0 MB (999,950 bytes)"],
  [2_500_000_000, "2.5 GB (2,500,000,000 bytes)"],
  [3_000_000_000_000_000, "3000.0 TB (3,000,000,000,000,000 bytes)"],
] as const) {
  test(`a file of ${bytes} bytes has ${text}`, () => {
    assert.equal(formatFileSize(bytes), text);
  });
}
