import assert from "node:assert/strict";
import { existsSync, openSync, writeSync } from "node:fs";
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { EMPTY_LOG_CLOCK } from "../../../src/rules/sync/log-clock.ts";
import { openHighWaterFile } from "../../../src/sync/sql/high-water.ts";

test("a high-water mark that cannot be written to a full disk fails no push", async (t) => {
  if (!existsSync("/dev/full")) return t.skip("needs a device that is always full");
  const folder = await mkdtemp(join(tmpdir(), "trellis-mark-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, "mark");
  await symlink("/dev/full", path);
  assert.throws(() => writeSync(openSync(path, "r+"), "mark"), /ENOSPC/);
  const mark = openHighWaterFile(path);
  mark.write({ generation: "g", headOffset: 1, clock: EMPTY_LOG_CLOCK });
  mark.close();
});

test("a high-water file that cannot be opened fails the start, and no push", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "trellis-mark-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, "file"), "");
  const mark = openHighWaterFile(join(folder, "file", "mark"));
  assert.throws(() => mark.create(), /ENOTDIR/);
  mark.write({ generation: "g", headOffset: 1, clock: EMPTY_LOG_CLOCK });
  assert.equal(mark.advance({ generation: "g", headOffset: 2, clock: EMPTY_LOG_CLOCK }), true);
  mark.writeSessionEpoch(1);
  mark.close();
});
