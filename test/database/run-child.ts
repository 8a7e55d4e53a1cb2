import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

export interface Child {
  readonly process: ChildProcess;
  /** Resolves with its whole output when it ends; rejects when it fails. */
  readonly ending: Promise<string>;
  /** Resolves when it first prints. */
  readonly started: Promise<unknown>;
}

/** Runs one of the programs of this folder as a process. */
export function runChild(
  script: string,
  args: readonly string[],
  options: { readonly uid?: number } = {},
): Child {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const child = spawn(process.execPath, [path, ...args], {
    stdio: ["pipe", "pipe", "pipe"],
    ...options,
  });
  const printed = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk) => (printed.stdout += String(chunk)));
  child.stderr.on("data", (chunk) => (printed.stderr += String(chunk)));
  const ending = once(child, "close").then(([code, signal]) => {
    if (code === 0 || signal === "SIGKILL") return printed.stdout;
    throw new Error(`${script} ended with ${String(code ?? signal)}: ${printed.stderr}`);
  });
  return { process: child, ending, started: Promise.race([once(child.stdout, "data"), ending]) };
}
