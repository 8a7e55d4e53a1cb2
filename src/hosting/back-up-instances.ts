/**
 * The scheduled backups of many instances: each has its own moment in the hour, the day or the week, and
 * few are made at once, so that ten thousand instances never do it together.
 */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
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

export interface InstanceBackupSettings {
  /** The names of all instances, also of suspended ones: what they have is not saved elsewhere. */
  listNames(): readonly string[];
  find(name: string): Instance | null;
  /** Opens the store, migrated, with its key, so that no restore and no removal runs meanwhile. */
  openStore(instance: Instance): Promise<{ close(): Promise<void> }>;
  /** Never rejects. */
  make(job: BackupJob, signal: AbortSignal): Promise<BackupResult>;
  /** Looks what the destination holds. */
  look(job: BackupJob): Promise<HeldBackups>;
  onNotice(instance: string, notice: BackupNotice): void;
  readonly now?: () => number;
}

export interface InstanceBackups {
  /** Makes the backups that are due, and resolves when all are made. A timer calls it. */
  check(): Promise<void>;
  /** Breaks off a backup of the instance and begins none for a while, so that a command can change it. */
  pause(name: string): Promise<void>;
  close(): Promise<void>;
}

/** Each backup has a thread and up to 512 MB; the requests of all instances need the rest of the machine. */
const MAX_AT_ONCE = 2;
const CHECK_MS = 30_000;
/** The pause is longer than a command waits for an instance that it suspends. */
const PAUSE_MS = 2 * 60_000;
const UNUSED_MS = 5 * 60_000;
/** Times are looked up again so often, because another process or a clock may have changed them. */
const MAX_WAIT_MS = 3_600_000;

export function startInstanceBackups(settings: InstanceBackupSettings): InstanceBackups {
  const { now = Date.now } = settings;
  const schedules = new Map<string, BackupSchedule>();
  const nextAtByName = new Map<string, number>();
  const lanes = new Set<Promise<void>>();
  let queue: string[] = [];
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  async function check(): Promise<void> {
    fillQueue();
    while (lanes.size < MAX_AT_ONCE && queue.length > 0) {
      const lane = runLane().finally(() => lanes.delete(lane));
      lanes.add(lane);
    }
    await Promise.all(lanes);
  }

  function fillQueue(): void {
    if (queue.length > 0) return;
    const listed = new Set(settings.listNames());
    for (const name of nextAtByName.keys()) {
      if (listed.has(name)) continue;
      nextAtByName.delete(name);
      schedules.delete(name);
    }
    queue = [...listed].filter((name) => isWorthALook(nextAtByName.get(name) ?? 0));
    // An instance is in one lane at a time: another check may come while it waits.
    for (const name of queue) nextAtByName.set(name, Infinity);
  }

  /** A time that is further away than any that is set was set before the clock was rolled back. */
  function isWorthALook(at: number): boolean {
    return at <= now() || (at > now() + MAX_WAIT_MS && at !== Infinity);
  }

  async function runLane(): Promise<void> {
    for (let name = takeNext(); name !== undefined; name = takeNext()) await backUp(name);
  }

  const takeNext = () => (isClosed ? undefined : queue.shift());

  async function backUp(name: string): Promise<void> {
    const isPaused = () => nextAtByName.get(name) !== Infinity;
    if (isPaused()) return;
    const instance = settings.find(name);
    const nextAt = instance === null ? null : await makeIfDue(instance);
    if (nextAt === null) nextAtByName.delete(name);
    else if (!isPaused()) nextAtByName.set(name, Math.min(nextAt, now() + MAX_WAIT_MS));
  }

  /** Returns when the instance is worth a look again; null when it has no schedule. */
  async function makeIfDue(instance: Instance): Promise<number | null> {
    const { name, dataDir, sync } = instance;
    if (sync.backup === undefined) return null;
    // Before its first use, an instance has nothing to save.
    if (!existsSync(sync.instanceKeyFile)) return now() + UNUSED_MS;
    const times = { ...sync.backup, offsetMs: staggerOf(name, sync.backup.every) };
    const schedule = schedules.get(name) ?? createSchedule(instance, times);
    schedules.set(name, schedule);
    await schedule.check();
    return nextBackupAt(times, await readBackupState(dataDir, "sync"), now());
  }

  function createSchedule(instance: Instance, times: BackupSettings): BackupSchedule {
    const { name, dataDir, sync } = instance;
    const { store, instanceKeyFile } = sync;
    return createBackupSchedule({
      job: { service: "sync", store, dataDir, instanceKeyFile, settings: times },
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

  function plan(): void {
    // Several processes look at different times, so that the others find the backup of the first.
    timer = setTimeout(
      () => {
        void check();
        plan();
      },
      CHECK_MS * (0.5 + Math.random()),
    ).unref();
  }

  plan();
  // A time that was missed while the server was off is made up.
  void check();
  return {
    check,
    async pause(name) {
      nextAtByName.set(name, now() + PAUSE_MS);
      const schedule = schedules.get(name);
      schedules.delete(name);
      await schedule?.close();
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await Promise.all(Array.from(schedules.values(), (schedule) => schedule.close()));
      await Promise.all(lanes);
    },
  };
}

/** The moment of an instance in each period, which is the same in every process and after every start. */
function staggerOf(name: string, every: BackupInterval): number {
  const share = createHash("sha256").update(name).digest().readUInt32BE() / 2 ** 32;
  return Math.floor(share * INTERVAL_MS[every]);
}
