/**
 * The migrations of a scope are `.sql` files in a folder:
 *
 * - `001-name.sql` is for both dialects; then, in the same migration, `001-name.sqlite.sql` or `.postgres.sql`.
 * - `001-name.new.sql` and its two are for a new store, in the place of this migration and all before it.
 */
import { createHash } from "node:crypto";
import type { Dialect } from "./database.ts";
import { readSqlFiles } from "./read-sql-files.ts";

export interface Migration {
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
  /** Makes at once, in a new store, what the migrations up to this one add up to. */
  readonly whole: string | null;
}

const FILE_NAME =
  /^(?<name>\d{3}-[a-z0-9-]+)(?<isNew>\.new)?(?:\.(?<dialect>sqlite|postgres))?\.sql$/;

interface Texts {
  readonly own: string[];
  readonly whole: string[];
}

/** In the order of their numbers. */
export async function readMigrations(folder: URL, dialect: Dialect): Promise<Migration[]> {
  const textsByName = new Map<string, Texts>();
  const textsByFile = [...(await readSqlFiles(folder))];
  for (const [file, text] of textsByFile.sort(([a], [b]) => (a < b ? -1 : 1))) {
    const { name, isNew, dialect: only } = FILE_NAME.exec(file)?.groups ?? {};
    if (name === undefined) throw new Error(`Migration file "${file}" is not called 001-name.sql`);
    const { own, whole } = textsByName.get(name) ?? { own: [], whole: [] };
    textsByName.set(name, { own, whole });
    const texts = isNew === undefined ? own : whole;
    // What both dialects have comes first.
    if (only === undefined) texts.unshift(text);
    else if (only === dialect) texts.push(text);
  }
  const names = [...textsByName.keys()];
  return [...textsByName].map(([name, texts], index) => {
    if (names[index - 1]?.slice(0, 3) === name.slice(0, 3)) {
      throw new Error(`Two migrations have the number ${name.slice(0, 3)}: renumber "${name}"`);
    }
    if (texts.own.length === 0)
      throw new Error(`Migration "${name}" has no file for ${dialect}: add one`);
    return createMigration(name, texts);
  });
}

function createMigration(name: string, { own, whole }: Texts): Migration {
  // A checkout may have changed line ends.
  const sql = own.join("\n").replaceAll("\r\n", "\n");
  const checksum = createHash("sha256").update(sql).digest("hex");
  return { name, sql, checksum, whole: whole.length === 0 ? null : whole.join("\n") };
}
