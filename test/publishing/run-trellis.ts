/** Runs the real command line in a process of its own. */
import { spawn, type ChildProcess } from "node:child_process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { quickStart } from "../fixtures/quick-start.ts";

const COMMAND_LINE = fileURLToPath(new URL("../../src/cli/trellis.ts", import.meta.url));

export interface Ending {
  /** Null when a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export function startTrellis(
  folder: string,
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
): { child: ChildProcess; ending: Promise<Ending> } {
  const child = spawn(process.execPath, [COMMAND_LINE, ...words], {
    cwd: folder,
    env: { PATH: process.env["PATH"], ...quickStart(), ...env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  const ending = (async () => {
    const closed = new Promise<number | null>((resolve, reject) => {
      child.once("close", resolve);
      child.once("error", reject);
    });
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
    return { code: await closed, stdout, stderr };
  })();
  return { child, ending };
}

export async function runTrellis(
  folder: string,
  words: readonly string[],
  options: { readonly input?: string; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<Ending> {
  const { child, ending } = startTrellis(folder, words, options.env);
  child.stdin?.end(options.input ?? "");
  return ending;
}
