import type { ColumnType, Database } from "./database.ts";

/** Some of the rows of a table: those of one service. */
export interface TablePart {
  readonly name: string;
  readonly where?: string;
}

/** The condition for the rows of a part, in the instance of the database. */
export function ofPart(where: string | undefined): string {
  return `instance = $instance${where === undefined ? "" : ` AND ${where}`}`;
}

/** What a backup has of a table. */
export interface BackupTable<Name extends string = string> {
  readonly name: Name;
  readonly columns: Readonly<Record<string, Extract<ColumnType, "text" | "integer">>>;
  readonly nullable?: readonly string[];
  readonly where?: string;
  /** The first version of the backup that has it; absent for a table that every one has. */
  readonly since?: number;
}

const TYPES: Readonly<Record<string, "text" | "integer">> = {
  text: "text",
  integer: "integer",
  bigint: "integer",
};

/**
 * Describes a table by the columns that it has now, so that no migration needs a list of them here. The rows of
 * an instance may go to another one, so they are without its number.
 */
export async function describeTable(database: Database, part: TablePart): Promise<BackupTable> {
  const rows = await database.query<{ name: string; type: string }>(
    database.dialect === "sqlite"
      ? "SELECT name, lower(type) AS type FROM pragma_table_info($1) WHERE name <> 'instance' ORDER BY name"
      : // "C", so that both dialects have one order.
        `SELECT column_name::text AS name, data_type::text AS type FROM information_schema.columns
         WHERE table_schema = current_schema() AND table_name = $1 AND column_name <> 'instance'
         ORDER BY column_name::text COLLATE "C"`,
    [part.name],
  );
  if (rows.length === 0) throw new Error(`The store has no table "${part.name}"`);
  const columns = rows.map(({ name, type }) => {
    const known = TYPES[type];
    if (known === undefined) throw new Error(`Column "${name}" has the unknown type "${type}"`);
    return [name, known] as const;
  });
  return { ...part, columns: Object.fromEntries(columns) };
}
