/**
 * Puts the contents of a backup in the place of a store's own, whole or not at all, and begins a new
 * generation: every device notices, pulls from the first page and sends again what is missing.
 * Account and devices are not turned back in time: those of the store stay when it has an account.
 */
import { loadRows, streamRows } from "../../database/backup/table-rows.ts";
import type { Database, Queryable } from "../../database/database.ts";
import { randomBytes } from "../../rules/web-crypto.ts";
import type { HighWater } from "../sql/high-water.ts";
import { beginGeneration } from "../sql/prepare-log.ts";
import type { SqlSyncStore } from "../sql/open-sql-store.ts";
import { readHead } from "../sql/sql-operations.ts";
import type { LogHead } from "../store.ts";
import { BACKUP_TABLES, type BackupTableName } from "./backup-tables.ts";

export interface Replacement {
  readonly head: LogHead;
  /** Whose account it is now. */
  readonly account: "kept" | "restored" | "none";
}

const REPLACED: readonly BackupTableName[] = ["sync_entities", "sync_operations", "sync_ledger"];

export async function replaceContents(
  { database, highWater }: Pick<SqlSyncStore, "database" | "highWater">,
  contents: Database,
): Promise<Replacement> {
  const mark = highWater.read();
  const replacement = await database.transaction(async (tx): Promise<Replacement> => {
    const replaced: HighWater[] = [await readHead(tx), ...(mark === null ? [] : [mark])];
    const hadAccount = await hasAccount(tx);
    // A script, because a long log takes longer than a statement of the service may.
    await tx.script(REPLACED.map((table) => `DELETE FROM ${table};`).join("\n"));
    await loadRows(
      tx,
      streamRows(contents, BACKUP_TABLES),
      ({ name }) => REPLACED.includes(name) || (name === "identity_accounts" && !hadAccount),
    );
    await takeLog(tx, contents);
    const head = await beginGeneration(tx, randomBytes, replaced);
    const account = hadAccount ? "kept" : (await hasAccount(tx)) ? "restored" : "none";
    return { head, account };
  });
  highWater.write(replacement.head);
  return replacement;
}

/** The log's place and the generations it went through; the store's own generations stay known. */
async function takeLog(tx: Queryable, contents: Database): Promise<void> {
  const { generation, headOffset, compactionFloor } = await readHead(contents);
  await tx.query(
    "UPDATE sync_log SET generation = $1, head_offset = $2, compaction_floor = $3 WHERE id = 1",
    [generation, headOffset, compactionFloor],
  );
  const rows = await contents.query<{ generation: string; head_offset: number }>(
    "SELECT generation, head_offset FROM sync_generations",
  );
  await tx.queryRows(
    `INSERT INTO sync_generations (generation, head_offset)
     SELECT r.generation, r.head_offset FROM {rows} AS r WHERE true
     ON CONFLICT (generation) DO NOTHING`,
    {
      columns: { generation: "text", head_offset: "integer" },
      rows: rows.map(({ generation, head_offset }) => [generation, head_offset]),
    },
  );
}

async function hasAccount(tx: Queryable): Promise<boolean> {
  const rows = await tx.query("SELECT account_id FROM identity_accounts WHERE realm = 'sync'");
  return rows.length > 0;
}
