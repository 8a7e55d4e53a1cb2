import assert from "node:assert/strict";
import { existsSync, statSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { checkConfiguration } from "../configuration/configuration.ts";
import { resolveInstance } from "../configuration/instance.ts";
import { isMoveInterrupted, moveInstance } from "./move-instance.ts";

/** Linux has a file system in memory beside that of the disk; temporary files are on one of them. */
const PLACES = ["/dev/shm", join(import.meta.dirname, "../../../.cache")];
const other = PLACES.find((place) => existsSync(place) && deviceOf(place) !== deviceOf(tmpdir()));

test(
  "an instance moves to another disk with all but its lease",
  { skip: other !== undefined ? false : "there is no second file system" },
  async (t) => {
    const [from, to] = await Promise.all(
      [tmpdir(), other ?? ""].map(async (parent) => {
        const dataDir = await mkdtemp(join(parent, "trellis-move-"));
        t.after(() => rm(dataDir, { recursive: true, force: true }));
        const { sync } = checkConfiguration({ dataDir, sync: {} }, "of the test");
        assert.ok(sync !== undefined);
        return resolveInstance("ada", { baseUrl: "https://ada.example.com" }, sync, dataDir);
      }),
    );
    assert.ok(from !== undefined && to !== undefined);
    await mkdir(join(from.dataDir, "backups"), { recursive: true });
    const files = ["sync.db", "instance.key", join("backups", "sync.backup")];
    for (const file of [...files, "sync.db.lock"]) await writeFile(join(from.dataDir, file), file);
    // A move that was ended in the middle of its copy.
    const left = join(dirname(to.dataDir), ".ada.partial");
    await mkdir(left, { recursive: true });
    await writeFile(join(left, "half of a file"), "");
    const failed = moveInstance(from, to, async () => assert.fail("no space"));
    await assert.rejects(failed, /no space/);
    assert.equal(existsSync(left), false);
    assert.equal(existsSync(from.dataDir), false);
    assert.equal(await isMoveInterrupted(from, to), true);
    assert.equal(await isMoveInterrupted({ ...from, dataDir: `${from.dataDir}-2` }, to), false);
    await moveInstance(from, to, async () => {});
    const moved = await readdir(to.dataDir, { recursive: true });
    assert.deepEqual(moved.toSorted(), [...files, "backups"].toSorted());
    for (const file of files) assert.equal(await readFile(join(to.dataDir, file), "utf8"), file);
  },
);

function deviceOf(path: string): number {
  return statSync(path).dev;
}
