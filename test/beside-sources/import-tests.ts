/**
 * The tests beside the sources, many files in one process: to start one for each takes longer than
 * most of their tests. A suite for each file keeps its hooks to its own tests.
 */
import { globSync } from "node:fs";
import { join, sep } from "node:path";
import { after, describe } from "node:test";

const SOURCE = join(import.meta.dirname, "../../src");

/** `isWanted` gets the name of a folder directly in `src`. */
export function importTests(isWanted: (folder: string) => boolean): void {
  const files = globSync("**/*.test.ts", { cwd: SOURCE })
    .filter((file) => isWanted(file.split(sep)[0] ?? ""))
    .sort();
  const unfinished = new Set(files);
  for (const file of files) {
    describe(file, async () => {
      after(() => unfinished.delete(file));
      await import(join(SOURCE, file));
    });
  }
  // Something that ends the process early must not pass for success.
  process.on("exit", () => {
    if (unfinished.size === 0) return;
    console.error(`The process ended before the tests of ${[...unfinished].join(", ")}`);
    process.exitCode = 1;
  });
}
