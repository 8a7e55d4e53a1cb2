/**
 * Forward-only migrations: `.sql` files in a folder, each applied once, in order. `001-start` is the schema of
 * 0.2.0. From it on, every store is carried: a released migration never changes, and a change is a new one.
 */
import { createHash } from "node:crypto";
import type { Database, Dialect, Queryable, Transaction } from "./database.ts";
import { PRODUCT_VERSION } from "./product-version.ts";
import { readSqlFiles } from "./read-sql-files.ts";

interface Migration {
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
  /** The text that it had in builds before 0.2.0 was released, and what carries a store of these. */
  readonly former: FormerMigration | null;
}

type FormerMigration = Pick<Migration, "sql" | "checksum">;

/** The store was migrated by another version; the message says what to do. */
export class MigrationError extends Error {
  override readonly name = "MigrationError";
}

interface Applied extends Pick<Migration, "name" | "checksum"> {
  /** The version that applied it. */
  readonly version: string;
}

/**
 * `001-name.sql` for both dialects; then, in the same migration, `001-name.sqlite.sql` or `.postgres.sql`.
 * `001-name.former.sqlite.sql` carries a store that was made by the former text of the migration, whose checksum
 * is in the first line.
 */
const FILE_NAME =
  /^(?<name>\d{3}-[a-z0-9-]+)(?<former>\.former)?(?:\.(?<dialect>sqlite|postgres))?\.sql$/;
const FORMER = /^-- former: (?<checksum>[0-9a-f]{64})$/m;

const TABLE = `
  create table if not exists trellis_migration (
    scope text not null,
    name text not null,
    checksum text not null,
    applied_at bigint not null,
    version text not null,
    primary key (scope, name)
  )
`;

/** The migrations of one part of a store. Scopes in one database are independent. */
export interface Scope {
  readonly name: string;
  readonly folder: URL;
}

/**
 * Applies what the scopes lack, in one transaction: an upgrade that fails leaves the store to the version
 * that made it. Returns the names of the applied migrations.
 */
export function migrate(database: Database, scopes: readonly Scope[]): Promise<string[]> {
  return applyPending(database, scopes, () => true);
}

/**
 * Makes the tables of scopes that the database does not have, or nothing when it has an older scope: see
 * `listPending`. One transaction: of two versions that start together, one makes all of them.
 */
export async function createTables(database: Database, scopes: readonly Scope[]): Promise<void> {
  for (const { name } of scopes) {
    if (await isMigrated(database, name)) continue;
    await applyPending(database, scopes, (states) =>
      states.every(({ isNew, pending }) => isNew || pending.length === 0),
    );
    return;
  }
}

/**
 * The migrations that existing scopes lack; a scope that is not there yet has none. Changes
 * nothing, and fails when the store is newer than this version.
 */
export async function listPending(database: Database, scopes: readonly Scope[]): Promise<string[]> {
  const { dialect } = database;
  const states = await readStates(database, dialect, await readScopes(scopes, dialect));
  return states.flatMap(({ isNew, pending }) => (isNew ? [] : pending.map(({ name }) => name)));
}

/** Whether the database has tables of the scope. Changes nothing. */
export async function isMigrated(database: Database, scope: string): Promise<boolean> {
  const columns = await listColumns(database, database.dialect);
  return (await readApplied(database, columns, scope)).length > 0;
}

interface KnownScope {
  readonly scope: string;
  readonly migrations: readonly Migration[];
}

interface ScopeState {
  readonly scope: string;
  readonly isNew: boolean;
  readonly pending: readonly Migration[];
}

async function applyPending(
  database: Database,
  scopes: readonly Scope[],
  mayApply: (states: readonly ScopeState[]) => boolean,
): Promise<string[]> {
  const { dialect } = database;
  const known = await readScopes(scopes, dialect);
  // Writers exclude each other, so only one of several starting processes applies a migration.
  return database.transaction(async (tx) => {
    const states = await readStates(tx, dialect, known);
    const names: string[] = [];
    if (!mayApply(states) || states.every(({ pending }) => pending.length === 0)) return names;
    await tx.script(TABLE);
    for (const { scope, pending } of states) {
      for (const migration of pending) {
        await apply(tx, scope, migration);
        names.push(migration.name);
      }
    }
    return names;
  });
}

async function apply(
  tx: Transaction,
  scope: string,
  { name, sql, checksum }: Migration,
): Promise<void> {
  await tx.script(sql);
  await tx.query(
    `insert into trellis_migration (scope, name, checksum, applied_at, version)
     values ($1, $2, $3, $4, $5)
     on conflict (scope, name) do update set checksum = excluded.checksum,
       applied_at = excluded.applied_at, version = excluded.version`,
    [scope, name, checksum, Date.now(), PRODUCT_VERSION],
  );
}

function readScopes(scopes: readonly Scope[], dialect: Dialect): Promise<KnownScope[]> {
  return Promise.all(
    scopes.map(async ({ name, folder }) => ({
      scope: name,
      migrations: await readMigrations(folder, dialect),
    })),
  );
}

