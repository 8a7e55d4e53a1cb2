/**
 * Forward-only migrations: `.sql` files in a folder, each applied once, in order. A store of 0.3.0 and of every
 * later version is carried: a migration never changes, and a change of the tables is a new migration.
 */
import type { Database, Dialect, Queryable, Transaction } from "./database.ts";
import { findPending, unversionedStore, type Applied } from "./find-pending.ts";
import { describeVersion, productStamp } from "./product-stamp.ts";
import { readMigrations, type Migration } from "./read-migrations.ts";

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

/** The version and the build that applied the last migrations, for people. */
export async function readMaker(database: Queryable): Promise<string> {
  const [row] = await database.query<{ version: string }>(
    "select version from trellis_migration order by applied_at desc, name desc limit 1",
  );
  return `version ${describeVersion(row?.version ?? "")}`;
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
    for (const state of states) names.push(...(await apply(tx, state)));
    return names;
  });
}

/** Returns the names of the migrations that the scope now has. */
async function apply(tx: Transaction, { scope, isNew, pending }: ScopeState): Promise<string[]> {
  const whole = isNew ? pending.findLastIndex((migration) => migration.whole !== null) : -1;
  for (const [index, migration] of pending.entries()) {
    if (index === whole) await tx.script(migration.whole ?? "");
    else if (index > whole) await tx.script(migration.sql);
    await tx.query(
      `insert into trellis_migration (scope, name, checksum, applied_at, version)
       values ($1, $2, $3, $4, $5)`,
      [scope, migration.name, migration.checksum, Date.now(), productStamp()],
    );
  }
  return pending.map(({ name }) => name);
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
  if (!columns.has("version")) throw unversionedStore(scope);
  return tx.query<{ name: string; checksum: string; version: string }>(
    "select name, checksum, version from trellis_migration where scope = $1 order by name",
    [scope],
  );
}
