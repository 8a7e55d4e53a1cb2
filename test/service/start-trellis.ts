/** Runs the command line in a process, on free ports. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { trellisProgram } from "../fixtures/trellis-program.ts";

/** Only for a process that hangs: on a busy machine a start may take a minute. The run ends a test later. */
const HANGS_MS = 300_000;

export interface TrellisProcess {
  readonly child: ChildProcess;
  /** The output so far. */
  stdout(): string;
  stderr(): string;
  /** Resolves with the first matching line of standard output; rejects when the process ends first. */
  line(isWanted: (line: string) => boolean): Promise<string>;
  /** Resolves when the process has ended and all its output was read. */
  readonly ended: Promise<{ readonly code: number | null; readonly signal: string | null }>;
}

export interface TrellisOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Makes it the leader of a process group, as a terminal does. */
  readonly detached?: boolean;
  /** A file that gets the standard output, which then cannot be read. */
  readonly stdout?: number;
  /** Another program than the one that is tested, with its first words. */
  readonly program?: readonly [program: string, ...words: string[]];
}

/** Runs a command; the process is killed after the test. */
export function runTrellis(
  t: Pick<TestContext, "after">,
  words: readonly string[],
  options: TrellisOptions = {},
): TrellisProcess {
  const [program, ...programWords] = options.program ?? trellisProgram();
  const child = spawn(program, [...programWords, ...words], {
    stdio: ["ignore", options.stdout ?? "pipe", "pipe"],
    env: { ...process.env, ...options.env },
    detached: options.detached === true,
  });
  const printed = { stdout: "", stderr: "" };
  const checks = new Set<() => void>();
  for (const name of ["stdout", "stderr"] as const) {
    child[name]?.setEncoding("utf8").on("data", (text: string) => {
      printed[name] += text;
      for (const check of checks) check();
    });
  }
  const ended = (once(child, "close") as Promise<[number | null, string | null]>).then(
    ([code, signal]) => ({ code, signal }),
  );
  t.after(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
    await ended;
  });
  return {
    child,
    ended,
    stdout: () => printed.stdout,
    stderr: () => printed.stderr,
    line: (isWanted) =>
      new Promise((resolve, reject) => {
        const fail = (why: string) =>
          reject(new Error(`${why}\n${printed.stdout}\n${printed.stderr}`));
        const timer = setTimeout(() => fail("The line did not come in time"), HANGS_MS);
        const check = () => {
          const found = printed.stdout.split("\n").slice(0, -1).find(isWanted);
          if (found === undefined) return;
          clearTimeout(timer);
          checks.delete(check);
          resolve(found);
        };
        checks.add(check);
        check();
        void ended.then(({ code }) => {
          clearTimeout(timer);
          fail(`The process ended with code ${code}`);
        });
      }),
  };
}

export interface ReleaseServer extends TrellisProcess {
  readonly api: string;
  readonly smartDownload: string;
  readonly apiPort: number;
  readonly smartDownloadPort: number;
}

/** Starts `trellis serve` and waits until it is ready. */
export async function serveTrellis(
  t: Pick<TestContext, "after">,
  config: string,
  words: readonly string[] = [],
  options: TrellisOptions = {},
): Promise<ReleaseServer> {
  const running = runTrellis(t, ["serve", "--config", config, ...words], options);
  const line = await running.line((text) => text.startsWith('{"event":"ready"'));
  const ready = JSON.parse(line) as { release: string; smartDownload: string };
  return {
    ...running,
    api: ready.release,
    smartDownload: ready.smartDownload,
    apiPort: Number(new URL(ready.release).port),
    smartDownloadPort: Number(new URL(ready.smartDownload).port),
  };
}

/** Resolves when it is ready. */
export async function startDemo(
  t: Pick<TestContext, "after">,
  words: readonly string[],
  options: TrellisOptions = {},
): Promise<TrellisProcess> {
  const demo = runTrellis(t, ["demo", ...words], options);
  await demo.line((line) => line.includes("Press Ctrl+C") || line === "}");
  return demo;
}

const ANY_PORT = { host: "127.0.0.1", port: 0 };

/** Writes a configuration that serves a catalogue on free ports. */
export async function writeConfiguration(
  t: Pick<TestContext, "after">,
  catalog: string,
  changes: { readonly release?: object; readonly http?: object } = {},
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "trellis-service-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, "trellis.config.json");
  const settings = {
    http: changes.http ?? {},
    release: {
      listen: ANY_PORT,
      smartDownload: { listen: ANY_PORT },
      catalog,
      environment: "test",
      ...changes.release,
    },
  };
  await writeFile(path, JSON.stringify(settings));
  return path;
}
