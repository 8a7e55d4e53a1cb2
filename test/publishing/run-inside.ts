/** Runs the command line inside this process: the same words, without the time to start. */
import { PassThrough } from "node:stream";
import { join } from "node:path";
import { rootCommand } from "../../src/cli/commands/root.ts";
import { runCommandLine } from "../../src/cli/run.ts";
import type { Terminal } from "../../src/cli/command.ts";
import type { Ending } from "./run-trellis.ts";

/** `folder` holds a trellis.config.json. */
export async function runInside(
  folder: string,
  words: readonly string[],
  options: { readonly input?: string; readonly env?: Terminal["env"] } = {},
): Promise<Ending> {
  const written = { stdout: "", stderr: "" };
  const collect = (name: keyof typeof written) =>
    ({
      isTTY: false,
      write: (text: string) => void (written[name] += text),
    }) as unknown as Terminal["stdout"];
  const stdin = new PassThrough();
  stdin.end(options.input ?? "");
  const config = ["--config", join(folder, "trellis.config.json")];
  const code = await runCommandLine(rootCommand, [...words, ...config], {
    stdin: stdin as unknown as Terminal["stdin"],
    stdout: collect("stdout"),
    stderr: collect("stderr"),
    env: options.env ?? {},
  });
  return { code, ...written };
}
