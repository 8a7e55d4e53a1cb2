/** Puts rows of a backup into the tables of a store. */
import type { Queryable } from "../database.ts";
import type { BackupRow, BackupTable } from "./backup-format.ts";

const BATCH_ROWS = 500;
/** Rows may be large, and a batch is one statement. */
const BATCH_CHARACTERS = 4 * 1024 * 1024;

/** Tables that `isWanted` turns down are passed over. */
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
    `INSERT INTO ${name} (${names.join(", ")})
     SELECT ${names.map((column) => `r.${column}`).join(", ")} FROM {rows} AS r`,
    { columns, rows: rows.map(({ values }) => values) },
  );
}
