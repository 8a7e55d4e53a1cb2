/** A private key in version control is in every clone of it, for ever. */
import { basename, dirname, join } from "node:path";
import { listGitFiles } from "../../release/publishing/tracked-files.ts";
import type { Configuration } from "../configuration-schema.ts";
import { INSTANCES_FOLDER } from "../instances/instance.ts";
import { fault, warning, type Finding } from "./finding.ts";

const NEW_INSTANCE_KEY =
  "make another: move the file away, and set new passwords with `account password --new-instance-key`";

export async function checkVersionControl({
  dataDir,
  sync,
  events,
}: Pick<Configuration, "dataDir" | "sync" | "events">): Promise<Finding[]> {
  const instanceKeys = new Set([sync?.instanceKeyFile, events?.instanceKeyFile]);
  const places: PrivatePlace[] = [
    {
      folder: dataDir,
      pattern: ":(literal)keys",
      remedy: "revoke it with `trellis release key revoke ID`",
    },
    {
      folder: dataDir,
      pattern: `:(glob)${INSTANCES_FOLDER}/*/instance.key`,
      remedy: NEW_INSTANCE_KEY,
    },
    ...[...instanceKeys]
      .filter((path) => path !== undefined)
      .map((path) => ({
        folder: dirname(path),
        pattern: `:(literal)${basename(path)}`,
        remedy: NEW_INSTANCE_KEY,
      })),
  ];
  const found = await Promise.all(
    places.map(async (place) =>
      (await listExposed(place)).map((file) => describe(file, place.remedy)),
    ),
  );
  return found.flat();
}

function describe({ path, isTracked }: ExposedFile, remedy: string): Finding {
  const subject = "version control";
  return isTracked
    ? fault(
        subject,
        `git tracks the private key ${path}, so every copy of the repository has it`,
        `run \`git rm --cached ${path}\`, and because its history keeps the key, ${remedy}`,
      )
    : warning(
        subject,
        `the private key ${path} is in a git work tree and not ignored, so \`git add\` would take it`,
        "add it, or its folder, to .gitignore",
      );
}

interface PrivatePlace {
  readonly folder: string;
  /** A pathspec of git for a private key, or for a folder of them. */
  readonly pattern: string;
  /** What to do about a key that others may have. */
  readonly remedy: string;
}

interface ExposedFile {
  readonly path: string;
  readonly isTracked: boolean;
}

/** Files that git tracks or would take; empty when there is no git, no repository or no such folder. */
async function listExposed({ folder, pattern }: PrivatePlace): Promise<ExposedFile[]> {
  // Each file has a letter before it: "?" for those that git does not track.
  const select = ["-t", "--cached", "--others", "--exclude-standard"];
  const lines = await listGitFiles(folder, [...select, "--", pattern]);
  return lines
    .filter((line) => basename(line.slice(2)) !== ".gitignore")
    .map((line) => ({ path: join(folder, line.slice(2)), isTracked: !line.startsWith("?") }));
}