async function readStates(
  tx: Queryable,
  dialect: Dialect,
  known: readonly KnownScope[],
): Promise<ScopeState[]> {
  const columns = await listColumns(tx, dialect);
  const states: ScopeState[] = [];
  for (const { scope, migrations } of known) {
    const applied = await readApplied(tx, columns, scope);
    const pending = findPending(migrations, applied, scope);
    states.push({ scope, isNew: applied.length === 0, pending });
  }
  return states;
}

/** The columns of the table of migrations; none when it does not exist. */
async function listColumns(tx: Queryable, dialect: Dialect): Promise<ReadonlySet<string>> {
  const rows = await tx.query<{ name: string }>(
    dialect === "sqlite"
      ? "select name from pragma_table_info('trellis_migration')"
      : // Only in the schema of this instance: the search path may go on to one of another instance.
        `select attname::text as name from pg_attribute where attnum > 0
           and attrelid = to_regclass(quote_ident(current_schema()) || '.trellis_migration')`,
  );
  return new Set(rows.map(({ name }) => name));
}

async function readApplied(
  tx: Queryable,
  columns: ReadonlySet<string>,
  scope: string,
): Promise<Applied[]> {
  if (columns.size === 0) return [];
  if (!columns.has("version")) throw earlierStore(scope);
  return tx.query<{ name: string; checksum: string; version: string }>(
    "select name, checksum, version from trellis_migration where scope = $1 order by name",
    [scope],
  );
}

/** The applied migrations must be the first of the known ones, unchanged. */
function findPending(
  migrations: readonly Migration[],
  applied: readonly Applied[],
  scope: string,
): Migration[] {
  const known = new Map(migrations.map((migration) => [migration.name, migration]));
  const [first] = applied;
  if (first !== undefined && !known.has(first.name)) throw earlierStore(scope);
  const newest = applied.findLast(({ name }) => !known.has(name));
  if (newest !== undefined) throw newerStore(newest, scope);
  const carried: Migration[] = [];
  for (const [index, { name, checksum }] of applied.entries()) {
    const migration = known.get(name);
    if (migration?.former?.checksum === checksum) {
      carried.push({ ...migration, sql: migration.former.sql });
    } else if (migration?.checksum !== checksum) {
      throw new MigrationError(
        `Migration "${name}" of "${scope}" was changed after it had been applied; put its file back as it was and write the change as a new migration`,
      );
    }
    if (migrations[index]?.name !== name) {
      throw new MigrationError(
        `Migration "${migrations[index]?.name}" of "${scope}" comes before "${name}", which is already applied; give it a higher number`,
      );
    }
  }
  return [...carried, ...migrations.slice(applied.length)];
}

/** Versions before 0.2.0 were not published, and began with other migrations. */
function earlierStore(scope: string): MigrationError {
  return new MigrationError(
    `The store was made by a version before 0.2.0, whose tables of "${scope}" cannot be upgraded: move it and its data folder away, and start with a new one; devices push what they have when they sign in again, and calendars are imported again`,
  );
}

function newerStore({ name, version }: Applied, scope: string): MigrationError {
  return new MigrationError(
    `The store is newer than this version: migration "${name}" of "${scope}" is not known here; start version ${version}, which made it, or restore a backup from before`,
  );
}

async function readMigrations(folder: URL, dialect: Dialect): Promise<Migration[]> {
  const textsByName = new Map<string, string[]>();
  const formerByName = new Map<string, string>();
  const textsByFile = [...(await readSqlFiles(folder))];
  for (const [file, text] of textsByFile.sort(([a], [b]) => (a < b ? -1 : 1))) {
    const { name, former, dialect: only } = FILE_NAME.exec(file)?.groups ?? {};
    if (name === undefined) throw new Error(`Migration file "${file}" is not called 001-name.sql`);
    if (former !== undefined) {
      if (only === dialect) formerByName.set(name, text);
      continue;
    }
    const texts = textsByName.get(name) ?? [];
    textsByName.set(name, texts);
    // What both dialects have comes first.
    if (only === undefined) texts.unshift(text);
    else if (only === dialect) texts.push(text);
  }
  const names = [...textsByName.keys()];
  return [...textsByName].map(([name, texts], index) => {
    if (names[index - 1]?.slice(0, 3) === name.slice(0, 3)) {
      throw new Error(`Two migrations have the number ${name.slice(0, 3)}: renumber "${name}"`);
    }
    if (texts.length === 0)
      throw new Error(`Migration "${name}" has no file for ${dialect}: add one`);
    return createMigration(name, texts.join("\n"), formerByName.get(name));
  });
}

function createMigration(name: string, text: string, formerText: string | undefined): Migration {
  // A checkout may have changed line ends.
  const sql = text.replaceAll("\r\n", "\n");
  const checksum = createHash("sha256").update(sql).digest("hex");
  return { name, sql, checksum, former: formerText === undefined ? null : readFormer(formerText) };
}

function readFormer(text: string): FormerMigration {
  const sql = text.replaceAll("\r\n", "\n");
  const { checksum } = FORMER.exec(sql)?.groups ?? {};
  if (checksum === undefined) throw new Error("A former migration needs its checksum");
  return { sql, checksum };
}
