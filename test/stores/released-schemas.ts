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
  /** The SHA-256 of these migrations, which never change once the version is released. */
  readonly sha256: string;
}

/** The last entry is the version of the package; until that is released, it follows the migrations. */
export const RELEASED_SCHEMAS: readonly ReleasedSchema[] = [
  {
    name: "the earliest",
    last: { identity: "001", sync: "001", events: "001" },
    sha256: "30adf04cfc1ee7b69d476df80bcff2c66a4549c18e2fe717d53e25efe153be33",
  },
  {
    name: "0.1.0",
    last: { identity: "005", sync: "009", events: "005" },
    sha256: "905ef55907bcad7f11debf186ba3ecc757a6b3dabfa097ee50264560b71605c9",
  },
  {
    name: "0.2.0",
    last: { identity: "006", sync: "010", events: "005" },
    sha256: "32004494a63a51513c34ba9092faec23d7a715dd9c6c98632b4e6aa827122c46",
  },
];

/** Makes the tables as that release had them. */
export async function migrateTo(
  database: Database,
  { name, last }: ReleasedSchema,
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
  if (!WITHOUT_VERSIONS.has(name)) return;
  await database.transaction((tx) =>
    tx.script("ALTER TABLE trellis_migration DROP COLUMN version"),
  );
}

/** They did not record which version applied a migration. */
const WITHOUT_VERSIONS = new Set(["the earliest", "0.1.0"]);

/** Takes the last migration of the scopes from the record of a store, as if its version had none of it. */
export async function makeOlder(store: string, scopes: readonly string[]): Promise<void> {
  const database = await openDatabase(store);
  await database.transaction(async (tx) => {
    for (const scope of scopes) {
      await tx.query(
        `DELETE FROM trellis_migration WHERE scope = $1
           AND name = (SELECT max(name) FROM trellis_migration WHERE scope = $1)`,
        [scope],
      );
    }
  });
  await database.close();
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
