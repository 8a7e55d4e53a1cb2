/** The thread that makes a scheduled backup, so that no request waits for it. */
import { parentPort, workerData } from "node:worker_threads";
import { makeScheduledBackup, type BackupJob } from "../../backup/schedule/make-backup.ts";
import { BACKUP_TOOLS } from "./backup-tools.ts";

const result = await makeScheduledBackup(workerData as BackupJob, BACKUP_TOOLS);
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origins
parentPort?.postMessage(result);
