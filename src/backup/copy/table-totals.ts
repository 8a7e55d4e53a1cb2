/** What a copy is compared by: the number of rows of each table, and a digest of them in any order. */
import { createHash } from "node:crypto";
import type { BackupRow } from "../format/backup-format.ts";
import type { BackupTable } from "../../database/table-columns.ts";
import { streamRows } from "../format/table-rows.ts";
import type { Database } from "../../database/database.ts";

export interface TableTotal {
  readonly rows: number;
  /** The digest in hexadecimal. */
  readonly digest: string;
}

export type TableTotals = Readonly<Record<string, TableTotal>>;

export type TotalCounter = ReturnType<typeof createTotalCounter>;

const DIGEST_BITS = 256;

/**
 * The digest is the sum of the SHA-256 of all rows: databases return rows in different orders, and a
 * sum, unlike an exclusive or, also tells a row that comes twice.
 */
export function createTotalCounter(tables: readonly BackupTable[]) {
  const sums = new Map(tables.map(({ name }) => [name, { rows: 0, sum: 0n }]));
  return {
    add({ table, values }: BackupRow): void {
      const total = sums.get(table.name);
      if (total === undefined) throw new Error(`No table "${table.name}" is counted`);
      const hash = createHash("sha256").update(JSON.stringify(values)).digest("hex");
      total.rows += 1;
      total.sum = BigInt.asUintN(DIGEST_BITS, total.sum + BigInt(`0x${hash}`));
    },
    totals: (): TableTotals =>
      Object.fromEntries(
        [...sums].map(([name, { rows, sum }]) => [
          name,
          { rows, digest: sum.toString(16).padStart(DIGEST_BITS / 4, "0") },
        ]),
      ),
  };
}

export async function readTotals(
  database: Database,
  tables: readonly BackupTable[],
): Promise<TableTotals> {
  const counter = createTotalCounter(tables);
  for await (const row of streamRows(database, tables)) counter.add(row);
  return counter.totals();
}

/** The names of the tables whose totals differ. */
export function compareTotals(left: TableTotals, right: TableTotals): string[] {
  return Object.keys(left).filter(
    (name) => left[name]?.rows !== right[name]?.rows || left[name]?.digest !== right[name]?.digest,
  );
}
