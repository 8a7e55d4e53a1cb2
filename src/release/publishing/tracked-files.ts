/** Files that git tracks, and so brings from a stranger or gives to everybody. */
import { existsSync, realpathSync } from "node:fs";
import { basename, join, relative, sep } from "node:path";
import type { CatalogFileError } from "../../rules/release/catalog-file-error.ts";
import { JOURNAL_FILE, LOCK_FILE, TEMPORARY_SUFFIX } from "../../rules/release/catalog-files.ts";
import { findRepository, runGit, splitAtZeros } from "./run-git.ts";

export interface GitFile {
  readonly path: string;
  readonly isTracked: boolean;
}

export type GitFiles =
  | { readonly kind: "listed"; readonly files: readonly GitFile[] }
  | { readonly kind: "failed"; readonly repository: string; readonly reason: string };

/** What `git ls-files` lists of the repository around a folder, or only of one file or folder in that one. */
export async function listGitFiles(
  folder: string,
  part?: string,
  options: readonly string[] = [],
): Promise<GitFiles> {
  const repository = findRepository(folder);
  if (repository === null) return { kind: "listed", files: [] };
  const place =
    part === undefined ? [] : [literal(relative(repository, resolvePart(folder, part)))];
  try {
    // Each file has a letter before it: "?" for those that git does not track.
    const words = ["ls-files", "-z", "-t", ...options, "--", ...place];
    const lines = splitAtZeros(await runGit(repository, words));
    const files = lines.map((line) => ({
      path: join(repository, line.slice(2)),
      isTracked: !line.startsWith("?"),
    }));
    return { kind: "listed", files };
  } catch (error) {
    return { kind: "failed", repository, reason: explain(error) };
  }
}

function resolvePart(folder: string, part: string): string {
  return join(realpathSync(folder), part);
}

function literal(path: string): string {
  return `:(literal)${path.replaceAll(sep, "/")}`;
}

function explain(error: unknown): string {
  const { code, stderr = "" } = error as { code?: unknown; stderr?: string };
  if (code === "ENOENT") return "there is no git";
  return stderr.split("\n", 1)[0] || String(code);
}

/** An error for each tracked file that only the machine which made it may use. */
export async function findTrackedMachineFiles(folder: string): Promise<CatalogFileError[]> {
  return findTracked(folder, isMachineFile);
}

/** A journal from version control is a change that no reviewer of its files sees. */
export async function findTrackedJournal(folder: string): Promise<CatalogFileError[]> {
  if (!hasJournal(folder)) return [];
  return findTracked(folder, (file) => file === JOURNAL_FILE);
}

async function findTracked(
  folder: string,
  isSought: (file: string) => boolean,
): Promise<CatalogFileError[]> {
  const listed = await listGitFiles(folder);
  if (listed.kind === "failed") return hasJournal(folder) ? [uncertainError(listed)] : [];
  if (listed.files.length === 0) return [];
  const place = realpathSync(folder);
  return listed.files
    .filter(({ path }) => {
      const file = relative(fold(place), fold(path));
      return !file.startsWith(`..${sep}`) && isSought(file);
    })
    .map(({ path }) => trackedError(relative(place, path)));
}

/** Disks that ignore case bring a file under other names than git tracks, also with letters like "ſ". */
function fold(path: string): string {
  return path.normalize("NFKC").toLowerCase();
}

function hasJournal(folder: string): boolean {
  return existsSync(join(folder, JOURNAL_FILE));
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

function uncertainError({
  repository,
  reason,
}: Extract<GitFiles, { kind: "failed" }>): CatalogFileError {
  return {
    file: JOURNAL_FILE,
    path: "",
    problem: `is a change that a command did not finish, and git cannot say whether a stranger committed it (${reason})`,
    remedy: `make \`git ls-files\` work in "${repository}", or run the command on a machine where it does; where git cannot be, and a command of yours was killed here, finish its change with the catalogue moved out of the repository`,
  };
}
