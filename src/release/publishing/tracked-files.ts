/** Files that git tracks, and so brings from a stranger or gives to everybody. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import type { CatalogFileError } from "../../rules/release/catalog-file-error.ts";
import { JOURNAL_FILE, LOCK_FILE, TEMPORARY_SUFFIX } from "../../rules/release/catalog-files.ts";

const runFile = promisify(execFile);
const MAX_LIST_BYTES = 64 * 1024 * 1024;

/** What `git ls-files` lists of a folder; nothing when there is no git, no repository or no such folder. */
export async function listGitFiles(folder: string, options: readonly string[]): Promise<string[]> {
  try {
    // The repository may be that of a stranger: its settings start no program.
    const { stdout } = await runFile(
      "git",
      ["-c", "core.fsmonitor=false", "ls-files", "-z", ...options],
      { cwd: folder, maxBuffer: MAX_LIST_BYTES },
    );
    return stdout.split("\0").filter((line) => line !== "");
  } catch {
    return [];
  }
}

/** An error for each tracked file that only the machine which made it may use. */
export async function findTrackedMachineFiles(folder: string): Promise<CatalogFileError[]> {
  return (await listGitFiles(folder, [])).filter(isMachineFile).map(trackedError);
}

/** A journal from version control is a change that no reviewer of its files sees. */
export async function findTrackedJournal(folder: string): Promise<CatalogFileError[]> {
  if (!existsSync(join(folder, JOURNAL_FILE))) return [];
  return (await listGitFiles(folder, ["--", JOURNAL_FILE])).map(trackedError);
}

function isMachineFile(file: string): boolean {
  const name = basename(file);
  const isTemporary = name.startsWith(".") && name.endsWith(TEMPORARY_SUFFIX);
  return name === JOURNAL_FILE || name.startsWith(LOCK_FILE) || isTemporary;
}

function trackedError(file: string): CatalogFileError {
  return {
    file,
    path: "",
    problem: "is tracked by git",
    remedy: `run \`git rm --cached ${file}\`, see in its history who added it, and delete it`,
  };
}
