/**
 * PostgreSQL for the tests of this process: the shared server of the run, or a new one when a single
 * file is run.
 */
import { after } from "node:test";
import { administer } from "./administer-postgres.ts";
import { launchPostgres, postgresUrl, type LaunchedPostgres } from "./launch-postgres.ts";
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
  return createDatabases(port, names, templateOf);
}

function createDatabases(
  port: number,
  names: string[] = [],
  findTemplate: (tables: Tables) => string = () => EMPTY,
): TestPostgres {
  return {
    async createDatabase(tables) {
      const name = `trellis_test_${process.pid}_${names.length + 1}`;
      names.push(name);
      const template = tables === undefined ? EMPTY : findTemplate(tables);
      // Without the log, which is for the replicas that the server does not have.
      await administer(port, `create database ${name} template ${template} strategy file_copy`);
      return postgresUrl(port, name);
    },
  };
}
