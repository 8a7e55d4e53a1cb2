/** Builds the docs in `site/dist`; installs the generator, by a lock file of its own, when that changes. */
import { spawnSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { checkSite } from "../site/check-site.ts";

const SITE = join(import.meta.dirname, "../site");

// `npm ci` would refuse a lock file without the optional packages of platforms that a registry lacks.
if (!isInstalled()) run("npm", ["install", "--no-save", "--no-audit", "--no-fund"]);
/** `npm run docs -- dev` shows changes as they are made, `-- preview` what was built. */
const [command = "build", ...options] = process.argv.slice(2);
run("node", [join(SITE, "node_modules/vitepress/bin/vitepress.js"), command, ".", ...options]);
if (command === "build") reportProblems(checkSite(join(SITE, "dist")));

function isInstalled(): boolean {
  const installed = join(SITE, "node_modules/.package-lock.json");
  const locked = statSync(join(SITE, "package-lock.json"));
  return existsSync(installed) && statSync(installed).mtimeMs >= locked.mtimeMs;
}

function reportProblems(problems: readonly string[]): void {
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
  else console.log("The site is in site/dist: put it on any web server, or open index.html");
}

function run(program: string, args: readonly string[]): void {
  const { status, error } = spawnSync(program, args, { cwd: SITE, stdio: "inherit" });
  if (error !== undefined) throw error;
  if (status !== 0) process.exit(status ?? 1);
}
