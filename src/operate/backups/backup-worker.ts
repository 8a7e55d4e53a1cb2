/** The thread that makes a scheduled backup, so that no request waits for it. */
import { parentPort, workerData } from "node:worker_threads";
import { makeScheduledBackup, type BackupJob } from "../../backup/schedule/make-backup.ts";
import { loadStore } from "../load-store.ts";

const result = await makeScheduledBackup(workerData as BackupJob, { env: process.env, loadStore });
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origins
parentPort?.postMessage(result);
