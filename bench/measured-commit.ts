/** The commit that a run measures. It is read when the process starts: later commits are not in the build. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "..");

export const MEASURED_COMMIT = git("rev-parse", "--short=8", "HEAD");

/** Changes that are in the run and in no commit; the runs before this one may have been recorded. */
export const UNCOMMITTED = git("status", "--porcelain", "--", "src", "bench", ":!bench/recorded");

function git(...words: readonly string[]): string {
  return execFileSync("git", words, { cwd: ROOT, encoding: "utf8" }).trim();
}
