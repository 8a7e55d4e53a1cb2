/** The programs of a run: each writes a log into one folder, and none outlives this process. */
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { chownSync, closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Programs {
  /** Removed at the end, with everything in it. */
  readonly folder: string;
  /** Starts a program as this process's user, or as that of the services where this one is root. */
  start(name: string, words: readonly string[], as?: "own" | "service"): ChildProcess;
  /** What the program has written so far. */
  readLog(name: string): string;
  /** Runs at the end, before the programs that were started earlier are killed; it cannot wait. */
  atEnd(kill: () => void): void;
  /** Kills all, as does the end of this process. */
  stop(): Promise<void>;
}

/** As root: whose programs they are, because PostgreSQL and PgBouncer refuse to be root's. */
const SERVICE_USER = "postgres";
const INTERRUPTIONS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

export function createPrograms(): Programs {
  const user = findUser();
  const folder = mkdtempSync(join(tmpdir(), "trellis-cluster-"));
  if (user !== null) chownSync(folder, user.uid, user.gid);
  const endings: (() => void)[] = [];
  const logOf = (name: string) => join(folder, `${name}.log`);
  const stop = () => {
    for (const end of endings.splice(0).toReversed()) end();
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  };
  process.once("exit", stop);
  for (const [signal, code] of Object.entries(INTERRUPTIONS)) {
    process.once(signal, () => process.exit(code));
  }
  return {
    folder,
    start(name, [program = "", ...words], as = "service") {
      const log = openSync(logOf(name), "a");
      const child = spawn(program, words, {
        ...(as === "service" && user),
        cwd: folder,
        stdio: ["ignore", log, log],
      });
      // The child has a copy.
      closeSync(log);
      endings.push(() => child.kill("SIGKILL"));
      return child;
    },
    readLog: (name) => readFileSync(logOf(name), "utf8"),
    atEnd: (kill) => void endings.push(kill),
    stop: async () => stop(),
  };
}

/** Null for the user of this process. */
function findUser(): { readonly uid: number; readonly gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  const ask = (option: string) =>
    Number(spawnSync("id", [option, SERVICE_USER], { encoding: "utf8" }).stdout);
  return { uid: ask("-u"), gid: ask("-g") };
}
