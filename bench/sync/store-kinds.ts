/** The stores that the benchmark can measure, each with its bare counterpart. */
import { join } from "node:path";
import {
  launchPostgres,
  postgresUrl,
  type LaunchedPostgres,
} from "../../test/database/launch-postgres.ts";
import postgres from "postgres";
import { fillPostgres, fillSqlite } from "./fill-store.ts";

export interface StoreKind {
  /** In the report. */
  readonly bareDescription: string;
  /** Relative to `bench`. */
  readonly bareWorker: string;
  /** The `store` of a new instance's configuration. */
  createAddress(folder: string): Promise<string>;
  /** The address as the bare counterpart opens it. */
  bareAddress(address: string): string;
  fill(address: string, length: number): Promise<void>;
  close(): Promise<void>;
}

const sqlitePath = (address: string) => address.slice("sqlite:".length);

export const SQLITE: StoreKind = {
  bareDescription:
    "bare `node:sqlite` in a process of its own with the same rows and settings (WAL, `synchronous=FULL`)",
  bareWorker: "sync/bare-store.ts",
  createAddress: async (folder) => `sqlite:${join(folder, "sync.db")}`,
  bareAddress: sqlitePath,
  fill: async (address, length) => fillSqlite(sqlitePath(address), length),
  close: async () => {},
};

/** A server of its own that waits for the disk, unlike that of the tests. */
export async function startPostgresKind(): Promise<StoreKind> {
  const server: LaunchedPostgres = await launchPostgres({ isDurable: true });
  let databases = 0;
  return {
    bareDescription:
      "bare transactions of the same rows by the `postgres` package on one connection (PostgreSQL 18, `fsync=on`)",
    bareWorker: "sync/bare-postgres.ts",
    async createAddress() {
      const name = `bench_${++databases}`;
      const sql = postgres(postgresUrl(server.port, "postgres"), { max: 1 });
      await sql.unsafe(`create database ${name}`);
      await sql.end();
      return postgresUrl(server.port, name);
    },
    bareAddress: (address) => address,
    fill: fillPostgres,
    close: server.remove,
  };
}
