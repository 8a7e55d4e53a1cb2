import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { EVENTS_SCHEMA } from "../../src/events/sql/open-sql-events-store.ts";
import { SYNC_SCHEMA } from "../../src/sync/sql/open-sql-store.ts";

/** Until the test ends, this process is a later version, with one more migration: stores made before are older. */
export async function addLaterMigration(
  t: Pick<TestContext, "after">,
  scopes: readonly string[],
): Promise<void> {
  const all: { readonly name: string; folder: URL }[] = [...SYNC_SCHEMA, ...EVENTS_SCHEMA];
  for (const scope of all.filter(({ name }) => scopes.includes(name))) {
    const present = scope.folder;
    const later = await mkdtemp(join(tmpdir(), "trellis-later-"));
    t.after(async () => {
      scope.folder = present;
      await rm(later, { recursive: true });
    });
    await cp(fileURLToPath(present), later, { recursive: true });
    const sql = `CREATE TABLE later_${scope.name} (id BIGINT);`;
    await writeFile(join(later, "900-later.sql"), sql);
    scope.folder = pathToFileURL(`${later}/`);
  }
}
