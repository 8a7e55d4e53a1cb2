/** The page of error codes has every code of the contracts, and none that does not exist. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { AUTHORIZATION_ERROR_CODES, EVENTS_ERROR_CODES } from "../../src/contract/events/errors.ts";
import { RELEASE_ERROR_CODES } from "../../src/contract/release/errors.ts";
import { SYNC_ERROR_CODES } from "../../src/contract/sync/errors.ts";

const PAGE = readFileSync(join(import.meta.dirname, "../../docs/troubleshooting.md"), "utf8");
const ROW = /^\| `([a-z_]+)` +\|(.+)\|(.+)\|(.+)\|$/gm;
const redirected = AUTHORIZATION_ERROR_CODES.filter((code) => code !== "invalid_request");

for (const [heading, codes] of [
  ["Releases", RELEASE_ERROR_CODES],
  ["Sync", SYNC_ERROR_CODES],
  ["Events", [...EVENTS_ERROR_CODES, ...redirected]],
] as const) {
  test(`${heading}: every error code has what a person sees, why, and what to do`, () => {
    const [, section = ""] = PAGE.split(`\n## ${heading}\n`);
    const rows = [...(section.split("\n## ")[0] ?? "").matchAll(ROW)];
    assert.deepEqual(rows.map(([, code]) => code).sort(), [...codes].sort());
    for (const [, code = "", ...cells] of rows) {
      for (const cell of cells) assert.notEqual(cell.trim(), "", code);
    }
  });
}
