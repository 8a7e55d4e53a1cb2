/** The data folder holds private keys: it must be there, writable for us, and closed to others. */
import { accessSync, constants, statfsSync, statSync } from "node:fs";
import { fault, ok, warning, type Finding } from "./finding.ts";

const SUBJECT = "data folder";
/** A backup, a new manifest and a database's journal must still fit. */
const LOW_SPACE_BYTES = 100 * 1024 * 1024;

export function examineDataFolder(folder: string): Finding[] {
  let mode: number;
  try {
    mode = statSync(folder).mode;
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === "ENOENT"
      ? [ok(SUBJECT, `${folder} is made on first use`)]
      : [
          fault(
            SUBJECT,
            `${folder} cannot be used (${code})`,
            "give this user the right to write there",
          ),
        ];
  }
  const findings: Finding[] = [];
  if ((mode & 0o002) !== 0) {
    findings.push(
      fault(SUBJECT, `${folder} is writable for everybody`, `run \`chmod o-w ${folder}\``),
    );
  }
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize < LOW_SPACE_BYTES) {
    findings.push(warning(SUBJECT, "less than 100 MiB are free on its disk", "make room"));
  }
  return findings.length > 0 ? findings : [ok(SUBJECT, `${folder} is usable and has room`)];
}
