/** The schemas that stores out there have: that of 0.2.0, the first release, and of every release since. */
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
    name: "0.2.0",
    last: { identity: "001", sync: "001", events: "001" },
    sha256: "fefb7075456089f96b67735a8bb4e09d18557b356df2742347d172ed9ba47f3d",
  },
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
         VALUES ($1, '999-future', 'x', 1, '9.9.9')`,
        [scope],
      );
    }
  });
  await database.close();
}
