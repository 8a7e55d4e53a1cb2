/** The server processes of a soak run: started, killed and started again on the same ports. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { nodeProgram } from "../fixtures/trellis-program.ts";
import type { Tally } from "./tally.ts";

const READY_MS = 60_000;

export interface SoakServer {
  readonly name: string;
  /** Resolves once the server has printed that it is ready. */
  start(): Promise<void>;
  /** Ends the process, or one of its workers, at once. */
  kill(part: "server" | "worker"): Promise<void>;
  /** Stops a worker in the middle of what it does, until the returned function is called; null while there is none. */
  putToSleep(): (() => void) | null;
  /** A graceful stop; anything but exit code 0 is a problem. */
  stop(): Promise<void>;
  /** In MB, of the process and its workers; null while it is down. */
  residentMemory(): number | null;
}

export function createServer(name: string, words: readonly string[], tally: Tally): SoakServer {
  let child: ChildProcess | null = null;
  let isEnding = false;

  async function start(): Promise<void> {
    isEnding = false;
    const [program, ...programWords] = nodeProgram();
    const started = spawn(program, [...programWords, "serve", ...words], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    child = started;
    const ready = Promise.withResolvers<void>();
    const timer = setTimeout(() => ready.reject(new Error(`${name} is not ready`)), READY_MS);
    createInterface({ input: started.stdout }).on("line", (line) => {
      const event = readEvent(line);
      if (event === null) return;
      tally.count(`log of ${name}`, event);
      if (event === "ready") ready.resolve();
      if (event === "unexpected_error") tally.report(`${name} logged ${line}`);
    });
    createInterface({ input: started.stderr }).on("line", (line) =>
      tally.report(`${name} printed on standard error: ${line}`),
    );
    started.once("exit", (code, signal) => {
      if (!isEnding) tally.report(`${name} ended by itself (${signal ?? `exit code ${code}`})`);
    });
    try {
      await ready.promise;
    } finally {
      clearTimeout(timer);
    }
  }

  const findWorker = () => listChildren(child?.pid ?? 0)[0];

  async function end(signal: "SIGKILL" | "SIGTERM"): Promise<void> {
    if (child === null) return;
    const ending = child;
    isEnding = true;
    const ended = once(ending, "exit") as Promise<[number | null, string | null]>;
    ending.kill(signal);
    const [code] = await ended;
    child = null;
    if (signal === "SIGTERM" && code !== 0) tally.report(`${name} stopped with exit code ${code}`);
  }

  return {
    name,
    start,
    async kill(part) {
      if (part === "server") return end("SIGKILL");
      const worker = findWorker();
      if (worker !== undefined) process.kill(worker, "SIGKILL");
    },
    putToSleep() {
      const worker = findWorker();
      if (worker === undefined) return null;
      process.kill(worker, "SIGSTOP");
      return () => void process.kill(worker, "SIGCONT");
    },
    stop: () => end("SIGTERM"),
    residentMemory() {
      if (child?.pid === undefined) return null;
      const pids = [child.pid, ...listChildren(child.pid)];
      const sizes = pids.map(readResident).filter((size) => size !== null);
      return sizes.length === 0 ? null : sizes.reduce((sum, size) => sum + size);
    },
  };
}

function readEvent(line: string): string | null {
  try {
    const { event } = JSON.parse(line) as { event?: string };
    return event ?? null;
  } catch {
    return null;
  }
}

function listChildren(pid: number): number[] {
  const text = readOrEmpty(`/proc/${pid}/task/${pid}/children`);
  return text.split(" ").filter(Boolean).map(Number);
}

function readResident(pid: number): number | null {
  const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readOrEmpty(`/proc/${pid}/status`))?.[1];
  return kilobytes === undefined ? null : Number(kilobytes) / 1024;
}

/** The process may have ended. */
function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
