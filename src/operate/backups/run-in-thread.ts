import { Worker } from "node:worker_threads";
import {
  describeBackupFailure,
  removeBrokenOff,
  type BackupJob,
  type BackupResult,
} from "../../backup/schedule/make-backup.ts";
import { BACKUP_TOOLS } from "./backup-tools.ts";

/** The memory is enough for rows at their limits; the service must not lose its own to a backup. */
const MAX_MEMORY_MB = 512;

/** Never rejects. An abort ends the thread at once, and what it leaves is removed. */
export async function runBackupInThread(
  job: BackupJob,
  signal: AbortSignal,
): Promise<BackupResult> {
  try {
    return await runThread(job, signal);
  } catch (error) {
    // There is no memory, or no permission, for a thread.
    return describeBackupFailure(error, job.settings.to);
  }
}

async function runThread(job: BackupJob, signal: AbortSignal): Promise<BackupResult> {
  const { promise, resolve } = Promise.withResolvers<BackupResult>();
  const fail = (error: unknown) => resolve(describeBackupFailure(error, job.settings.to));
  const worker = new Worker(new URL("./backup-worker.ts", import.meta.url), {
    workerData: job,
    argv: [],
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY_MB },
  });
  worker.on("message", resolve);
  worker.on("error", fail);
  worker.on("exit", () => resolve({ kind: "failed", message: "The backup was broken off" }));
  const abort = () => void worker.terminate();
  signal.addEventListener("abort", abort);
  try {
    return await promise;
  } finally {
    signal.removeEventListener("abort", abort);
    await worker.terminate();
    if (signal.aborted) await removeBrokenOff(job, BACKUP_TOOLS);
  }
}
