/** The option of the commands that compare files with their release. */
import { flag } from "../../command.ts";

export const OWN_FILES_OPTIONS = {
  "allow-version-mismatch": flag(
    "Accept files that say another version or build than that of the release",
  ),
} as const;
