/** Backups by the clock while a service runs: a failure is told once, tried again, and stops nothing. */
import { guardNotices } from "../../http/stored-service.ts";
import {
  changeBackupState,
  readBackupState,
  type BackupFailure,
  type BackupRecord,
  type BackupState,
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
  onNotice(notice: BackupNotice): void;
  readonly now?: () => number;
}

export interface BackupSchedule {
  /** Makes a backup if one is due. */
  check(): Promise<void>;
  /** Breaks off a backup that is being made. */
  close(): Promise<void>;
}

/** The schedule has no timer: the caller checks now and then. */
export function createBackupSchedule(settings: BackupScheduleSettings): BackupSchedule {
  const { job, now = Date.now } = settings;
  const onNotice = guardNotices(settings.onNotice);
  const { service, dataDir } = job;
  const stopping = new AbortController();
  let running: Promise<void> | null = null;
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
    if (!isBackupDue(job.settings, toTime(state.scheduled), at)) return;
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

  async function noteFailure(
    { message, error }: BackupFailed,
    previous: BackupFailure | null,
    at: number,
  ): Promise<void> {
    const lastAt = new Date(at).toISOString();
    const failure = {
      since: previous?.since ?? lastAt,
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
    const isNewer = last === null || Date.parse(record.createdAt) >= Date.parse(last.createdAt);
    await save({ scheduled: record, failure: null, ...(isNewer && { last: record }) });
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
