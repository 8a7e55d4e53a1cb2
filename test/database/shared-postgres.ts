/**
 * One PostgreSQL server for a whole run of tests: starting one takes as long as most test files. It runs
 * in a separate process, because its library changes the exit code of the process that starts it.
 */
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { SHARED_PORT } from "./shared-server.ts";
import { createTemplates } from "./template-stores.ts";

let server: ChildProcess | undefined;

export async function startSharedPostgres(): Promise<void> {
  // Without the flags of this process, which would start another test run.
  server = fork(join(import.meta.dirname, "serve-postgres.ts"), { execArgv: [] });
  const [port] = (await Promise.race([
    once(server, "message"),
    once(server, "exit").then(() => Promise.reject(new Error("PostgreSQL did not start"))),
  ])) as [number];
  await createTemplates(port);
  process.env[SHARED_PORT] = String(port);
}

export async function stopSharedPostgres(): Promise<void> {
  if (server === undefined) return;
  const ended = once(server, "exit");
  server.disconnect();
  await ended;
}
