/**
 * PostgreSQL for the tests of this process: the shared server of the run, or a new one when a single
 * file is run.
 */
import { after } from "node:test";
import { administer, connectToPostgres } from "./administer-postgres.ts";
import { launchPostgres, OWNED, postgresUrl, type LaunchedPostgres } from "./launch-postgres.ts";
import { SHARED_PORT, templateOf, type Tables } from "./shared-server.ts";

export interface TestPostgres {
  /**
   * Creates a database and returns its URL. It is empty, or has the tables that a store would create
   * in it: those spare time, and only the shared server has them.
   */
  createDatabase(tables?: Tables): Promise<string>;
}

const EMPTY = "template1";
const endings: (() => Promise<unknown>)[] = [];

let started: Promise<TestPostgres> | null = null;

// Registered when the file is loaded, so it runs after all tests, also when they fail.
after(stopPostgres);

/** Drops what the tests so far created. */
export async function stopPostgres(): Promise<void> {
  started = null;
  for (const end of endings.splice(0).toReversed()) await end();
}

export function startPostgres(): Promise<TestPostgres> {
  started ??= start();
  return started;
}

/** A server that tests may stop and start. */
export async function startOwnPostgres(): Promise<TestPostgres & LaunchedPostgres> {
  const server = await launchPostgres();
  endings.push(server.remove);
  const { port } = server;
  return { ...server, ...createDatabases(port, (command) => administer(port, command)) };
}

async function start(): Promise<TestPostgres> {
  const sharedPort = process.env[SHARED_PORT];
  if (sharedPort === undefined) return startOwnPostgres();
  const port = Number(sharedPort);
  // Kept, because to connect takes longer than to create a database.
  const sql = connectToPostgres(port);
  const names: string[] = [];
  endings.push(async () => {
    for (const name of names) await sql.unsafe(`drop database ${name} with (force)`);
    await sql.end();
  });
  return createDatabases(port, (command) => sql.unsafe(command), names, templateOf);
}

function createDatabases(
  port: number,
  run: (command: string) => Promise<unknown>,
  names: string[] = [],
  findTemplate: (tables: Tables) => string = () => EMPTY,
): TestPostgres {
  return {
    async createDatabase(tables) {
      const name = `trellis_test_${process.pid}_${names.length + 1}`;
      names.push(name);
      const template = tables === undefined ? EMPTY : findTemplate(tables);
      // Without the log, which is for the replicas that the server does not have.
      await run(`create database ${name} ${OWNED} template ${template} strategy file_copy`);
      return postgresUrl(port, name);
    },
  };
}
