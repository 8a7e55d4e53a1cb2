/**
 * One PostgreSQL server for a whole run of tests: making one takes as long as most test files. It has
 * a process of its own, because what starts it decides how its process exits, and a run that failed
 * must say so.
 */
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

/** Where test processes find the port of the server that they share. */
export const SHARED_PORT = "SHARED_TEST_POSTGRES_PORT";

let server: ChildProcess | undefined;

export async function startSharedPostgres(): Promise<void> {
  // Without the flags of this process, which would begin another run.
  server = fork(join(import.meta.dirname, "serve-postgres.ts"), { execArgv: [] });
  const [port] = (await Promise.race([
    once(server, "message"),
    once(server, "exit").then(() => Promise.reject(new Error("PostgreSQL did not start"))),
  ])) as [number];
  process.env[SHARED_PORT] = String(port);
}

export async function stopSharedPostgres(): Promise<void> {
  if (server === undefined) return;
  const ended = once(server, "exit");
  server.disconnect();
  await ended;
}
