import assert from "node:assert/strict";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { createPrivateFolder } from "./create-private-folder.ts";
import { StorageUnavailableError } from "./database.ts";

test("a folder is created with those above it, for this user alone", (t) => {
  const home = mkdtempSync(join(tmpdir(), "trellis-folder-"));
  t.after(() => rmSync(home, { recursive: true }));
  for (const path of [join(home, "a/b/c"), join(home, "a/b/d"), join(home, "a")]) {
    createPrivateFolder(path);
    assert.equal(statSync(path).mode & 0o777, 0o700);
  }
});

test(
  "where no folder can be created, one error says so",
  { skip: process.platform !== "linux" && "needs /proc" },
  () => {
    for (const path of ["/proc/trellis", "/proc/trellis/data"]) {
      assert.throws(() => createPrivateFolder(path), {
        name: StorageUnavailableError.name,
        message: /its folder "\/proc\/trellis" cannot be created \(ENOENT\)/,
      });
    }
  },
);
