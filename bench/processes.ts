/** Processes under measurement: pinned to a core, asked for their time and memory, ended by their id. */
import { fork, spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";

/** Server and load on different cores, where there are two and a way to say so. */
export const isPinned =
  availableParallelism() > 1 && spawnSync("taskset", ["--version"]).status === 0;

/**
 * The product as it is published: compiled, and run as its own first line says, with the Node that npm
 * has put first on the path, in the environment of the guides' service unit. `npm run bench:…` builds
 * it first.
 */
export function productCommand(...words: readonly string[]): string[] {
  const program = join(import.meta.dirname, "../dist/trellis.js");
  return ["/usr/bin/env", "MALLOC_ARENA_MAX=2", program, ...words];
}

/** What is free may use every core. */
export type Role = "server" | "load" | "free";

export function pin(pid: number | undefined, role: Role): void {
  if (!isPinned || pid === undefined || role === "free") return;
  const core = role === "server" ? "0" : "1";
  spawnSync("taskset", ["-a", "-c", "-p", core, String(pid)]);
}

/** A helper of the benchmark that answers each message with one message. */
export interface Worker<Order, Result> {
  readonly pid: number;
  ask(order: Order): Promise<Result>;
  stop(): Promise<void>;
}

export function startWorker<Order, Result>(file: string, role: Role): Worker<Order, Result> {
  const child = fork(join(import.meta.dirname, file), {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  pin(child.pid, role);
  return {
    pid: child.pid ?? 0,
    ask: (order) =>
      new Promise((resolve, reject) => {
        child.once("message", (message: Result | { error: string }) => {
          if (message instanceof Object && "error" in message) reject(new Error(message.error));
          else resolve(message);
        });
        child.send(order as never);
      }),
    stop: () => stopProcess(child),
  };
}

/** What it prints goes to nowhere, or into a file. */
export function startProgram(
  words: readonly string[],
  role: Role,
  output: number | "ignore" = "ignore",
): ChildProcess {
  const [program = "", ...rest] = words;
  const child = spawn(program, rest, { stdio: ["ignore", output, "inherit"] });
  pin(child.pid, role);
  return child;
}

export async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGTERM");
  await exited;
}

const TICKS_PER_SECOND = 100;

/** User and system time so far, in seconds; NaN where there is no /proc. */
export function cpuSeconds(pid: number): number {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The second field is the name in parentheses, which may hold anything.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  } catch {
    return Number.NaN;
  }
}

export function residentMegabytes(pid: number): { readonly now: number; readonly peak: number } {
  const read = (name: string, text: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(text)?.[1] ?? Number.NaN) / 1024;
  try {
    const text = readFileSync(`/proc/${pid}/status`, "latin1");
    return { now: read("VmRSS", text), peak: read("VmHWM", text) };
  } catch {
    return { now: Number.NaN, peak: Number.NaN };
  }
}
