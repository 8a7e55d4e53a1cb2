import assert from "node:assert/strict";
import { cp, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { migrate } from "../../src/database/migrate.ts";
import { openDatabase } from "../../src/database/open-database.ts";
import { createStorePlaces } from "../database/on-both-stores.ts";

const MIGRATIONS = new URL("../../src/identity/migrations/", import.meta.url);
const { testOnBothStores } = createStorePlaces((store) => openDatabase(store));

testOnBothStores(
  "browsers that were known before an upgrade are in use after it",
  async (place) => {
    const database = await place.open();
    const earlier = join(place.folder, "migrations");
    await cp(fileURLToPath(MIGRATIONS), earlier, { recursive: true });
    for (const file of await readdir(earlier)) if (file >= "005") await rm(join(earlier, file));
    await migrate(database, [{ name: "identity", folder: pathToFileURL(`${earlier}/`) }]);
    await database.transaction(async (tx) => {
      await tx.query("INSERT INTO identity_accounts VALUES ('a', 'sync', 'anna', 'sealed', 1, 1)");
      for (const [hash, made] of [["one", 3] as const, ["two", 4] as const]) {
        await tx.query(
          `INSERT INTO identity_known_browsers (token_hash, account_id, made, expires_at)
         VALUES ($1, 'a', $2, 9)`,
          [hash, made],
        );
      }
    });
    await migrate(database, [{ name: "identity", folder: MIGRATIONS }]);
    const rows = await database.query(
      `SELECT token_hash, browser_id, made, last_used, expires_at FROM identity_known_browsers
     ORDER BY made`,
    );
    assert.deepEqual(
      rows.map((row) => ({ ...row })),
      [
        { token_hash: "one", browser_id: "one", made: 3, last_used: 3, expires_at: 9 },
        { token_hash: "two", browser_id: "two", made: 4, last_used: 4, expires_at: 9 },
      ],
    );
  },
);
