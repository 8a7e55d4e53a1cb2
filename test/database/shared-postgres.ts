/** One PostgreSQL server for a whole run of tests: making one takes as long as most test files. */
import { launchPostgres, type LaunchedPostgres } from "./launch-postgres.ts";

/** Where test processes find the port of the server that they share. */
export const SHARED_PORT = "SHARED_TEST_POSTGRES_PORT";

let server: LaunchedPostgres | undefined;

export async function globalSetup(): Promise<void> {
  server = await launchPostgres();
  process.env[SHARED_PORT] = String(server.port);
}

export async function globalTeardown(): Promise<void> {
  await server?.remove();
}
