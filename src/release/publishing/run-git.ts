/** Asks git about a repository, which may be that of a stranger. */
import { execFile } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

const runFile = promisify(execFile);
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/** What it prints; rejects when it fails, or there is no git. */
export async function runGit(repository: string, words: readonly string[]): Promise<string> {
  const { stdout } = await runFile(
    "git",
    [...SETTINGS, "-C", repository, ...words],
    // Windows looks for programs in the working folder first, so that is none of a stranger.
    { cwd: dirname(process.execPath), maxBuffer: MAX_OUTPUT_BYTES, env: environment() },
  );
  return stdout;
}

/** What git prints with `-z`. */
export function splitAtZeros(output: string): string[] {
  return output.split("\0").filter((item) => item !== "");
}

/** The repository may be that of a stranger: its settings start no program. */
const SETTINGS = [
  "--no-pager",
  ...["core.fsmonitor=false", "core.hooksPath=/dev/null", "safe.bareRepository=explicit"].flatMap(
    (setting) => ["-c", setting],
  ),
];

/** A fetch of missing objects runs the program that the repository names; older versions know only the first. */
function environment(): NodeJS.ProcessEnv {
  return { ...process.env, GIT_ALLOW_PROTOCOL: "", GIT_NO_LAZY_FETCH: "1" };
}

/**
 * The nearest folder with `.git`, which git itself cannot bring. From a folder below it, git would rather take
 * one that is laid out like a bare repository, which a stranger can have committed.
 */
export function findRepository(folder: string): string | null {
  if (!existsSync(folder)) return null;
  let place = realpathSync(folder);
  while (!existsSync(join(place, ".git"))) {
    const parent = dirname(place);
    if (parent === place) return null;
    place = parent;
  }
  return place;
}
