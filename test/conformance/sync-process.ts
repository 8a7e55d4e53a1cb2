/** The sync service as its operator runs it: an account, then `trellis serve sync`, as processes. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

export interface SyncProcess {
  readonly url: string;
  /** Asks it to stop, and answers its exit code. */
  stop(): Promise<number | null>;
}

export interface SyncProcessSettings {
  readonly username: string;
  readonly password: string;
  /** `sqlite:PATH`, relative to a folder of its own, or a `postgres://` address. */
  readonly store: string;
  /** Of the section `sync`. */
  readonly settings: Readonly<Record<string, unknown>>;
}

const COMMAND_LINE = join(import.meta.dirname, "../../src/cli/trellis.ts");

export async function startSyncProcess(options: SyncProcessSettings): Promise<SyncProcess> {
  const folder = await mkdtemp(join(tmpdir(), "trellis-conformance-"));
  const config = join(folder, "trellis.config.json");
  const sync = {
    ...options.settings,
    listen: { host: "127.0.0.1", port: 0 },
    store: options.store,
    instanceKeyFile: "./instance.key",
  };
  await writeFile(config, JSON.stringify({ dataDir: "./data", sync }));
  await createAccount(config, options);
  const child = spawn(process.execPath, [COMMAND_LINE, "serve", "sync", "--config", config], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit") as Promise<[code: number | null]>;
  const url = await new Promise<string>((resolve, reject) => {
    createInterface(child.stdout).on("line", (line) => {
      const entry = JSON.parse(line) as Record<string, string>;
      if (entry["event"] === "ready") resolve(entry["sync"] ?? "");
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

async function createAccount(
  config: string,
  { username, password }: Pick<SyncProcessSettings, "username" | "password">,
): Promise<void> {
  const words = ["sync", "account", "create", "--username", username, "--password-stdin"];
  const child = spawn(process.execPath, [COMMAND_LINE, ...words, "--config", config], {
    stdio: ["pipe", "ignore", "inherit"],
  });
  child.stdin.end(`${password}\n`);
  const [code] = (await once(child, "exit")) as [code: number | null];
  if (code !== 0) throw new Error(`The account could not be made: exit code ${code}`);
}
