import { Readable } from "node:stream";
import type { Terminal } from "../../src/cli/command.ts";
import { conformanceCommands } from "../../src/cli/commands/conformance/index.ts";
import { runCommandLine } from "../../src/cli/run.ts";

/** Runs `trellis conformance …` in this process, without a terminal. */
export async function runConformance(
  words: readonly string[],
  stdin = "",
  env: Terminal["env"] = {},
): Promise<{ code: number; stdout: string; stderr: string }> {
  let stdout = "";
  let stderr = "";
  const terminal = {
    stdin: Object.assign(Readable.from([stdin]), { isTTY: false }),
    stdout: { isTTY: false, write: (text: string) => void (stdout += text) },
    stderr: { isTTY: false, write: (text: string) => void (stderr += text) },
    env,
  } as unknown as Terminal;
  const code = await runCommandLine(conformanceCommands, words, terminal);
  return { code, stdout, stderr };
}
