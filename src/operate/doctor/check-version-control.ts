/** A private key in version control is in every clone of it, forever. */
import { basename, dirname } from "node:path";
import { listGitFiles, type GitFile } from "../../release/publishing/tracked-files.ts";
import { INSTANCES_FOLDER } from "../../configuration/instance.ts";
import { nameInstance } from "../../configuration/name-instance.ts";
import type { StoreOwner } from "../../database/store-kind.ts";
import { errorFinding, warning, type Finding } from "./finding.ts";

export interface InstanceKeyPlace {
  /** A service that uses the key; its commands change the key for all that do. */
  readonly service: StoreOwner;
  readonly instanceKeyFile: string;
}

export async function checkVersionControl(
  dataDir: string,
  instanceKeys: readonly InstanceKeyPlace[],
): Promise<Finding[]> {
  const places: PrivatePlace[] = [
    {
      folder: dataDir,
      part: "keys",
      remedyFor: () => "revoke it with `trellis release key revoke ID`",
    },
    {
      folder: dataDir,
      part: INSTANCES_FOLDER,
      isKey: /[\\/]instance\.key$/,
      remedyFor: (path) => nameInstance(replaceKey("sync"), basename(dirname(path))),
    },
    ...instanceKeys.map(({ service, instanceKeyFile }) => ({
      folder: dirname(instanceKeyFile),
      part: basename(instanceKeyFile),
      remedyFor: () => replaceKey(service),
    })),
  ];
  const found = await Promise.all(
    places.map(async (place) =>
      (await listExposed(place)).map((file) => describe(file, place.remedyFor(file.path))),
    ),
  );
  return found.flat();
}

/** The retired key is dropped too: while it is kept, what was signed with it is accepted. */
function replaceKey(service: StoreOwner): string {
  return `stop the server, replace the key with \`trellis ${service} key rotate\`, and drop the old one with \`trellis ${service} key drop ID\``;
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
        `the private key ${path} is in a git work tree and not ignored, so \`git add\` would add it`,
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
  remedyFor(path: string): string;
}

/** Files that git tracks or would take; empty when there is no git, no repository or no such folder. */
async function listExposed({ folder, part, isKey }: PrivatePlace): Promise<readonly GitFile[]> {
  const select = ["--cached", "--others", "--exclude-standard"];
  const listed = await listGitFiles(folder, part, select);
  if (listed.kind === "failed") return [];
  return listed.files.filter(({ path }) => isKey?.test(path) ?? basename(path) !== ".gitignore");
}
