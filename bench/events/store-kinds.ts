/** The stores that the benchmark can measure, each with its bare counterpart. */
import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { StoredEvent } from "../../src/events/store.ts";
import { databaseBytes, startBenchPostgres } from "../postgres-server.ts";
import type { Role } from "../processes.ts";
import { fillPlainPostgres, fillPlainSqlite, fillPostgres, fillSqlite } from "./fill-store.ts";

export interface EventsStoreKind {
  /** The text of the report about the bare counterpart. */
  readonly bareDescription: string;
  readonly commitDescription: string;
  /** The path is relative to `bench`. */
  readonly bareWorker: string;
  /** How many events the smaller store has. */
  readonly small: number;
  /** The cores of server and load: a database server takes its share of every core. */
  readonly roles: { readonly server: Role; readonly load: Role };
  /** The `store` of a new instance's configuration. */
  createAddress(folder: string): Promise<string>;
  /** Fills the store as an import into the source would, after it was made with its account. */
  fill(
    address: string,
    accountId: string,
    sourceId: string,
    events: readonly StoredEvent[],
  ): Promise<void>;
  /** Returns the address as the bare counterpart opens it. */
  createPlain(folder: string, accountId: string, events: readonly StoredEvent[]): Promise<string>;
  /** The size of a store or its bare counterpart. */
  size(address: string): Promise<number>;
  close(): Promise<void>;
}

const sqlitePath = (address: string) => address.replace(/^sqlite:/, "");

export const SQLITE: EventsStoreKind = {
  bareDescription:
    "bare `node:sqlite` in a process of its own, which joins the same stored texts and writes them once",
  commitDescription: "a durable commit of SQLite",
  bareWorker: "events/bare-sqlite.ts",
  small: 1000,
  roles: { server: "server", load: "load" },
  createAddress: async (folder) => `sqlite:${join(folder, "events.db")}`,
  fill: async (address, ...contents) => fillSqlite(sqlitePath(address), ...contents),
  async createPlain(folder, accountId, events) {
    const path = join(folder, "plain.db");
    fillPlainSqlite(path, accountId, events);
    return path;
  },
  size: async (address) => (await stat(sqlitePath(address))).size,
  close: async () => {},
};

export async function startPostgresKind(): Promise<EventsStoreKind> {
  const server = await startBenchPostgres();
  return {
    bareDescription:
      "bare queries by the `postgres` package on one connection in a process of its own, which join the same stored texts, and one write (PostgreSQL 18, `fsync=on`)",
    commitDescription: "a durable commit of PostgreSQL",
    bareWorker: "events/bare-postgres.ts",
    small: 10_000,
    roles: { server: "free", load: "free" },
    createAddress: server.createDatabase,
    fill: fillPostgres,
    async createPlain(_folder, accountId, events) {
      const address = await server.createDatabase();
      await fillPlainPostgres(address, accountId, events);
      return address;
    },
    size: databaseBytes,
    close: server.close,
  };
}
