/** The backup schedules of instances: whether one is due, and the backup itself, with the store held. */
import { createHash } from "node:crypto";
import { readBackupState, type HeldBackups } from "../backup/backup-state.ts";
import {
  createBackupSchedule,
  type BackupNotice,
  type BackupSchedule,
} from "../backup/schedule/backup-schedule.ts";
import { INTERVAL_MS, nextBackupAt, type BackupInterval } from "../backup/schedule/due-times.ts";
import {
  describeBackupFailure,
  type BackupJob,
  type BackupResult,
  type BackupSettings,
} from "../backup/schedule/make-backup.ts";
import { StoreInUseError } from "../database/lease-store.ts";
import type { Instance } from "../configuration/instance.ts";
import { isExplained } from "./explained-errors.ts";
import { isUsed } from "./instance-rows.ts";

export interface InstanceScheduleSettings {
  /** Opens the store, migrated, with its key, so that no restore and no removal runs meanwhile. */
  openStore(instance: Instance): Promise<{ close(): Promise<void> }>;
  /** Never rejects. */
  make(job: BackupJob, signal: AbortSignal): Promise<BackupResult>;
  /** Looks what the destination holds. */
  look(job: BackupJob): Promise<HeldBackups>;
  onNotice(instance: string, notice: BackupNotice): void;
  readonly now?: () => number;
}

const UNUSED_MS = 5 * 60_000;

export function createInstanceSchedules(settings: InstanceScheduleSettings) {
  const { now = Date.now } = settings;
  const schedules = new Map<string, BackupSchedule>();

  /** Returns when the instance is worth a look again; null when it has no schedule. */
  async function makeIfDue(instance: Instance): Promise<number | null> {
    const { name, dataDir, sync } = instance;
    if (sync.backup === undefined) return null;
    // Before its first use, an instance has nothing to save.
    if (!(await isUsed(instance))) return now() + UNUSED_MS;
    const times = { ...sync.backup, offsetMs: staggerOf(name, sync.backup.every) };
    const schedule = schedules.get(name) ?? createSchedule(instance, times);
    schedules.set(name, schedule);
    await schedule.check();
    return nextBackupAt(times, await readBackupState(dataDir, "sync"), now());
  }

  function createSchedule(instance: Instance, times: BackupSettings): BackupSchedule {
    const { name, dataDir, sync } = instance;
    const { store, instanceKeyFile, hostKeyFile } = sync;
    return createBackupSchedule({
      job: {
        service: "sync",
        store,
        instanceKeyFile,
        hostKeyFile,
        dataDir,
        settings: times,
      },
      make: (job, signal) => makeHeld(instance, job, signal),
      look: settings.look,
      onNotice: (notice) => settings.onNotice(name, notice),
      now,
    });
  }

  async function makeHeld(
    instance: Instance,
    job: BackupJob,
    signal: AbortSignal,
  ): Promise<BackupResult> {
    try {
      const store = await settings.openStore(instance);
      try {
        // The backup may have been broken off while the store was opened.
        return signal.aborted ? { kind: "busy" } : await settings.make(job, signal);
      } finally {
        await store.close();
      }
    } catch (error) {
      if (error instanceof StoreInUseError) return { kind: "busy" };
      return isExplained(error)
        ? { kind: "failed", message: error.message }
        : describeBackupFailure(error, job.settings.to);
    }
  }

  return {
    makeIfDue,
    forget: (name: string) => void schedules.delete(name),
    /** Breaks off a backup of the instance. */
    async end(name: string): Promise<void> {
      const schedule = schedules.get(name);
      schedules.delete(name);
      await schedule?.close();
    },
    async endAll(): Promise<void> {
      await Promise.all(Array.from(schedules.values(), (schedule) => schedule.close()));
    },
  };
}

/** The moment of an instance in each period, which is the same in every process and after every start. */
function staggerOf(name: string, every: BackupInterval): number {
  const share = createHash("sha256").update(name).digest().readUInt32BE() / 2 ** 32;
  return Math.floor(share * INTERVAL_MS[every]);
}
