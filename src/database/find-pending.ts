/** Compares the migrations that a store has with those of this version. */
import { describeVersion } from "./product-stamp.ts";
import type { Migration } from "./read-migrations.ts";

export interface Applied extends Pick<Migration, "name" | "checksum"> {
  /** The version and the build that applied it. */
  readonly version: string;
}

/** The store was made by another version; the message says by which, and what to do. */
export class MigrationError extends Error {
  override readonly name = "MigrationError";
}

/** The applied migrations must be the first of the known ones, unchanged. */
export function findPending(
  migrations: readonly Migration[],
  applied: readonly Applied[],
  scope: string,
): Migration[] {
  for (const [index, known] of migrations.slice(0, applied.length).entries()) {
    const made = applied[index];
    if (made === undefined || (made.name === known.name && made.checksum === known.checksum))
      continue;
    throw foreignStore(`version ${describeVersion(made.version)}`, scope);
  }
  const newest = applied.at(-1);
  if (newest !== undefined && applied.length > migrations.length) throw newerStore(newest, scope);
  return migrations.slice(applied.length);
}

/** The first versions did not record which one applied a migration. */
export function unversionedStore(scope: string): MigrationError {
  return foreignStore("a version before 0.2.0", scope);
}

/** Of a build between releases, or before the first one. */
function foreignStore(maker: string, scope: string): MigrationError {
  return new MigrationError(
    `The store was made by ${maker}, which was no release, and version ${describeVersion()} cannot upgrade its tables of "${scope}": make a backup with the program that made it and restore that here, or move the store and its data folder away and start with a new one; devices push what they have when they sign in again, and calendars are imported again`,
  );
}

function newerStore({ name, version }: Applied, scope: string): MigrationError {
  return new MigrationError(
    `The store is newer than this program: version ${describeVersion(version)} applied migration "${name}" of "${scope}", which version ${describeVersion()} does not know; start that version, or restore a backup from before`,
  );
}
