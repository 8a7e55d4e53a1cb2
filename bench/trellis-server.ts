/** The real thing: `trellis serve release` as a process, with its defaults and its log to nowhere. */
import { mkdtemp, open, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { productCommand, startProgram, stopProcess, type Role } from "./processes.ts";

export interface TrellisServer {
  readonly port: number;
  readonly pid: number;
  /** From the start of the process to the first answer. */
  readonly startSeconds: number;
  stop(): Promise<void>;
}

const START_TIMEOUT_MS = 60_000;

export async function startTrellis(
  catalog: string,
  output: number | "ignore" = "ignore",
  role: Role = "server",
): Promise<TrellisServer> {
  const home = await mkdtemp(join(tmpdir(), "trellis-bench-"));
  const [port, smartPort] = [await freePort(), await freePort()];
  const config = join(home, "config.json");
  const release = { catalog, listen: { port }, smartDownload: { listen: { port: smartPort } } };
  await writeFile(config, JSON.stringify({ dataDir: home, release }));
  const startedAt = performance.now();
  const child = startProgram(productCommand("serve", "release", "--config", config), role, output);
  const stop = async () => {
    await stopProcess(child);
    await rm(home, { recursive: true, force: true });
  };
  while (!(await isUp(port))) {
    if (child.exitCode !== null || performance.now() - startedAt > START_TIMEOUT_MS) {
      await stop();
      throw new Error("`trellis serve release` did not start");
    }
    await sleep(5);
  }
  return { port, pid: child.pid ?? 0, startSeconds: (performance.now() - startedAt) / 1000, stop };
}

/** What the log of a server of its own says: how long reading and preparing took. */
export async function measureLoadSeconds(catalog: string): Promise<number> {
  const home = await mkdtemp(join(tmpdir(), "trellis-bench-"));
  const path = join(home, "log");
  const log = await open(path, "w");
  try {
    const server = await startTrellis(catalog, log.fd, "free");
    await server.stop();
    const lines = (await readFile(path, "utf8")).trim().split("\n");
    const events = lines.map((line) => JSON.parse(line) as { event?: string; durationMs: number });
    const loaded = events.find(({ event }) => event === "catalog_loaded");
    if (loaded === undefined) throw new Error("The log does not say that the catalogue was loaded");
    return loaded.durationMs / 1000;
  } finally {
    await log.close();
    await rm(home, { recursive: true, force: true });
  }
}

async function isUp(port: number): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${port}/health`)).ok;
  } catch {
    return false;
  }
}

export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
