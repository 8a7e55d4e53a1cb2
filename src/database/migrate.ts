/** Forward-only migrations: `.sql` files in a folder, each applied once, in order. */
import { createHash } from "node:crypto";
import type { Database, Dialect, Queryable } from "./database.ts";
import { readSqlFiles } from "./read-sql-files.ts";

interface Migration {
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
}

/** The store was migrated by another version; the message says what to do. */
export class MigrationError extends Error {
  override readonly name = "MigrationError";
}

type Applied = Readonly<Pick<Migration, "name" | "checksum">>;

/** `001-name.sql` for both dialects, or `001-name.sqlite.sql` and `001-name.postgres.sql`. */
const FILE_NAME = /^(?<name>\d{3}-[a-z0-9-]+)(?:\.(?<dialect>sqlite|postgres))?\.sql$/;

const TABLE = `
  create table if not exists trellis_migration (
    scope text not null,
    name text not null,
    checksum text not null,
    applied_at bigint not null,
    primary key (scope, name)
  )
`;

/** Scopes in one database are independent. Returns the names of the applied migrations. */
export async function migrate(database: Database, scope: string, folder: URL): Promise<string[]> {
  const migrations = await readMigrations(folder, database.dialect);
  const names: string[] = [];
  const pending = await database.transaction(async (tx) => {
    await tx.script(TABLE);
    return findPending(migrations, await readApplied(tx, scope), scope);
  });
  for (const migration of pending) {
    if (await apply(database, scope, migrations, migration)) names.push(migration.name);
  }
  return names;
}

/** The migrations of one part of a store. */
export interface Scope {
  readonly name: string;
  readonly folder: URL;
}

/**
 * The migrations that existing scopes lack; a scope that is not there yet has none. Changes
 * nothing, and fails when the store is newer than this version.
 */
export async function listPending(database: Database, scopes: readonly Scope[]): Promise<string[]> {
  const names: string[] = [];
  for (const { name, folder } of scopes) {
    if (!(await isMigrated(database, name))) continue;
    const migrations = await readMigrations(folder, database.dialect);
    const pending = findPending(migrations, await readApplied(database, name), name);
    names.push(...pending.map((migration) => migration.name));
  }
  return names;
}

/** Whether the database has tables of the scope. Changes nothing. */
export async function isMigrated(database: Database, scope: string): Promise<boolean> {
  const tables = await database.query(
    database.dialect === "sqlite"
      ? "select 1 as found from sqlite_schema where name = 'trellis_migration'"
      : // Only in the schema of this instance: the search path may go on to one of another instance.
        `select 1 as found where
           to_regclass(quote_ident(current_schema()) || '.trellis_migration') is not null`,
  );
  return tables.length > 0 && (await readApplied(database, scope)).length > 0;
}

/** Writers exclude each other, so only one of several starting processes applies the migration. */
function apply(
  database: Database,
  scope: string,
  migrations: readonly Migration[],
  { name, sql, checksum }: Migration,
): Promise<boolean> {
  return database.transaction(async (tx) => {
    const pending = findPending(migrations, await readApplied(tx, scope), scope);
    if (pending[0]?.name !== name) return false;
    await tx.script(sql);
    await tx.query(
      "insert into trellis_migration (scope, name, checksum, applied_at) values ($1, $2, $3, $4)",
      [scope, name, checksum, Date.now()],
    );
    return true;
  });
}

function readApplied(tx: Queryable, scope: string): Promise<Applied[]> {
  return tx.query<{ name: string; checksum: string }>(
    "select name, checksum from trellis_migration where scope = $1 order by name",
    [scope],
  );
}

/** The applied migrations must be the first of the known ones, unchanged. */
function findPending(
  migrations: readonly Migration[],
  applied: readonly Applied[],
  scope: string,
): Migration[] {
  for (const [index, { name, checksum }] of applied.entries()) {
    const migration = migrations.find((candidate) => candidate.name === name);
    if (migration === undefined) {
      throw new MigrationError(
        `The store is newer than this version: migration "${name}" of "${scope}" is not known here; start the version that made it, or restore a backup from before`,
      );
    }
    if (migration.checksum !== checksum) {
      throw new MigrationError(
        `Migration "${name}" of "${scope}" was changed after it had been applied; put its file back as it was and write the change as a new migration`,
      );
    }
    if (migrations[index] !== migration) {
      throw new MigrationError(
        `Migration "${migrations[index]?.name}" of "${scope}" comes before "${name}", which is already applied; give it a higher number`,
      );
    }
  }
  return migrations.slice(applied.length);
}

async function readMigrations(folder: URL, dialect: Dialect): Promise<Migration[]> {
  const textsByFile = await readSqlFiles(folder);
  const chosen = new Map<string, string | null>();
  const numbers = new Map<string, string>();
  for (const file of [...textsByFile.keys()].sort()) {
    const { name, dialect: only } = FILE_NAME.exec(file)?.groups ?? {};
    if (name === undefined) throw new Error(`Migration file "${file}" is not called 001-name.sql`);
    const number = name.slice(0, 3);
    if ((numbers.get(number) ?? name) !== name) {
      throw new Error(`Two migrations have the number ${number}: renumber "${name}"`);
    }
    numbers.set(number, name);
    if (only !== undefined && only !== dialect) {
      chosen.set(name, chosen.get(name) ?? null);
      continue;
    }
    if (typeof chosen.get(name) === "string") {
      throw new Error(`Migration "${name}" has two files for ${dialect}: keep one`);
    }
    chosen.set(name, file);
  }
  return [...chosen].map(([name, file]) => {
    const text = file === null ? undefined : textsByFile.get(file);
    if (text === undefined)
      throw new Error(`Migration "${name}" has no file for ${dialect}: add one`);
    return createMigration(name, text);
  });
}

function createMigration(name: string, text: string): Migration {
  // A checkout may have changed line ends.
  const sql = text.replaceAll("\r\n", "\n");
  return { name, sql, checksum: createHash("sha256").update(sql).digest("hex") };
}
