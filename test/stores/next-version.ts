/**
 * The next version of the program: a copy of its bundle with a later version number and a migration that an
 * older server cannot live with, because it renames a table that every sign-in writes.
 *
 * No earlier version can be built from this tree, so this version is the older one of the two. Both are whole
 * programs, with the leases and the tables that they really have.
 */
import assert from "node:assert/strict";
import { globSync, rmSync } from "node:fs";
import { cp, mkdtemp, readFile, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findOrBuild } from "../fixtures/built-program.ts";

export const NEXT_VERSION = "99.0.0";

const PROJECT = join(import.meta.dirname, "../..");
const TABLE = "identity_challenges";
const RENAMED = `next_${TABLE}`;
const MIGRATIONS = {
  "dist/identity/migrations/900-next.sql": `ALTER TABLE ${TABLE} RENAME TO ${RENAMED};`,
  "dist/events/migrations/900-next.sql": "CREATE TABLE next_events (id BIGINT);",
};

type Program = readonly [program: string, ...words: string[]];

let made: Promise<Program> | undefined;

/** Returns the program and its first words; it is made once for the tests of a process. */
export function makeNextVersion(): Promise<Program> {
  return (made ??= make());
}

async function make(): Promise<Program> {
  const folder = await mkdtemp(join(tmpdir(), "trellis-next-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  await cp(await findOrBuild(), folder, { recursive: true });
  await symlink(join(PROJECT, "node_modules"), join(folder, "node_modules"), "dir");
  const settings = JSON.parse(await readFile(join(folder, "package.json"), "utf8")) as object;
  const next = { ...settings, version: NEXT_VERSION };
  await writeFile(join(folder, "package.json"), JSON.stringify(next));
  for (const [file, sql] of Object.entries(MIGRATIONS)) await writeFile(join(folder, file), sql);
  let renamed = 0;
  for (const file of globSync("dist/*.js", { cwd: folder })) {
    const text = await readFile(join(folder, file), "utf8");
    if (!text.includes(TABLE)) continue;
    await writeFile(join(folder, file), text.replaceAll(TABLE, RENAMED));
    renamed++;
  }
  assert.ok(renamed > 0, "the bundle names the table");
  return [process.execPath, join(folder, "dist/trellis.js")];
}
