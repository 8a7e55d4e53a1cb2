import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { leaseStore, openLeasedStore } from "./leased-store.ts";
import { SYNC_STORE } from "../sync/open-store.ts";

test("a store that fails to close keeps no restore and no removal away", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "trellis-lease-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const store = `sqlite:${join(folder, "sync.db")}`;
  const place = { store, dataDir: folder };
  const opened = await openLeasedStore(SYNC_STORE, place, async (database) => ({
    async close() {
      await database.close();
      throw new Error("The disk is away");
    },
  }));
  await assert.rejects(opened.close(), /The disk is away/);
  await (await leaseStore("sync", store, "exclusive")).release();
});
