/** A service as its operator runs it: commands, then `trellis serve`, as processes. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

export interface ServiceProcess {
  readonly url: string;
  /** Ends it and returns its exit code. */
  stop(): Promise<number | null>;
}

export interface ServiceProcessSettings {
  readonly service: "sync" | "events";
  /** `sqlite:PATH`, relative to a folder of its own, or a `postgres://` address. */
  readonly store: string;
  /** Of the section of that service. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Creates the account, before the commands. */
  readonly prepare: (home: ServiceHome) => Promise<void>;
  /** Run before the service starts; `files` are written into the folder first. */
  readonly commands?: readonly (readonly string[])[];
  readonly files?: Readonly<Record<string, string>>;
}

export interface ServiceHome {
  /** Absolute. */
  readonly store: string;
  readonly dataDir: string;
  readonly instanceKeyFile: string;
}

const COMMAND_LINE = join(import.meta.dirname, "../../src/cli/trellis.ts");

export async function startServiceProcess(
  options: ServiceProcessSettings,
): Promise<ServiceProcess> {
  const { service, store, settings } = options;
  const folder = await mkdtemp(join(tmpdir(), "trellis-conformance-"));
  const config = join(folder, "trellis.config.json");
  const section = {
    ...settings,
    listen: { host: "127.0.0.1", port: 0 },
    store,
    instanceKeyFile: "./instance.key",
  };
  await writeFile(config, JSON.stringify({ dataDir: "./data", [service]: section }));
  for (const [name, text] of Object.entries(options.files ?? {})) {
    await writeFile(join(folder, name), text);
  }
  await options.prepare({
    store: store.replace(/^sqlite:/, `sqlite:${folder}/`),
    dataDir: join(folder, "data"),
    instanceKeyFile: join(folder, "instance.key"),
  });
  for (const words of options.commands ?? []) {
    await runCommand([service, ...words, "--config", config], folder);
  }
  const child = spawn(process.execPath, [COMMAND_LINE, "serve", service, "--config", config], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit") as Promise<[code: number | null]>;
  const url = await new Promise<string>((resolve, reject) => {
    createInterface(child.stdout).on("line", (line) => {
      const entry = JSON.parse(line) as Record<string, string>;
      if (entry["event"] === "ready") resolve(entry[service] ?? "");
    });
    void ended.then(([code]) => reject(new Error(`The process ended with code ${code}`)));
  });
  return {
    url,
    stop: async () => {
      child.kill("SIGTERM");
      const [code] = await ended;
      await rm(folder, { recursive: true, force: true });
      return code;
    },
  };
}

async function runCommand(words: readonly string[], cwd: string): Promise<void> {
  const child = spawn(process.execPath, [COMMAND_LINE, ...words], {
    cwd,
    stdio: ["ignore", "ignore", "inherit"],
  });
  const [code] = (await once(child, "exit")) as [code: number | null];
  if (code !== 0) throw new Error(`"${words.join(" ")}" ended with code ${code}`);
}
