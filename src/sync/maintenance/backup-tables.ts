/**
 * What a backup holds of a store: the log, the states, the ledger and the account. Sessions, tokens,
 * challenges, codes and throttles are not in it: a restore must not bring back a device that was
 * signed out, nor forget who was guessing.
 */
import type { Database } from "../../database/database.ts";
import type { ColumnType } from "../../database/rows.ts";

export interface BackupTable {
  readonly name: BackupTableName;
  readonly columns: Readonly<Record<string, Extract<ColumnType, "text" | "integer">>>;
  readonly where?: string;
}

export type BackupTableName =
  | "sync_log"
  | "sync_generations"
  | "sync_entities"
  | "sync_operations"
  | "sync_ledger"
  | "identity_accounts";

export const BACKUP_TABLES: readonly BackupTable[] = [
  {
    name: "sync_log",
    columns: {
      id: "integer",
      generation: "text",
      head_offset: "integer",
      compaction_floor: "integer",
    },
  },
  { name: "sync_generations", columns: { generation: "text", head_offset: "integer" } },
  {
    name: "identity_accounts",
    columns: {
      account_id: "text",
      realm: "text",
      username: "text",
      sealed_verifier: "text",
      created_at: "integer",
      password_changed_at: "integer",
    },
    where: "realm = 'sync'",
  },
  { name: "sync_entities", columns: { entity_id: "text", state: "text" } },
  {
    name: "sync_operations",
    columns: { log_offset: "integer", entity_id: "text", body: "text", received_at: "integer" },
  },
  {
    name: "sync_ledger",
    columns: { operation_id: "text", content_hash: "text", log_offset: "integer" },
  },
];

export interface BackupRow {
  readonly table: BackupTable;
  /** In the order of the table's columns. */
  readonly values: readonly (string | number)[];
}

/** Every row of every table at one moment: one statement is one view, in both dialects. */
export async function* streamBackupRows(database: Database): AsyncGenerator<BackupRow> {
  const plans = BACKUP_TABLES.map((table) => ({ table, slots: assignSlots(table) }));
  const counts = {
    text: Math.max(...plans.map(({ slots }) => countSlots(slots, "text"))),
    integer: Math.max(...plans.map(({ slots }) => countSlots(slots, "integer"))),
  };
  const sql = plans.map(({ table, slots }, part) => selectPart(part, table, slots, counts));
  for await (const row of database.stream(sql.join(" UNION ALL "))) {
    const plan = plans[Number(row["part"])];
    if (plan === undefined) throw new Error("The store answered a row of no table");
    yield { table: plan.table, values: plan.slots.map((slot) => row[slot] as string | number) };
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
