/** The storages of the sync client that run in Node, each in a place of its own. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMemorySyncStorage } from "../../../src/client/index.ts";
import { createSqliteStorage } from "../../../src/client/node/index.ts";
import type { StorageHarness } from "../../../storage-contract/index.ts";

export const STORAGE_HARNESSES: Readonly<Record<"memory" | "SQLite", StorageHarness>> = {
  memory: {
    isDurable: false,
    isShared: true,
    createPlace: async () => {
      const storage = createMemorySyncStorage({ name: "shared" });
      return { open: async () => storage, remove: async () => {} };
    },
  },
  SQLite: {
    isShared: true,
    createPlace: async () => {
      const folder = await mkdtemp(join(tmpdir(), "trellis-storage-"));
      return {
        open: async () => createSqliteStorage(join(folder, "new", "habits.db")),
        remove: () => rm(folder, { recursive: true, force: true }),
      };
    },
  },
};
