/** Rows of another instance in every table, which nothing that a store does may show, count or change. */
import type { Database } from "../../src/database/database.ts";
import { INSTANCE_TABLES } from "../../src/hosting/instance-rows.ts";

/** Their instance: the first that a database gives a number. */
export const CANARIES = 2;
const FAR_FUTURE = 9_000_000_000_000_000;

/** Offsets, positions and counters are those that a store begins with itself; what can expire never does. */
function valueOf(column: string, type: string): string {
  if (column === "instance") return String(CANARIES);
  if (column === "id") return "1";
  if (column === "realm") return "'sync'";
  if (column === "used_at") return "NULL";
  if (column === "is_cleared") return "0";
  if (/expires_at|until|window_end/.test(column)) return String(FAR_FUTURE);
  return type === "text" ? "'canary'" : "1";
}

/** Puts them into the tables of sync, without row security: statements alone keep them apart then. */
export async function addCanaries(database: Database): Promise<void> {
  const rows = await database.query<{ name: string; column: string; type: string }>(
    `SELECT table_name::text AS name, column_name::text AS column, data_type::text AS type
       FROM information_schema.columns WHERE table_schema = current_schema()`,
  );
  const inserts = INSTANCE_TABLES.toReversed().map((table) => {
    const columns = rows.filter(({ name }) => name === table);
    const values = columns.map(({ column, type }) => valueOf(column, type));
    const names = columns.map(({ column }) => `"${column}"`);
    return `INSERT INTO ${table} (${names.join(", ")}) VALUES (${values.join(", ")});`;
  });
  const off = INSTANCE_TABLES.map((table) => `ALTER TABLE ${table} DISABLE ROW LEVEL SECURITY;`);
  await database.transaction((tx) => tx.script([...off, ...inserts].join("\n")));
}

/** Turns row security on again. */
export async function secureRows(database: Database): Promise<void> {
  const on = INSTANCE_TABLES.map((table) => `ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;`);
  await database.transaction((tx) => tx.script(on.join("\n")));
}

/** The canaries as texts; the same ones as long as nothing has touched them. */
export async function readCanaries(database: Database): Promise<string[]> {
  const selects = INSTANCE_TABLES.map(
    (table) => `SELECT '${table}' AS name, t::text AS text FROM ${table} t
      WHERE t.instance = ${CANARIES}`,
  );
  const rows = await database.query<{ name: string; text: string }>(
    `${selects.join(" UNION ALL ")} ORDER BY name`,
  );
  return rows.map(({ name, text }) => `${name} ${text}`);
}
