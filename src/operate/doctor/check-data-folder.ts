import { accessSync, constants, statfsSync, statSync } from "node:fs";
import { errorFinding, ok, warning, type Finding } from "./finding.ts";

/** A backup, a new manifest and a database's journal must still fit. */
const LOW_SPACE_BYTES = 100 * 1024 * 1024;

export function checkDataFolder(folder: string): Finding[] {
  const subject = "data folder";
  let mode: number;
  try {
    mode = statSync(folder).mode;
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
  const findings: Finding[] = [];
  if ((mode & 0o002) !== 0) {
    findings.push(
      errorFinding(subject, `every user can write to ${folder}`, `run \`chmod o-w ${folder}\``),
    );
  }
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize < LOW_SPACE_BYTES) {
    findings.push(warning(subject, "its disk has less than 100 MiB of free space", "free space"));
  }
  return findings.length > 0
    ? findings
    : [ok(subject, `${folder} is writable and has enough free space`)];
}
