/**
 * PostgreSQL for the tests of this process: the server that the run shares, or one of its own where a
 * file is run by itself.
 */
import { after } from "node:test";
import postgres from "postgres";
import { launchPostgres, postgresUrl, type LaunchedPostgres } from "./launch-postgres.ts";
import { SHARED_PORT } from "./shared-postgres.ts";

export interface TestPostgres {
  /** An empty database of its own; gives its URL. */
  createDatabase(): Promise<string>;
}

const endings: (() => Promise<unknown>)[] = [];

// Registered while this file is loaded: after all tests of the process, also when they fail.
after(async () => {
  for (const end of endings.toReversed()) await end();
});

let started: Promise<TestPostgres> | null = null;

export function startPostgres(): Promise<TestPostgres> {
  started ??= start();
  return started;
}

/** One that tests may stop and start, because nobody else uses it. */
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
