/** The schemas that stores out there have: those of 0.3.0, from which every store is carried, and of every release since. */
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
  /** The SHA-256 of these migrations, which never change once the version is released. */
  readonly sha256: string;
}

/** The last entry is the version of the package; until that is released, it follows the migrations. */
export const RELEASED_SCHEMAS: readonly ReleasedSchema[] = [
  {
    name: "0.3.0",
    last: { identity: "002", sync: "003", events: "002" },
    sha256: "d5610e374e8d95ad1b20ac944a5c1e7c0576b1808aacf321a29315a3d6ce4658",
  },
];

/** That of build e0f7940c, the last one before 0.3.0 whose stores are carried. */
export const SCHEMA_BEFORE: ReleasedSchema = {
  name: "build e0f7940c",
  last: { identity: "001", sync: "001", events: "001" },
  sha256: "9002b429148943b29a578fa859bebc2af02ac8272a82909602070e3ce98445df",
};

/** Makes the tables as that release had them. */
export async function migrateTo(
  database: Database,
  last: ReleasedSchema["last"],
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
    await migrate(database, [{ name: scope.name, folder: pathToFileURL(`${kept}/`) }]);
  }
}

/** Adds a migration of a later release to the scopes of a store. */
export async function makeNewer(store: string, scopes: readonly string[]): Promise<void> {
  const database = await openDatabase(store);
  await database.transaction(async (tx) => {
    for (const scope of scopes) {
      await tx.query(
        `INSERT INTO trellis_migration (scope, name, checksum, applied_at, version)
         VALUES ($1, '999-future', 'x', 1, '9.9.9+0f0f0f0f')`,
        [scope],
      );
    }
  });
  await database.close();
}
