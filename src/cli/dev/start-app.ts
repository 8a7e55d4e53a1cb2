/** Runs the server of the app that is developed, beside the sync server. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { CommandError, type Terminal } from "../command.ts";

export interface AppSettings {
  /** The program and its arguments. */
  readonly command: readonly string[];
  readonly env: Terminal["env"];
}

export interface RunningApp {
  readonly url: string;
  /** Resolves when the program ends by itself or by a signal, with what to say about it. */
  readonly ended: Promise<CommandError | null>;
  stop(): Promise<void>;
}

/** Its output is a log beside the result of the command, which standard output has for itself. */
export async function startApp(
  { command: [program = "", ...words], env }: AppSettings,
  port: number,
  syncUrl: string,
): Promise<RunningApp> {
  const child = spawn(program, words, {
    env: { ...env, PORT: String(port), SYNC_URL: syncUrl },
    stdio: ["ignore", 2, 2],
  });
  await once(child, "spawn").catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(
      `Cannot run "${program}" (${error.code}): check the command behind --, which starts your app's server`,
    );
  });
  const exit = once(child, "exit") as Promise<[code: number | null]>;
  return {
    url: `http://localhost:${port}`,
    ended: exit.then(([code]) =>
      code === null || code === 0
        ? null
        : new CommandError(`The app's server "${program}" ended with exit code ${code}`),
    ),
    async stop() {
      child.kill();
      await exit;
    },
  };
}
