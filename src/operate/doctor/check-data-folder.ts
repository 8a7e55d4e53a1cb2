import { accessSync, constants, lstatSync, readdirSync, statfsSync, statSync } from "node:fs";
import { join } from "node:path";
import { errorFinding, ok, warning, type Finding } from "./finding.ts";

/** A backup, a new manifest and a database's journal must still fit. */
const LOW_SPACE_BYTES = 100 * 1024 * 1024;

export function checkDataFolder(folder: string): Finding[] {
  const subject = "data folder";
  let mode: number;
  let owner: number;
  try {
    ({ mode, uid: owner } = statSync(folder));
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === "ENOENT"
      ? [ok(subject, `${folder} will be created on first use`)]
      : [
          errorFinding(
            subject,
            `${folder} cannot be used (${code})`,
            "give this user write access to it",
          ),
        ];
  }
  const findings = checkOwner(folder, owner);
  if ((mode & 0o002) !== 0) {
    findings.push(
      errorFinding(subject, `every user can write to ${folder}`, `run \`chmod o-w ${folder}\``),
    );
  }
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize < LOW_SPACE_BYTES) {
    findings.push(
      warning(
        subject,
        "its disk has less than 100 MiB of free space",
        "free space; what is stored stays as it is until there is some",
      ),
    );
  }
  return findings.length > 0
    ? findings
    : [ok(subject, `${folder} is writable and has enough free space`)];
}

const ROOT = 0;

/** A command that an administrator ran makes files that the service, which runs as another user, cannot write. */
function checkOwner(folder: string, owner: number): Finding[] {
  if (owner === ROOT || process.platform === "win32") return [];
  const foreign = readdirSync(folder).filter(
    (name) => lstatSync(join(folder, name), { throwIfNoEntry: false })?.uid === ROOT,
  );
  if (foreign.length === 0) return [];
  return [
    errorFinding(
      "data folder",
      `${foreign.join(", ")} belong${foreign.length === 1 ? "s" : ""} to root, and ${folder} to the user of the service, which cannot write there`,
      `run \`chown -R --reference=${folder} ${folder}\`, and commands as that user, such as \`sudo -u trellis trellis …\``,
    ),
  ];
}
