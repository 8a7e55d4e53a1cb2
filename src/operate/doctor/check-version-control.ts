/** A private key in version control is in every clone of it, for ever. */
import { basename, dirname } from "node:path";
import { listGitFiles, type GitFile } from "../../release/publishing/tracked-files.ts";
import type { Configuration } from "../../configuration/configuration-schema.ts";
import { INSTANCES_FOLDER } from "../../configuration/instance.ts";
import { errorFinding, warning, type Finding } from "./finding.ts";

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
      part: "keys",
      remedy: "revoke it with `trellis release key revoke ID`",
    },
    {
      folder: dataDir,
      part: INSTANCES_FOLDER,
      isKey: /[\\/]instance\.key$/,
      remedy: NEW_INSTANCE_KEY,
    },
    ...[...instanceKeys]
      .filter((path) => path !== undefined)
      .map((path) => ({
        folder: dirname(path),
        part: basename(path),
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

function describe({ path, isTracked }: GitFile, remedy: string): Finding {
  const subject = "version control";
  return isTracked
    ? errorFinding(
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
  /** A private key in the folder, or a folder of them. */
  readonly part: string;
  /** Absent when everything there is private. */
  readonly isKey?: RegExp;
  /** What to do about a key that others may have. */
  readonly remedy: string;
}

/** Files that git tracks or would take; empty when there is no git, no repository or no such folder. */
async function listExposed({ folder, part, isKey }: PrivatePlace): Promise<readonly GitFile[]> {
  const select = ["--cached", "--others", "--exclude-standard"];
  const listed = await listGitFiles(folder, part, select);
  if (listed.kind === "failed") return [];
  return listed.files.filter(({ path }) => isKey?.test(path) ?? basename(path) !== ".gitignore");
}
