/** Every row of some tables at one moment: one statement is one view, in both dialects. */
import type { Database } from "../database.ts";
import type { BackupRow, BackupTable } from "./backup-format.ts";

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
    if (plan === undefined) throw new Error("The store answered a row of no table");
    const values = plan.slots.map((slot) => row[slot] as string | number | null);
    yield { table: plan.table, values };
  }
}

/** A common shape for rows of different tables: `text_1`, `integer_1`, … */
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
  return `SELECT ${selected.join(", ")} FROM ${name}${where === undefined ? "" : ` WHERE ${where}`}`;
}
