/** Backups by the clock while a service runs: a failure is reported once, tried again, and stops nothing. */
import { HOUR_MS } from "../../contract/durations.ts";
import { guardNotices } from "../../http/stored-service.ts";
import {
  changeBackupState,
  isFuture,
  readBackupState,
  type BackupFailure,
  type BackupRecord,
  type BackupState,
  type HeldBackups,
} from "../backup-state.ts";
import { isBackupDue, isRetryDue } from "./due-times.ts";
import type { BackupFailed, BackupJob, BackupResult } from "./make-backup.ts";

export type BackupNotice =
  | {
      readonly kind: "backup-made";
      readonly record: BackupRecord;
      readonly removed: number;
      readonly durationMs: number;
    }
  /** The first of several attempts that fail. */
  | { readonly kind: "backup-failed"; readonly message: string; readonly error?: unknown }
  /** A backup succeeded after attempts that failed. */
  | { readonly kind: "backup-works-again"; readonly failure: BackupFailure }
  | { readonly kind: "backup-prune-failed"; readonly message: string };

export interface BackupScheduleSettings {
  readonly job: Omit<BackupJob, "now">;
  /** Never rejects. */
  make(job: BackupJob, signal: AbortSignal): Promise<BackupResult>;
  /** Looks what the destination holds. */
  look(job: BackupJob): Promise<HeldBackups>;
  onNotice(notice: BackupNotice): void;
  readonly now?: () => number;
}

export interface BackupSchedule {
  /** Makes a backup if one is due. */
  check(): Promise<void>;
  /** Breaks off a backup that is being made. */
  close(): Promise<void>;
}

/** A backup may be deleted or moved away between two that are made. */
const LOOK_MS = 6 * HOUR_MS;

/** The schedule has no timer: the caller checks now and then. */
export function createBackupSchedule(settings: BackupScheduleSettings): BackupSchedule {
  const { job, now = Date.now } = settings;
  const onNotice = guardNotices(settings.onNotice);
  const { service, dataDir } = job;
  const stopping = new AbortController();
  /** A place that hangs must not delay the end of the service. */
  const stopped = new Promise<null>((resolve) =>
    stopping.signal.addEventListener("abort", () => resolve(null)),
  );
  let running: Promise<void> | null = null;
  let lookedAt = -Infinity;
  /** Changes that are kept while the file cannot be written, on a full disk for example. */
  let unwritten: Partial<BackupState> = {};

  async function save(change: Partial<BackupState>): Promise<void> {
    unwritten = { ...unwritten, ...change };
    try {
      await changeBackupState(dataDir, service, unwritten);
      unwritten = {};
    } catch {
      // The next change is saved together with this one.
    }
  }

  async function makeIfDue(): Promise<void> {
    const at = now();
    const state = { ...(await readBackupState(dataDir, service)), ...unwritten };
    const { failure } = state;
    if (!isBackupDue(job.settings, toTime(state.scheduled), at)) return lookIfDue(at);
    if (failure !== null && !isRetryDue(failure, at)) return;
    const startedAt = performance.now();
    const result = await settings.make({ ...job, now: at }, stopping.signal);
    if (stopping.signal.aborted) return;
    switch (result.kind) {
      case "busy":
        return;
      case "failed":
        return noteFailure(result, failure, at);
      case "current": {
        // The process that made the backup knows more about it, and may have said so meanwhile.
        const present = await readBackupState(dataDir, service);
        if (present.scheduled?.place === result.record.place) return;
        return noteSuccess(result.record, present);
      }
      case "made": {
        const { record, removed, pruneError } = result;
        await noteSuccess(record, state);
        const durationMs = Math.round(performance.now() - startedAt);
        onNotice({ kind: "backup-made", record, removed, durationMs });
        if (pruneError !== null) onNotice({ kind: "backup-prune-failed", message: pruneError });
      }
    }
  }

  /** A place that is away keeps what is known of it: the next backup fails, and says so. */
  async function lookIfDue(at: number): Promise<void> {
    if (Math.abs(at - lookedAt) < LOOK_MS) return;
    lookedAt = at;
    const looking = settings.look({ ...job, now: at }).catch(() => null);
    const held = await Promise.race([looking, stopped]);
    if (held !== null) await save({ held });
  }

  async function noteFailure(
    { message, error }: BackupFailed,
    previous: BackupFailure | null,
    at: number,
  ): Promise<void> {
    const lastAt = new Date(at).toISOString();
    const failure = {
      // A time that a clock wrote which was ahead would hide how long they fail.
      since: previous === null || Date.parse(previous.since) > at ? lastAt : previous.since,
      lastAt,
      attempts: (previous?.attempts ?? 0) + 1,
      message,
    };
    await save({ failure });
    if (previous === null) {
      onNotice({ kind: "backup-failed", message, ...(error !== undefined && { error }) });
    }
  }

  async function noteSuccess(record: BackupRecord, { last, failure }: BackupState): Promise<void> {
    const lastAt = toTime(last);
    const isNewer =
      lastAt === null || isFuture(lastAt, now()) || Date.parse(record.createdAt) >= lastAt;
    await save({ scheduled: record, failure: null, ...(isNewer && { last: record }) });
    lookedAt = -Infinity;
    await lookIfDue(now());
    if (failure !== null) onNotice({ kind: "backup-works-again", failure });
  }

  return {
    check() {
      if (stopping.signal.aborted) return Promise.resolve();
      running ??= makeIfDue().finally(() => (running = null));
      return running;
    },
    async close() {
      stopping.abort();
      await running;
    },
  };
}

function toTime(record: BackupRecord | null): number | null {
  return record === null ? null : Date.parse(record.createdAt);
}
