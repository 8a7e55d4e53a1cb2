/** The release service as its operator runs it: `trellis serve release` in a process of its own. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

export interface ReleaseProcess {
  readonly api: string;
  readonly smartDownload: string;
  /** Asks it to stop, and answers its exit code. */
  stop(): Promise<number | null>;
}

export interface ReleaseProcessSettings {
  readonly baseUrl: string;
  readonly smartDownloadUrl: string;
  readonly websiteDownloadUrl: string;
  readonly catalog: string;
}

const COMMAND_LINE = join(import.meta.dirname, "../../src/cli/trellis.ts");
const ANY_PORT = { host: "127.0.0.1", port: 0 };

export async function startReleaseProcess(
  settings: ReleaseProcessSettings,
): Promise<ReleaseProcess> {
  const folder = await mkdtemp(join(tmpdir(), "trellis-conformance-"));
  const config = join(folder, "trellis.config.json");
  const { smartDownloadUrl, ...release } = settings;
  await writeFile(
    config,
    JSON.stringify({
      dataDir: "./data",
      release: {
        ...release,
        listen: ANY_PORT,
        smartDownload: { listen: ANY_PORT, url: smartDownloadUrl },
        environment: "test",
      },
    }),
  );
  const child = spawn(process.execPath, [COMMAND_LINE, "serve", "release", "--config", config], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit") as Promise<[code: number | null]>;
  const addresses = await new Promise<Record<string, string>>((resolve, reject) => {
    createInterface(child.stdout).on("line", (line) => {
      const entry = JSON.parse(line) as Record<string, string>;
      if (entry["event"] === "ready") resolve(entry);
    });
    void ended.then(([code]) => reject(new Error(`The process ended with code ${code}`)));
  });
  return {
    api: addresses["release"] ?? "",
    smartDownload: addresses["smartDownload"] ?? "",
    stop: async () => {
      child.kill("SIGTERM");
      const [code] = await ended;
      await rm(folder, { recursive: true, force: true });
      return code;
    },
  };
}
