/**
 * Replaces the contents of a store by those of a backup, all or nothing, and begins a new generation:
 * every device notices, pulls from the first page and pushes again what is missing. The store keeps
 * its own account and devices when it has an account. Its clock goes on, and nothing but the contents of the
 * backup is known of a clock when the store is new and has no high-water file.
 */
import type { BackupRow } from "../../backup/format/backup-format.ts";
import { loadRows, streamRows } from "../../backup/format/table-rows.ts";
import type { Database, Queryable } from "../../database/database.ts";
import { deleteRows } from "../../database/instance-parameter.ts";
import { unbindInstanceKey } from "../../identity/bind-instance-key.ts";
import { advanceClock, EMPTY_LOG_CLOCK } from "../../rules/sync/log-clock.ts";
import { sequenceOf } from "../../rules/sync/operation.ts";
import { beginGeneration, type HighWater } from "../sql/prepare-log.ts";
import type { SqlSyncStore } from "../sql/open-sql-store.ts";
import { recountOperations } from "../sql/sql-days.ts";
import { readHead, writeClock, type StoredHead } from "../sql/log-head.ts";
import { SYNC_REALM } from "../store.ts";
import { SYNC_BACKUP, type SyncTableName } from "./backup.ts";

export interface SyncRestoreResult {
  readonly head: StoredHead;
  readonly account: "kept" | "restored" | "none";
}

const REPLACED: readonly SyncTableName[] = [
  "sync_marks",
  "sync_entities",
  "sync_operations",
  "sync_ledger",
  "sync_keys",
];
const OF_ACCOUNT: ReadonlySet<SyncTableName> = new Set(["identity_accounts", "identity_passkeys"]);

export async function restoreSyncContents(
  { database, highWater }: Pick<SqlSyncStore, "database" | "highWater">,
  contents: Database,
): Promise<SyncRestoreResult> {
  const mark = highWater.read();
  const result = await database.transaction(async (tx): Promise<SyncRestoreResult> => {
    const replaced: HighWater[] = [await readHead(tx), ...(mark === null ? [] : [mark])];
    const hadAccount = await hasAccount(tx);
    // A script has no statement timeout, which a long log would exceed.
    await tx.script(deleteRows(REPLACED));
    let clock = EMPTY_LOG_CLOCK;
    const noteSequence = ({ table, values }: BackupRow) => {
      if (table.name === "sync_ledger") clock = advanceClock(clock, sequenceOf(String(values[0])));
    };
    await loadRows(
      tx,
      observeRows(streamRows(contents, SYNC_BACKUP.tables), noteSequence),
      ({ name }) => REPLACED.includes(name) || (OF_ACCOUNT.has(name) && !hadAccount),
    );
    await recountOperations(tx);
    await restoreLog(tx, contents);
    await writeClock(tx, { ...clock, takesAnySequence: true });
    const head = await beginGeneration(tx, replaced);
    const account = hadAccount ? "kept" : (await hasAccount(tx)) ? "restored" : "none";
    if (account === "restored") await unbindInstanceKey(tx, SYNC_REALM);
    return { head, account };
  });
  highWater.write(result.head);
  return result;
}

async function* observeRows<Row>(rows: AsyncIterable<Row>, observe: (row: Row) => void) {
  for await (const row of rows) {
    observe(row);
    yield row;
  }
}

/** The store's own generations stay known beside those of the backup. */
async function restoreLog(tx: Queryable, contents: Database): Promise<void> {
  const { generation, headOffset, compactionFloor } = await readHead(contents);
  await tx.query(
    `UPDATE sync_log SET generation = $1, head_offset = $2, compaction_floor = $3
     WHERE instance = $instance AND id = 1`,
    [generation, headOffset, compactionFloor],
  );
  const rows = await contents.query<{ generation: string; head_offset: number }>(
    "SELECT generation, head_offset FROM sync_generations WHERE instance = $instance",
  );
  await tx.queryRows(
    `INSERT INTO sync_generations (instance, generation, head_offset)
     SELECT $instance, r.generation, r.head_offset FROM {rows} AS r WHERE true
     ON CONFLICT (instance, generation) DO NOTHING`,
    {
      columns: { generation: "text", head_offset: "integer" },
      rows: rows.map(({ generation, head_offset }) => [generation, head_offset]),
    },
  );
}

async function hasAccount(tx: Queryable): Promise<boolean> {
  const rows = await tx.query(
    "SELECT account_id FROM identity_accounts WHERE instance = $instance AND realm = 'sync'",
  );
  return rows.length > 0;
}
