/** The processes of `trellis serve sync` that serve the instances of one database. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startPgBouncer } from "../../test/database/pgbouncer.ts";
import { freePort, startService, type RunningService } from "../processes.ts";
import type { DatabaseHost } from "./make-database-host.ts";

export const PROCESSES = 4;

export interface Served extends RunningService {
  readonly port: number;
}

export async function writeConfiguration(
  { dataDir, store }: DatabaseHost,
  path: string,
  port: number,
  maxOpen: number,
  operatorPort?: number,
): Promise<void> {
  const operator = operatorPort !== undefined && { operator: { listen: { port: operatorPort } } };
  await writeFile(
    path,
    JSON.stringify({ dataDir, sync: { listen: { port }, store, maxOpen }, ...operator }),
  );
}

/** `cleanups` stops them. */
export async function startProcesses(
  cleanups: AsyncDisposableStack,
  host: DatabaseHost,
  name: string,
  maxOpen: number,
): Promise<Served[]> {
  const processes: Served[] = [];
  while (processes.length < PROCESSES) {
    const [port, operatorPort] = [await freePort(), await freePort()];
    const config = join(host.dataDir, `${name}-${processes.length}.json`);
    await writeConfiguration(host, config, port, maxOpen, operatorPort);
    const ready = `http://127.0.0.1:${operatorPort}/readyz`;
    const service = await startService("sync", config, ready, "free");
    cleanups.defer(service.stop);
    processes.push({ ...service, port });
  }
  return processes;
}

/** As many that reach the database through PgBouncer in transaction mode. */
export async function startPooledProcesses(
  cleanups: AsyncDisposableStack,
  host: DatabaseHost,
  maxOpen: number,
): Promise<Served[]> {
  const clean = { after: (work: () => unknown) => cleanups.defer(async () => void (await work())) };
  const { address } = await startPgBouncer(clean, host.store, ["pool_mode = transaction"]);
  const store = `${address}?pool=transaction&listen=${new URL(host.store).host}`;
  return startProcesses(cleanups, { ...host, store }, "pooled", maxOpen);
}
