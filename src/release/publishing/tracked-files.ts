/** Files that git tracks, and so brings from a stranger or gives to everybody. */
import { execFile } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import { promisify } from "node:util";
import type { CatalogFileError } from "../../rules/release/catalog-file-error.ts";
import { JOURNAL_FILE, LOCK_FILE, TEMPORARY_SUFFIX } from "../../rules/release/catalog-files.ts";

const runFile = promisify(execFile);
const MAX_LIST_BYTES = 64 * 1024 * 1024;

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
    const { stdout } = await runFile(
      "git",
      // Each file has a letter before it: "?" for those that git does not track.
      [...SETTINGS, "-C", repository, "ls-files", "-z", "-t", ...options, "--", ...place],
      // Windows looks for programs in the working folder first, so that is none of a stranger.
      { cwd: dirname(process.execPath), maxBuffer: MAX_LIST_BYTES, env: environment() },
    );
    const lines = stdout.split("\0").filter((line) => line !== "");
    const files = lines.map((line) => ({
      path: join(repository, line.slice(2)),
      isTracked: !line.startsWith("?"),
    }));
    return { kind: "listed", files };
  } catch (error) {
    return { kind: "failed", repository, reason: explain(error) };
  }
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
function findRepository(folder: string): string | null {
  if (!existsSync(folder)) return null;
  let place = realpathSync(folder);
  while (!existsSync(join(place, ".git"))) {
    const parent = dirname(place);
    if (parent === place) return null;
    place = parent;
  }
  return place;
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
