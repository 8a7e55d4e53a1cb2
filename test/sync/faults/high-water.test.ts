import assert from "node:assert/strict";
import { existsSync, openSync, writeSync } from "node:fs";
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
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

async function openMark(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), "trellis-mark-"));
  const file = openHighWaterFile(join(folder, "mark"));
  t.after(async () => {
    file.close();
    await rm(folder, { recursive: true, force: true });
  });
  return file;
}

const markAt = (headOffset: number, greatestSequence: number, generation = "g") => ({
  generation,
  headOffset,
  clock: { greatestSequence, takesAnySequence: greatestSequence === 0 },
});

test("the sequence of a high-water mark never falls, and rises without a longer log", async (t) => {
  const file = await openMark(t);
  file.write(markAt(3, 9));
  file.write(markAt(3, 12));
  assert.deepEqual(file.read(), markAt(3, 12));
  file.write(markAt(2, 10));
  assert.deepEqual(file.read(), markAt(3, 12));
  assert.equal(file.advance(markAt(4, 10)), true);
  assert.deepEqual(file.read(), markAt(4, 12));
  file.write(markAt(1, 2, "next"));
  assert.deepEqual(file.read(), markAt(1, 12, "next"));
});

test("a commit of another generation does not reach the mark, however long its log is", async (t) => {
  const file = await openMark(t);
  assert.equal(file.advance(markAt(3, 3)), true);
  assert.equal(file.advance(markAt(9, 9, "other")), false);
  assert.equal(file.advance(markAt(2, 9)), false);
  assert.deepEqual(file.read(), markAt(3, 3));
});
