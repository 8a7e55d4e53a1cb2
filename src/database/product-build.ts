import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

let build: string | null | undefined;

/**
 * The short commit of the checkout that runs; null without git. The builds of the package and of the binary have
 * their commit in the place of this module.
 */
export function readBuild(): string | null {
  if (build === undefined) build = askGit();
  return build;
}

/** A tree without a repository of its own may lie in that of another project. */
function askGit(): string | null {
  const { status, stdout } = spawnSync("git", ["rev-parse", "--show-prefix", "--short=8", "HEAD"], {
    cwd: fileURLToPath(new URL("../..", import.meta.url)),
    encoding: "utf8",
  });
  const [prefix, commit] = status === 0 ? stdout.split("\n") : [];
  return prefix === "" && commit !== undefined && /^[0-9a-f]{8,}$/.test(commit) ? commit : null;
}
