import { readUsedBytes } from "../../database/disk-space.ts";
import type { Database } from "../../database/database.ts";
import { ONLY_INSTANCE } from "../../database/instance-parameter.ts";

/** What a row takes beside its text: its head, its key, and its entries in indexes. */
const ROW_BYTES = 200;
/** What an instance takes before its first push: its account, its devices, and their entries in indexes. */
const EMPTY_BYTES = 16_384;

/** The sizes of texts as they are stored, which are in their rows: no text is read. */
const MEASURE = `SELECT CAST(
    (SELECT coalesce(sum(pg_column_size(o.body) + ${ROW_BYTES}), 0) FROM sync_operations o
     WHERE o.instance = $instance)
    + (SELECT coalesce(sum(pg_column_size(e.state) + ${ROW_BYTES}), 0) FROM sync_entities e
       WHERE e.instance = $instance)
    + (SELECT count(*) * ${ROW_BYTES} FROM sync_ledger l WHERE l.instance = $instance)
    + ${EMPTY_BYTES}
  AS BIGINT) AS bytes`;

/** What the store of an instance uses. Of several in one database, it is what their texts and rows take. */
export async function readStoredBytes(database: Database): Promise<number> {
  if (database.instance === ONLY_INSTANCE) return readUsedBytes(database);
  const [row] = await database.query<{ bytes: number }>(MEASURE);
  return row?.bytes ?? 0;
}
