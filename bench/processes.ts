/** Starts, pins, measures and stops the processes of a benchmark. */
import { fork, spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type AddressInfo, type Server } from "node:net";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** Server and load run on a core each where there are two and `taskset` is installed. */
export const isPinned =
  availableParallelism() > 1 && spawnSync("taskset", ["--version"]).status === 0;

/** The built product, run by its own first line with the Node that npm puts first on the path. */
export function productCommand(...words: readonly string[]): string[] {
  return [join(import.meta.dirname, "../dist/trellis.js"), ...words];
}

/** A process with the role "free" may use every core. */
export type Role = "server" | "load" | "free";

export function pin(pid: number | undefined, role: Role): void {
  if (!isPinned || pid === undefined || role === "free") return;
  const core = role === "server" ? "0" : "1";
  spawnSync("taskset", ["-a", "-c", "-p", core, String(pid)]);
}

/** A child process that handles one order at a time: see `handleOrders`. */
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
        const ended = () => reject(new Error(`The process of ${file} ended`));
        child.once("exit", ended);
        child.once("message", (message: Result | { error: string }) => {
          child.off("exit", ended);
          if (message instanceof Object && "error" in message) reject(new Error(message.error));
          else resolve(message);
        });
        child.send(order as never);
      }),
    stop: () => stopProcess(child),
  };
}

/** Handles the orders of `startWorker` in the child process, which ends with its parent. */
export function handleOrders<Order>(handle: (order: Order) => unknown): void {
  process.once("disconnect", () => process.exit());
  const run = async (order: Order) => handle(order);
  process.on("message", (order: Order) => {
    run(order).then(
      (result) => process.send?.(result),
      (error: unknown) => process.send?.({ error: String(error) }),
    );
  });
}

/** Starts a program whose standard output is discarded, or written to a file. */
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

const START_TIMEOUT_MS = 60_000;

export interface RunningService {
  readonly pid: number;
  readonly startSeconds: number;
  stop(): Promise<void>;
}

/** Starts `trellis serve SERVICE` and waits for its first response to `healthUrl`. */
export async function startService(
  service: string,
  config: string,
  healthUrl: string,
  role: Role,
  words: readonly string[] = [],
  output: number | "ignore" = "ignore",
): Promise<RunningService> {
  const startedAt = performance.now();
  const child = startProgram(
    productCommand("serve", service, "--config", config, ...words),
    role,
    output,
  );
  while (!(await isUp(healthUrl))) {
    if (child.exitCode !== null || performance.now() - startedAt > START_TIMEOUT_MS) {
      await stopProcess(child);
      throw new Error(`\`trellis serve ${service}\` did not start`);
    }
    await sleep(5);
  }
  return {
    pid: child.pid ?? 0,
    startSeconds: (performance.now() - startedAt) / 1000,
    stop: () => stopProcess(child),
  };
}

async function isUp(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok;
  } catch {
    return false;
  }
}

/** Listens on a free port of loopback, and returns it. */
export async function listenOnLoopback(server: Server): Promise<number> {
  await once(server.listen(0, "127.0.0.1"), "listening");
  return (server.address() as AddressInfo).port;
}

export async function freePort(): Promise<number> {
  await using server = createServer();
  return await listenOnLoopback(server);
}

export async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGTERM");
  await exited;
}

const TICKS_PER_SECOND = 100;

/** The user and system time of a process so far, with that of its workers, in seconds; NaN without /proc. */
export function cpuSeconds(pid: number): number {
  return [pid, ...childrenOf(pid)].reduce((sum, one) => sum + ownCpuSeconds(one), 0);
}

function childrenOf(pid: number): number[] {
  try {
    const text = readFileSync(`/proc/${pid}/task/${pid}/children`, "latin1");
    return text.split(" ").filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

/** The processor time of the children of this process that have ended, in seconds; NaN without /proc. */
export function cpuSecondsOfEnded(): number {
  return readCpuSeconds(process.pid, 13);
}

function ownCpuSeconds(pid: number): number {
  return readCpuSeconds(pid, 11);
}

/** The user time is the field `at`, and the system time follows (proc_pid_stat(5)). */
function readCpuSeconds(pid: number, at: number): number {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The second field is the name in parentheses, which may hold anything.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[at]) + Number(fields[at + 1])) / TICKS_PER_SECOND;
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
