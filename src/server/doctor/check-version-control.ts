/** A private key in version control is in every clone of it, for ever. */
import { basename, dirname, join } from "node:path";
import { listTracked } from "../../release/publishing/tracked-files.ts";
import type { Configuration } from "../configuration-schema.ts";
import { fault, type Finding } from "./finding.ts";

export async function checkVersionControl({
  dataDir,
  sync,
  events,
}: Pick<Configuration, "dataDir" | "sync" | "events">): Promise<Finding[]> {
  const files: PrivateFile[] = [
    { path: join(dataDir, "keys"), remedy: "revoke it with `trellis release key revoke ID`" },
    ...[...new Set([sync?.instanceKeyFile, events?.instanceKeyFile])]
      .filter((path) => path !== undefined)
      .map((path) => ({
        path,
        remedy:
          "make another: move the file away, and set new passwords with `account password --new-instance-key`",
      })),
  ];
  const found = await Promise.all(
    files.map(async ({ path, remedy }) =>
      (await listTrackedKeys(path)).map((file) =>
        fault(
          "version control",
          `git tracks the private key ${file}, so every copy of the repository has it`,
          `run \`git rm --cached ${file}\`, and because its history keeps the key, ${remedy}`,
        ),
      ),
    ),
  );
  return found.flat();
}

interface PrivateFile {
  /** A private key, or a folder of them. */
  readonly path: string;
  /** What to do about a key that others may have. */
  readonly remedy: string;
}

async function listTrackedKeys(path: string): Promise<string[]> {
  const folder = dirname(path);
  const names = await listTracked(folder, basename(path));
  return names.filter((name) => basename(name) !== ".gitignore").map((name) => join(folder, name));
}
