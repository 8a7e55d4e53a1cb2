import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { SYNC_STORE } from "../sync/sql/open-store.ts";
import { leaseStore } from "./lease-store.ts";
import { openStore } from "./open-store.ts";

test("a store that fails to close keeps no restore and no removal away", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "trellis-lease-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const store = `sqlite:${join(folder, "sync.db")}`;
  const kind: typeof SYNC_STORE = {
    ...SYNC_STORE,
    async open(database, opening) {
      const opened = await SYNC_STORE.open(database, opening);
      return {
        ...opened,
        async close() {
          await opened.close();
          throw new Error("The disk is away");
        },
      };
    },
  };
  const opened = await openStore({ kind, store, dataDir: folder });
  await assert.rejects(opened.close(), /The disk is away/);
  await (await leaseStore("sync", store, "exclusive")).release();
});
