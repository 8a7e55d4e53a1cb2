/** A program that runs until the test ends. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

interface Options {
  /** The line by which the program says that it is ready; its first group is what `found` returns. */
  readonly ready?: RegExp;
  readonly env?: Readonly<Record<string, string>>;
  /** Receives every line of the output. */
  onLine?(line: string): void;
}

export interface StartedProgram {
  readonly found: string;
  stop(): Promise<void>;
}

export async function startProgram(
  program: string,
  words: readonly string[],
  { ready, env = {}, onLine }: Options,
): Promise<StartedProgram> {
  const child = spawn(program, words, {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...env },
  });
  const ended = once(child, "exit");
  const kill = () => void child.kill();
  process.once("exit", kill);
  const found = Promise.withResolvers<string>();
  if (ready === undefined) found.resolve("");
  for (const output of [child.stdout, child.stderr]) {
    createInterface(output).on("line", (line) => {
      const match = ready?.exec(line);
      if (match) found.resolve(match[1] ?? "");
      onLine?.(line);
    });
  }
  const failed = ended.then(() => Promise.reject(new Error(`${program} has ended`)));
  return {
    found: await Promise.race([found.promise, failed]),
    async stop() {
      process.off("exit", kill);
      kill();
      await ended;
    },
  };
}

export function canRun(program: string, argument = "--help"): boolean {
  return spawnSync(program, [argument]).error === undefined;
}
