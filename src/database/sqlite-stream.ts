/** Rows of one snapshot, read on a connection of their own as fast as the consumer takes them. */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Row, SqlValue } from "./database.ts";
import type { SqliteConnection } from "./sqlite-connection.ts";
import { toReadError } from "./sqlite-errors.ts";
import { watchConsumer } from "./watch-consumer.ts";

export interface SqliteStreamSettings {
  open(): Promise<SqliteConnection>;
  /** May be called again. */
  close(connection: SqliteConnection): void;
  /** Throws when the database is closed. */
  assertOpen(): void;
  readonly idleTimeoutMs: number;
}

/** How long a stream reads before it yields to the event loop. */
const STREAM_TURN_MS = 4;

export function createSqliteStream({
  open,
  close,
  assertOpen,
  idleTimeoutMs,
}: SqliteStreamSettings) {
  return async function* stream<T extends Row>(sql: string, params?: readonly SqlValue[]) {
    assertOpen();
    const connection = await open();
    const consumer = watchConsumer(idleTimeoutMs, () => close(connection));
    try {
      assertOpen();
      connection.handle.exec("begin");
      let turnEndsAt = performance.now() + STREAM_TURN_MS;
      consumer.wait();
      for (const row of connection.iterate<T>(sql, params)) {
        yield row;
        if (performance.now() < turnEndsAt) continue;
        consumer.progress();
        await nextTurn();
        turnEndsAt = performance.now() + STREAM_TURN_MS;
        assertOpen();
        consumer.wait();
      }
    } catch (error) {
      assertOpen();
      throw toReadError(error);
    } finally {
      consumer.stop();
      close(connection);
    }
  };
}
