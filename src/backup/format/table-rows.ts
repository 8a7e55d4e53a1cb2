/** Reads the rows of tables from one store, and inserts them into another. */
import type { Database, Queryable } from "../../database/database.ts";
import { ofPart, type BackupTable } from "../../database/table-columns.ts";
import type { BackupRow } from "./backup-format.ts";

/** All rows of the tables in one snapshot: one statement sees one snapshot in both dialects. */
export async function* streamRows<Name extends string>(
  database: Database,
  tables: readonly BackupTable<Name>[],
): AsyncGenerator<BackupRow<Name>> {
  const plans = tables.map((table) => ({ table, slots: assignSlots(table) }));
  const counts = {
    text: Math.max(...plans.map(({ slots }) => countSlots(slots, "text"))),
    integer: Math.max(...plans.map(({ slots }) => countSlots(slots, "integer"))),
  };
  const sql = plans.map(({ table, slots }, part) => selectPart(part, table, slots, counts));
  for await (const row of database.stream(sql.join(" UNION ALL "))) {
    const plan = plans[Number(row["part"])];
    if (plan === undefined) throw new Error("The store returned a row of no table");
    const values = plan.slots.map((slot) => row[slot] as string | number | null);
    yield { table: plan.table, values };
  }
}

/** Common columns for the rows of different tables: `text_1`, `integer_1`, … */
function assignSlots({ columns }: BackupTable): string[] {
  const used = { text: 0, integer: 0 };
  return Object.values(columns).map((type) => `${type}_${++used[type]}`);
}

function countSlots(slots: readonly string[], type: string): number {
  return slots.filter((slot) => slot.startsWith(type)).length;
}

function selectPart(
  part: number,
  { name, columns, where }: BackupTable,
  slots: readonly string[],
  counts: { readonly text: number; readonly integer: number },
): string {
  const names = Object.keys(columns);
  const fill = (type: "text" | "integer", sqlType: string) =>
    Array.from({ length: counts[type] }, (_, index) => {
      const slot = `${type}_${index + 1}`;
      const column = names[slots.indexOf(slot)];
      return `${column ?? `CAST(NULL AS ${sqlType})`} AS ${slot}`;
    });
  const selected = [`${part} AS part`, ...fill("text", "TEXT"), ...fill("integer", "BIGINT")];
  return `SELECT ${selected.join(", ")} FROM ${name} WHERE ${ofPart(where)}`;
}

const BATCH_ROWS = 500;
/** A batch is one statement, and rows may be large. */
const BATCH_CHARACTERS = 4 * 1024 * 1024;

/** Inserts the rows of the tables that `isWanted` accepts. */
export async function loadRows<Name extends string>(
  tx: Queryable,
  rows: AsyncIterable<BackupRow<Name>>,
  isWanted: (table: BackupTable<Name>) => boolean,
): Promise<void> {
  let table: BackupTable | null = null;
  let batch: BackupRow[] = [];
  let characters = 0;
  const flush = async () => {
    if (table !== null && batch.length > 0) await insert(tx, table, batch);
    batch = [];
    characters = 0;
  };
  for await (const row of rows) {
    if (!isWanted(row.table)) continue;
    const isFull = batch.length >= BATCH_ROWS || characters >= BATCH_CHARACTERS;
    if (row.table !== table || isFull) await flush();
    table = row.table;
    batch.push(row);
    for (const value of row.values) characters += typeof value === "string" ? value.length : 8;
  }
  await flush();
}

async function insert(
  tx: Queryable,
  { name, columns }: BackupTable,
  rows: readonly BackupRow[],
): Promise<void> {
  const names = Object.keys(columns);
  await tx.queryRows(
    `INSERT INTO ${name} (instance, ${names.join(", ")})
     SELECT $instance, ${names.map((column) => `r.${column}`).join(", ")} FROM {rows} AS r`,
    { columns, rows: rows.map(({ values }) => values) },
  );
}
