/**
 * The next version of the program: a copy of its sources with a later version number and a migration that an
 * older server cannot live with, because it renames a table that every sign-in writes.
 *
 * No earlier version can be built from this tree, so this version is the older one of the two. Both are whole
 * programs, with the leases and the tables that they really have.
 */
import { globSync } from "node:fs";
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";

export const NEXT_VERSION = "99.0.0";

const PROJECT = join(import.meta.dirname, "../..");
const TABLE = "identity_challenges";
const RENAMED = `next_${TABLE}`;
const MIGRATIONS = {
  "src/identity/migrations/900-next.sql": `ALTER TABLE ${TABLE} RENAME TO ${RENAMED};`,
  "src/events/migrations/900-next.sql": "CREATE TABLE next_events (id BIGINT);",
};

/** Returns the program and its first words; its folder is removed after the test. */
export async function makeNextVersion(
  t: Pick<TestContext, "after">,
): Promise<readonly [program: string, ...words: string[]]> {
  const folder = await mkdtemp(join(tmpdir(), "trellis-next-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const isCopied = (path: string) => !path.endsWith(".test.ts");
  await cp(join(PROJECT, "src"), join(folder, "src"), { recursive: true, filter: isCopied });
  await symlink(join(PROJECT, "node_modules"), join(folder, "node_modules"), "dir");
  const settings = JSON.parse(await readFile(join(PROJECT, "package.json"), "utf8")) as object;
  const next = { ...settings, version: NEXT_VERSION };
  await writeFile(join(folder, "package.json"), JSON.stringify(next));
  for (const [file, sql] of Object.entries(MIGRATIONS)) await writeFile(join(folder, file), sql);
  for (const file of globSync("src/{identity,sync,events}/**/*.ts", { cwd: folder })) {
    const text = await readFile(join(folder, file), "utf8");
    if (text.includes(TABLE)) {
      await writeFile(join(folder, file), text.replaceAll(TABLE, RENAMED));
    }
  }
  return [process.execPath, join(folder, "src/cli/trellis.ts")];
}
