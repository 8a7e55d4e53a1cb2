/** Every version of the package has a store format of its own, which is known by the hash of its migrations. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readdir } from "node:fs/promises";
import { test } from "node:test";
import { PRODUCT_VERSION } from "../../src/database/product-version.ts";
import { readSqlFiles } from "../../src/database/read-sql-files.ts";
import { EVENTS_SCHEMA } from "../../src/events/sql/open-sql-events-store.ts";
import { SYNC_SCHEMA } from "../../src/sync/sql/open-sql-store.ts";
import { RELEASED_SCHEMAS, SCHEMA_BEFORE, type ReleasedSchema } from "./released-schemas.ts";

const SCOPES = [...SYNC_SCHEMA, ...EVENTS_SCHEMA.slice(1)];

async function hashMigrations(last: ReleasedSchema["last"]): Promise<string> {
  const hash = createHash("sha256");
  for (const { name, folder } of SCOPES) {
    const files = [...(await readSqlFiles(folder))].filter(
      ([file]) => file.slice(0, 3) <= (last[name] ?? ""),
    );
    for (const [file, text] of files.sort(([a], [b]) => (a < b ? -1 : 1))) {
      hash.update(`${name}/${file}\n${text.replaceAll("\r\n", "\n")}`);
    }
  }
  return hash.digest("hex");
}

test("the migrations of a version do not change, and new ones raise the version", async () => {
  const present = Object.fromEntries(
    await Promise.all(
      SCOPES.map(async ({ name, folder }) => {
        const files = (await readdir(folder)).sort();
        return [name, files.at(-1)?.slice(0, 3)] as const;
      }),
    ),
  );
  const newest = RELEASED_SCHEMAS.at(-1);
  assert.equal(newest?.name, PRODUCT_VERSION, "enter the version of package.json as the last");
  assert.deepEqual(
    newest.last,
    present,
    `If ${newest.name} is not released yet, enter the new migrations there; else raise the version`,
  );
  for (const { name, last, sha256 } of [SCHEMA_BEFORE, ...RELEASED_SCHEMAS]) {
    assert.equal(
      await hashMigrations(last),
      sha256,
      `The migrations of ${name} have moved. If it is not released yet, enter their new hash; else put them back, and write a new migration`,
    );
  }
});
