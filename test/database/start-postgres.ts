/**
 * PostgreSQL for the tests of this process: the shared server of the run, or a new one when a single
 * file is run.
 */
import { after } from "node:test";
import postgres from "postgres";
import { launchPostgres, postgresUrl, type LaunchedPostgres } from "./launch-postgres.ts";
import { SHARED_PORT } from "./shared-postgres.ts";

export interface TestPostgres {
  /** Creates an empty database and returns its URL. */
  createDatabase(): Promise<string>;
}

const endings: (() => Promise<unknown>)[] = [];

// Registered when the file is loaded, so it runs after all tests, also when they fail.
after(async () => {
  for (const end of endings.toReversed()) await end();
});

let started: Promise<TestPostgres> | null = null;

export function startPostgres(): Promise<TestPostgres> {
  started ??= start();
  return started;
}

/** A server that tests may stop and start. */
export async function startOwnPostgres(): Promise<TestPostgres & LaunchedPostgres> {
  const server = await launchPostgres();
  endings.push(server.remove);
  return { ...server, ...createDatabases(server.port) };
}

async function start(): Promise<TestPostgres> {
  const sharedPort = process.env[SHARED_PORT];
  if (sharedPort === undefined) return startOwnPostgres();
  const port = Number(sharedPort);
  const names: string[] = [];
  endings.push(() =>
    administer(port, ...names.map((name) => `drop database ${name} with (force)`)),
  );
  return createDatabases(port, names);
}

function createDatabases(port: number, names: string[] = []): TestPostgres {
  return {
    async createDatabase() {
      const name = `trellis_test_${process.pid}_${names.length + 1}`;
      names.push(name);
      await administer(port, `create database ${name}`);
      return postgresUrl(port, name);
    },
  };
}

async function administer(port: number, ...commands: readonly string[]): Promise<void> {
  const sql = postgres(postgresUrl(port, "postgres"), { max: 1, onnotice: () => {} });
  for (const command of commands) await sql.unsafe(command);
  await sql.end();
}
