/** The schemas that stores out there have: the earliest one, and that of every release since. */
import { cp, mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Database } from "../../src/database/database.ts";
import { migrate, type Scope } from "../../src/database/migrate.ts";
import { openDatabase } from "../../src/database/open-database.ts";

export interface ReleasedSchema {
  readonly name: string;
  /** The number of the last migration of each scope. */
  readonly last: Readonly<Record<string, string>>;
}

/** A release adds a line; until it is made, its line follows the migrations. */
export const RELEASED_SCHEMAS: readonly ReleasedSchema[] = [
  { name: "the earliest", last: { identity: "001", sync: "001", events: "001" } },
  { name: "0.1.0", last: { identity: "005", sync: "009", events: "005" } },
];

/** Makes the tables as that release had them. */
export async function migrateTo(
  database: Database,
  { last }: ReleasedSchema,
  scopes: readonly Scope[],
  folder: string,
): Promise<void> {
  for (const scope of scopes) {
    const kept = join(folder, `migrations-${scope.name}`);
    await mkdir(kept, { recursive: true });
    await cp(fileURLToPath(scope.folder), kept, { recursive: true });
    for (const file of await readdir(kept)) {
      if (file.slice(0, 3) > (last[scope.name] ?? "")) await rm(join(kept, file));
    }
    await migrate(database, scope.name, pathToFileURL(`${kept}/`));
  }
}

/** Adds a migration of a later release to the scopes of a store. */
export async function makeNewer(store: string, scopes: readonly string[]): Promise<void> {
  const database = await openDatabase(store);
  await database.transaction(async (tx) => {
    for (const scope of scopes) {
      await tx.query("INSERT INTO trellis_migration VALUES ($1, '999-future', 'x', 1)", [scope]);
    }
  });
  await database.close();
}
