/** The stores that the benchmark can measure, each with its bare counterpart. */
import { join } from "node:path";
import { startBenchPostgres } from "../postgres-server.ts";
import { fillPostgres, fillSqlite } from "./fill-store.ts";

export interface BenchedStore {
  /** The text of the report about the bare counterpart. */
  readonly bareDescription: string;
  /** The path is relative to `bench`. */
  readonly bareWorker: string;
  /** Numbers of clients that push at once. */
  readonly pushClients: readonly number[];
  /** The `store` of a new instance's configuration. */
  createAddress(folder: string): Promise<string>;
  /** The address as the bare counterpart opens it. */
  bareAddress(address: string): string;
  fill(address: string, length: number): Promise<void>;
  close(): Promise<void>;
}

const sqlitePath = (address: string) => address.slice("sqlite:".length);

export const SQLITE: BenchedStore = {
  bareDescription:
    "bare `node:sqlite` in a process of its own with the same rows and settings (WAL, `synchronous=FULL`)",
  bareWorker: "sync/bare-sqlite.ts",
  pushClients: [1, 16],
  createAddress: async (folder) => `sqlite:${join(folder, "sync.db")}`,
  bareAddress: sqlitePath,
  fill: async (address, length) => fillSqlite(sqlitePath(address), length),
  close: async () => {},
};

export async function startPostgresKind(): Promise<BenchedStore> {
  const server = await startBenchPostgres();
  return {
    bareDescription:
      "bare transactions of the same rows by the `postgres` package on one connection (PostgreSQL 18, `fsync=on`)",
    bareWorker: "sync/bare-postgres.ts",
    pushClients: [1, 4, 16],
    createAddress: server.createDatabase,
    bareAddress: (address) => address,
    fill: fillPostgres,
    close: server.close,
  };
}
