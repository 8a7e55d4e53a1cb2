import assert from "node:assert/strict";
import { test } from "node:test";
import { StorageUnavailableError } from "./database.ts";
import { expectFreeDisk } from "./free-disk.ts";

test("a disk without space for a push is full, whatever small writes it still takes", async () => {
  const freeBytes: Record<string, number> = { "/data": 1024 ** 2, "/full": 1024 ** 2 - 1 };
  const check = (dataDir: string, store: string | null) =>
    expectFreeDisk(dataDir, store, async (folder) => freeBytes[folder] ?? 0);
  await check("/data", null);
  await check("/data", "sqlite:/data/sync.db");
  await check("/data", "postgres://db.example/sync");
  for (const full of [check("/full", null), check("/data", "sqlite:/full/sync.db")]) {
    await assert.rejects(full, (error) => {
      assert.ok(error instanceof StorageUnavailableError);
      assert.match(error.message, /the disk is full/);
      return true;
    });
  }
});
