/** The rows of a statement in one snapshot, read as they are consumed. */
import { createHash } from "node:crypto";
import { retryConflicts } from "./conflicts.ts";
import type { Pool } from "./connection-pool.ts";
import { TransactionConflictError, type Row, type SqlValue } from "./database.ts";
import { bindInstance } from "./instance-parameter.ts";
import type { PostgresConnection } from "./postgres-connection.ts";
import { FRESH_PLANS, localSettings } from "./postgres-session.ts";
import { rollbackOrClose } from "./postgres-writer.ts";
import type { ServerGuard } from "./server-guard.ts";
import { watchConsumer } from "./watch-consumer.ts";

const ROWS_PER_FETCH = 500;

export interface StreamSettings {
  readonly instance: number;
  readonly guard: ServerGuard;
  /** How long the stream may wait for its consumer. */
  readonly idleTimeoutMs: number;
}

export async function* streamPostgresRows<T extends Row>(
  pool: Pool<PostgresConnection>,
  settings: StreamSettings,
  text: string,
  given: readonly SqlValue[] = [],
): AsyncGenerator<T> {
  const { sql, params } = bindInstance(text, given, settings.instance);
  const cursor = cursorOf(sql);
  const connection = await retryConflicts(async () => {
    await settings.guard.pending();
    const used = await pool.acquire({ line: settings.instance, lane: "stream" });
    try {
      await beginStream(used, settings);
      if (settings.guard.pending() !== null) throw new TransactionConflictError();
      await used.query(`declare ${cursor} no scroll cursor for ${sql}`, params);
      return used;
    } catch (error) {
      await rollbackOrClose(used);
      pool.release(used);
      throw error;
    }
  });
  const end = async () => {
    await rollbackOrClose(connection);
    pool.release(connection);
  };
  const consumer = watchConsumer(settings.idleTimeoutMs, () => void end());
  try {
    for (;;) {
      const rows = await connection.query<T>(`fetch forward ${ROWS_PER_FETCH} from ${cursor}`);
      for (const row of rows) {
        consumer.wait();
        yield row;
        consumer.progress();
      }
      if (rows.length < ROWS_PER_FETCH) return;
    }
  } finally {
    consumer.stop();
    if (!consumer.isStalled()) await end();
  }
}

/** A stream that stalls is ended here; the server does so when this process is gone. */
async function beginStream(
  connection: PostgresConnection,
  { instance, idleTimeoutMs }: StreamSettings,
): Promise<void> {
  const settings = localSettings({
    idle_in_transaction_session_timeout: String(2 * idleTimeoutMs),
    ...FRESH_PLANS,
  });
  await connection.begin(instance, "isolation level repeatable read read only", settings);
}

/** The library caches columns by the statement's text, so fetches of different cursors must differ in it. */
function cursorOf(sql: string): string {
  return `rows_${createHash("sha256").update(sql).digest("hex").slice(0, 24)}`;
}
