import type { BackupTools } from "../../backup/schedule/make-backup.ts";
import { readEnvironment } from "../../configuration/read-environment.ts";
import { loadStore } from "../load-store.ts";

/** The environment has the credentials of a bucket. */
export const BACKUP_TOOLS: BackupTools = { env: readEnvironment(), loadStore };
