/** Finds recorded runs of code that was changed since: a page that quotes them would describe older code. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { transformSync } from "esbuild";
import { RECORDED_BENCHMARKS, type RecordedBenchmark } from "../bench/recorded-benchmarks.ts";

export interface OutdatedRuns {
  readonly problems: readonly string[];
  /** Runs whose commit this clone does not have, or which git could not compare. */
  readonly notCompared: readonly string[];
}

/** Tests do not decide a figure, nor does the form of a report. */
const NOT_MEASURED = [":!**/*.test.ts", ":!bench/**/report-*.ts"];
const SHOWN_PATHS = 3;
const MAX_FILE_BYTES = 16 * 1024 * 1024;

export function findOutdatedRuns(
  root: string,
  benchmarks: readonly RecordedBenchmark[] = RECORDED_BENCHMARKS,
): OutdatedRuns {
  const problems: string[] = [];
  const notCompared: string[] = [];
  for (const { name, command, measures } of benchmarks) {
    const path = `bench/recorded/${name}.md`;
    const words = [...command, ...(command.includes("--") ? [] : ["--"]), "--record"];
    const again = `run \`npm run ${words.join(" ")}\` and \`npm run generate\``;
    const [, commit] = /^Commit ([0-9a-f]{7,40}) ·/m.exec(read(join(root, path))) ?? [];
    if (commit === undefined) {
      problems.push(`${path}: it does not name the commit that it measured: ${again}`);
    } else if (git(root, "cat-file", "-e", `${commit}^{commit}`) === null) {
      notCompared.push(name);
    } else {
      const changed = findChangedCode(root, commit, measures);
      if (changed === null) notCompared.push(name);
      else if (changed.length > 0) {
        const more =
          changed.length > SHOWN_PATHS ? ` and ${changed.length - SHOWN_PATHS} more` : "";
        const shown = `${changed.slice(0, SHOWN_PATHS).join(", ")}${more}`;
        problems.push(`${path}: ${shown} changed since the run of ${commit}: ${again}`);
      }
    }
    problems.push(...findPathsWithoutFile(root, name, measures));
  }
  return { problems, notCompared };
}

/** A comment or a type decides no figure. Null when git cannot compare. */
function findChangedCode(
  root: string,
  commit: string,
  measures: readonly string[],
): string[] | null {
  const range = ["diff", "--name-only", "--no-renames", commit, "HEAD", "--"];
  const paths = git(root, ...range, ...measures, ...NOT_MEASURED);
  if (paths === null) return null;
  const codeAt = (at: string, path: string) => {
    const text = git(root, "show", `${at}:${path}`);
    return text === null || !path.endsWith(".ts") ? text : stripTypes(text);
  };
  return paths
    .split("\n")
    .filter((path) => path !== "" && codeAt(commit, path) !== codeAt("HEAD", path));
}

function stripTypes(text: string): string {
  const options = { loader: "ts", minifyWhitespace: true, legalComments: "none" } as const;
  return transformSync(text, options).code;
}

function findPathsWithoutFile(root: string, name: string, measures: readonly string[]): string[] {
  return measures
    .filter((measured) => git(root, "ls-files", "--", measured) === "")
    .map(
      (measured) =>
        `bench/recorded-benchmarks.ts: no file is at "${measured}", which "${name}" measures`,
    );
}

function read(path: string): string {
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}

/** Null where git refuses: the clone may be shallow, or no clone at all. */
function git(root: string, ...words: readonly string[]): string | null {
  try {
    return execFileSync("git", words, {
      cwd: root,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
      maxBuffer: MAX_FILE_BYTES,
    }).trim();
  } catch {
    return null;
  }
}
