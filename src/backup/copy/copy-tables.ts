/**
 * Copies tables from one database to another. One transaction writes all rows, so a process that is
 * killed leaves the target as it was; memory holds one batch of rows, however large the tables are.
 */
import type { BackupRow } from "../format/backup-format.ts";
import type { BackupTable } from "../../database/table-columns.ts";
import { loadRows, streamRows } from "../format/table-rows.ts";
import type { Database, Transaction } from "../../database/database.ts";
import { describeTable, ofPart, type TablePart } from "../../database/table-columns.ts";
import {
  compareTotals,
  createTotalCounter,
  readTotals,
  type TableTotals,
  type TotalCounter,
} from "./table-totals.ts";

/** The target has other rows than the source; they were removed again. */
export class CopyDiffersError extends Error {
  constructor(tables: readonly string[]) {
    super(
      `The copy was not the same as the store (${tables.join(", ")}) and was removed again: check the disks of both, then try again`,
    );
    this.name = "CopyDiffersError";
  }
}

/**
 * `parts` come in the order of their references. No other process may use the databases meanwhile. Rows that
 * the target has of these parts are replaced.
 */
export async function copyTables(
  source: Database,
  target: Database,
  parts: readonly TablePart[],
): Promise<TableTotals> {
  const tables: BackupTable[] = [];
  for (const part of parts) tables.push(await describeTable(source, part));
  const copied = await target.transaction(async (tx) => {
    const counter = createTotalCounter(tables);
    await removeRows(tx, parts);
    await loadRows(tx, countRows(streamRows(source, tables), counter), () => true);
    return counter.totals();
  });
  const differing = compareTotals(copied, await readTotals(target, tables));
  if (differing.length === 0) return copied;
  await target.transaction((tx) => removeRows(tx, parts));
  throw new CopyDiffersError(differing);
}

async function* countRows(
  rows: AsyncIterable<BackupRow>,
  counter: TotalCounter,
): AsyncGenerator<BackupRow> {
  for await (const row of rows) {
    counter.add(row);
    yield row;
  }
}

/** Removes the rows with a script, which has no statement timeout. */
function removeRows(tx: Transaction, parts: readonly TablePart[]): Promise<void> {
  const statements = parts
    .toReversed()
    .map(({ name, where }) => `DELETE FROM ${name} WHERE ${ofPart(where)};`);
  return tx.script(statements.join("\n"));
}
