/** A PostgreSQL of a benchmark's own that waits for the disk, unlike that of the tests. */
import postgres from "postgres";
import { administer } from "../test/database/administer-postgres.ts";
import {
  launchPostgres,
  OWNED,
  postgresUrl,
  SERVICE_ROLE,
} from "../test/database/launch-postgres.ts";

export interface BenchPostgres {
  /** An empty database; returns its address. */
  createDatabase(): Promise<string>;
  close(): Promise<void>;
}

export async function startBenchPostgres(): Promise<BenchPostgres> {
  const server = await launchPostgres({ isDurable: true });
  await administer(server.port, `grant pg_checkpoint to ${SERVICE_ROLE}`);
  let databases = 0;
  return {
    async createDatabase() {
      const name = `bench_${++databases}`;
      await administer(server.port, `create database ${name} ${OWNED}`);
      return postgresUrl(server.port, name);
    },
    close: server.remove,
  };
}

/** What a connection sets to see the rows of the one instance, since the role bypasses no policy. */
export const AS_INSTANCE = { connection: { "trellis.instance": "1" } };

const ROWS_PER_STATEMENT = 5000;

/** Fills a database in batches, and leaves it as autovacuum and a checkpoint would. */
export async function fillDatabase<T>(
  address: string,
  rows: Iterable<T>,
  write: (sql: postgres.Sql, batch: readonly T[]) => Promise<void>,
  finish: (sql: postgres.Sql) => Promise<unknown>,
): Promise<void> {
  const sql = postgres(address, { max: 1, onnotice: () => {}, ...AS_INSTANCE });
  let batch: T[] = [];
  for (const row of rows) {
    batch.push(row);
    if (batch.length < ROWS_PER_STATEMENT) continue;
    await write(sql, batch);
    batch = [];
  }
  if (batch.length > 0) await write(sql, batch);
  await finish(sql);
  await sql.unsafe("vacuum analyze");
  await sql.unsafe("checkpoint");
  await sql.end();
}

export async function databaseBytes(address: string): Promise<number> {
  const sql = postgres(address, { max: 1 });
  const [row] = await sql<
    { bytes: string }[]
  >`select pg_database_size(current_database()) as bytes`;
  await sql.end();
  return Number(row?.bytes);
}
