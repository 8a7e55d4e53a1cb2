/** Installs other programs for a run alone: a newcomer to this project does not pay for them. */
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Benchmark } from "./run-benchmark.ts";

const INSTALL = [
  "install",
  "--no-audit",
  "--no-fund",
  "--ignore-scripts",
  "--loglevel=error",
  "--fetch-retries=1",
];

/** Returns the new folder. No script of a package runs. */
export async function installPackages(
  { createFolder, progress }: Benchmark,
  packages: readonly string[],
): Promise<string> {
  const folder = await createFolder();
  progress(`Installing ${packages.join(", ")} into ${folder}`);
  await writeFile(join(folder, "package.json"), '{ "private": true }\n');
  await promisify(execFile)("npm", [...INSTALL, ...packages], { cwd: folder });
  return folder;
}

/** A package of such a folder, whose types are not installed here. */
export function requireFrom<T>(folder: string, name: string): T {
  return createRequire(join(folder, "package.json"))(name) as T;
}
