/** Files that git tracks, and so brings from a stranger or gives to everybody. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import type { CatalogFileError } from "../../rules/release/catalog-file-error.ts";
import { JOURNAL_FILE, LOCK_FILE, TEMPORARY_SUFFIX } from "../../rules/release/catalog-files.ts";

const runFile = promisify(execFile);
const MAX_LIST_BYTES = 64 * 1024 * 1024;

/** The tracked files by their paths in the folder; empty when there is no git, no repository or no such file. */
export async function listTracked(folder: string, path: string): Promise<string[]> {
  // The repository may be that of a stranger: its settings start no program.
  const options = ["-c", "core.fsmonitor=false", "--literal-pathspecs"];
  try {
    const { stdout } = await runFile("git", [...options, "ls-files", "-z", "--", path], {
      cwd: folder,
      maxBuffer: MAX_LIST_BYTES,
    });
    return stdout.split("\0").filter((name) => name !== "");
  } catch {
    return [];
  }
}

/** An error for each tracked file that only the machine which made it may use. */
export async function findTrackedMachineFiles(folder: string): Promise<CatalogFileError[]> {
  return (await listTracked(folder, ".")).filter(isMachineFile).map(trackedError);
}

/** A journal from version control is a change that no reviewer of its files sees. */
export async function findTrackedJournal(folder: string): Promise<CatalogFileError[]> {
  if (!existsSync(join(folder, JOURNAL_FILE))) return [];
  return (await listTracked(folder, JOURNAL_FILE)).map(trackedError);
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
