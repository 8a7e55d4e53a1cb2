/** `trellis serve release` as a process on a catalogue, with its defaults. */
import { open, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createFolder } from "../create-folder.ts";
import { freePort, startService, type Role, type RunningService } from "../processes.ts";

export interface ReleaseServer extends RunningService {
  readonly port: number;
}

interface ReleaseServerOptions {
  readonly role?: Role | undefined;
  /** Further options of `trellis serve`. */
  readonly words?: readonly string[] | undefined;
  readonly output?: number | undefined;
}

export async function startReleaseServer(
  catalog: string,
  { role = "server", words = [], output }: ReleaseServerOptions = {},
): Promise<ReleaseServer> {
  const { path: folder, remove } = await createFolder();
  const [port, smartPort] = [await freePort(), await freePort()];
  const config = join(folder, "config.json");
  const release = { catalog, listen: { port }, smartDownload: { listen: { port: smartPort } } };
  await writeFile(config, JSON.stringify({ dataDir: folder, release }));
  const healthUrl = `http://127.0.0.1:${port}/health`;
  const started = await startService("release", config, healthUrl, role, words, output);
  return {
    ...started,
    port,
    async stop() {
      await started.stop();
      await remove();
    },
  };
}

/** How long reading and preparing the catalogue took, from the log of another server. */
export async function measureLoadSeconds(catalog: string): Promise<number> {
  await using folder = await createFolder();
  const path = join(folder.path, "log");
  await using log = await open(path, "w");
  const server = await startReleaseServer(catalog, { role: "free", output: log.fd });
  await server.stop();
  const lines = (await readFile(path, "utf8")).trim().split("\n");
  const events = lines.map((line) => JSON.parse(line) as { event?: string; durationMs: number });
  const loaded = events.find(({ event }) => event === "catalog_loaded");
  if (loaded === undefined) throw new Error("The log has no event catalog_loaded");
  return loaded.durationMs / 1000;
}
