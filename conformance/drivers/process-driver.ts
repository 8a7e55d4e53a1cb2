/** A driver that is a program: it runs once for each task, within bounds, and nothing of it outlives the run. */
import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { setTimeout as wait } from "node:timers/promises";
import { firstLine, readResult, type Driver, type DriverResult, type DriverRun } from "./driver.ts";

/** How long the program of a driver may run, how much it may print, and a signal that ends it. */
export interface ProcessDriverOptions {
  /** How long one case may take. */
  readonly timeoutMs?: number;
  /** How much the program may print. */
  readonly maxOutputBytes?: number;
  /** Ends what runs. */
  readonly signal?: AbortSignal;
}

const DEFAULT_TIMEOUT_MS = 45_000;
const DEFAULT_MAX_OUTPUT_BYTES = 4 * 1024 * 1024;
/** What a driver started may end a little later than the driver. */
const GRACE_MS = 1000;
/** Far from UTC, whose day a client may take by mistake, and at an odd number of minutes. */
const TIME_ZONE = "Asia/Kathmandu";
const POLL_MS = 10;
/** Windows has no process groups. */
const HAS_GROUPS = process.platform !== "win32";

/**
 * Makes a driver of a program, which is started once for each task and ended when it takes too long.
 * @param command - a program and its arguments
 * @returns the driver
 * @example
 * ```ts
 * import {
 *   checkEventsDriver,
 *   checkReleaseDriver,
 *   createProcessDriver,
 *   isConforming,
 * } from "trellis/conformance";
 *
 * const update = await checkReleaseDriver(createProcessDriver(["./update-driver"]));
 * const events = await checkEventsDriver(createProcessDriver(["./events-driver"]));
 * console.log(isConforming(update), isConforming(events));
 * ```
 */
export function createProcessDriver(
  command: readonly [program: string, ...args: string[]],
  options: ProcessDriverOptions = {},
): Driver {
  return {
    name: command.join(" "),
    timeZone: TIME_ZONE,
    run: (input) => runProgram(command, JSON.stringify(input), options),
  };
}

async function runProgram(
  [program, ...args]: readonly [string, ...string[]],
  input: string,
  options: ProcessDriverOptions,
): Promise<DriverRun> {
  // A group of its own, so that what the driver starts can be ended with it.
  const env = { ...process.env, TZ: TIME_ZONE };
  const child = spawn(program, args, { detached: HAS_GROUPS, stdio: "pipe", env });
  const watched = watch(child, options);
  // A driver need not read its input to the end.
  child.stdin.on("error", () => {});
  child.stdin.end(`${input}\n`);
  const end = await watched.ended;
  const leftovers = end.kind === "exited" && (await endGroup(child, watched.closed));
  const { stdout, stderr, problem } = watched.stop();
  const result = toResult({ end, problem, leftovers, stdout, stderr });
  return { result, notes: result.kind === "done" ? stderr : stdout + stderr };
}

type ProgramEnd =
  | { readonly kind: "not-started"; readonly reason: string }
  | { readonly kind: "exited"; readonly code: number | null; readonly signal: string | null };

/** Collects what the program writes, and ends it when it passes a bound. */
function watch(child: ChildProcessWithoutNullStreams, options: ProcessDriverOptions) {
  const { timeoutMs = DEFAULT_TIMEOUT_MS, signal } = options;
  const maxBytes = options.maxOutputBytes ?? DEFAULT_MAX_OUTPUT_BYTES;
  const chunks: Record<"stdout" | "stderr", Buffer[]> = { stdout: [], stderr: [] };
  let bytes = 0;
  let problem: string | null = null;
  const stop = (reason: string) => {
    problem ??= reason;
    killGroup(child);
  };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= maxBytes) chunks[name].push(chunk);
      else stop(`printed more than ${maxBytes / 1024} KiB`);
    });
  }
  const timer = setTimeout(() => stop(`did not end within ${timeoutMs / 1000} s`), timeoutMs);
  const onAbort = () => stop("was ended with the run");
  signal?.addEventListener("abort", onAbort);
  return {
    closed: new Promise<true>((resolve) => {
      child.on("close", () => resolve(true));
    }),
    ended: new Promise<ProgramEnd>((resolve) => {
      child.on("error", (error: NodeJS.ErrnoException) => {
        // A program that runs may have other errors; it then ends like any other.
        if (child.pid === undefined) resolve({ kind: "not-started", reason: explain(error) });
      });
      child.on("exit", (code, name) => resolve({ kind: "exited", code, signal: name }));
    }),
    stop: () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      const text = (name: "stdout" | "stderr") => Buffer.concat(chunks[name]).toString("utf8");
      return { stdout: text("stdout"), stderr: text("stderr"), problem };
    },
  };
}

function explain({ code = "unknown error" }: NodeJS.ErrnoException): string {
  if (code === "ENOENT") return "cannot be started: there is no such program";
  return code === "EACCES"
    ? "cannot be started: it is not executable"
    : `cannot be started (${code})`;
}

/** Waits until nothing of the program runs and its output is read. Returns whether something had to be ended. */
async function endGroup(
  child: ChildProcessWithoutNullStreams,
  closed: Promise<true>,
): Promise<boolean> {
  const isClean = await waitUntil(() => !isGroupAlive(child));
  if (!isClean) killGroup(child);
  // A process that left the group may still hold the output.
  const isClosed = await Promise.race([closed, wait(GRACE_MS, false, { ref: false })]);
  if (!isClosed) {
    child.stdout.destroy();
    child.stderr.destroy();
  }
  return !isClean || !isClosed;
}

async function waitUntil(isTrue: () => boolean): Promise<boolean> {
  const givesUpAt = performance.now() + GRACE_MS;
  while (!isTrue()) {
    if (performance.now() > givesUpAt) return false;
    await wait(POLL_MS);
  }
  return true;
}

function isGroupAlive({ pid }: ChildProcessWithoutNullStreams): boolean {
  if (!HAS_GROUPS || pid === undefined) return false;
  try {
    process.kill(-pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function killGroup(child: ChildProcessWithoutNullStreams): void {
  if (!HAS_GROUPS || child.pid === undefined) {
    child.kill("SIGKILL");
    return;
  }
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    // It has ended.
  }
}

interface Ended {
  readonly end: ProgramEnd;
  readonly problem: string | null;
  readonly leftovers: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

function toResult({ end, problem, leftovers, stdout, stderr }: Ended): DriverResult {
  if (end.kind === "not-started") return { kind: "failed", reason: end.reason };
  if (problem !== null) return { kind: "failed", reason: problem };
  const { code, signal } = end;
  if (code !== 0) {
    const how = code === null ? `by the signal ${signal}` : `with exit code ${code}`;
    const lastLine = stderr.trim().split("\n").at(-1) ?? "";
    return { kind: "failed", reason: `ended ${how}${lastLine && `: ${firstLine(lastLine)}`}` };
  }
  if (leftovers) return { kind: "failed", reason: "left processes running when it ended" };
  return readResult(stdout);
}
