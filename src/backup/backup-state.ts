/** What is known about the backups of a service, in a small file beside its store. */
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { HOUR_MS } from "../contract/durations.ts";
import { isObject } from "../contract/is-object.ts";
import type { BackupFormat, BackupManifest } from "./format/backup-format.ts";
import { replaceFile } from "../database/place-file.ts";
import type { StoreOwner } from "../database/store-kind.ts";

/** A backup that was read back and verified after it was written, or that the destination holds. */
export interface BackupRecord {
  readonly createdAt: string;
  /** Null when this instance found the backup at the destination: only who made it has verified it. */
  readonly verifiedAt: string | null;
  /** A path, an address in a bucket, or `standard output`. */
  readonly place: string;
  readonly bytes: number;
  /** The digest of the backup's rows, as `verify` shows it. Null when another server made the backup. */
  readonly sha256: string | null;
  /** Members of the backup's trailer; a sync backup has its generation and its head. */
  readonly facts: Readonly<Record<string, unknown>>;
}

/** Scheduled backups that fail, from the first to the last attempt. */
export interface BackupFailure {
  readonly since: string;
  readonly lastAt: string;
  readonly attempts: number;
  /** What happened and what to do, without secrets. */
  readonly message: string;
}

/** What the destination of a schedule holds, by the names of its backups. */
export interface HeldBackups {
  /** The newest backup; null when there is none but those of a clock that was ahead. */
  readonly newestAt: string | null;
  /** The backup that is furthest in the future, where a clock was ahead; null when none is. */
  readonly futureAt: string | null;
}

export interface BackupState {
  /** The newest backup, whether the server or a command made it. */
  readonly last: BackupRecord | null;
  /** The last backup that the server's schedule made. */
  readonly scheduled: BackupRecord | null;
  /** The failure of scheduled backups; null while they succeed. */
  readonly failure: BackupFailure | null;
  /** What the destination held when the schedule last looked; null before that. */
  readonly held: HeldBackups | null;
}

/** Clocks of several machines differ a little; a time beyond that was written by a wrong clock. */
export const MAX_CLOCK_SKEW_MS = HOUR_MS;

export function isFuture(time: number, now: number): boolean {
  return time > now + MAX_CLOCK_SKEW_MS;
}

/**
 * The time of the newest backup, from which its age counts. A scheduled backup counts only while its
 * destination holds it. A time in the future counts only when there is no other.
 */
export function newestBackupAt({ last, scheduled, held }: BackupState, now: number): number | null {
  const isScheduled = last !== null && last.place === scheduled?.place;
  const times = [
    held === null || !isScheduled ? last?.createdAt : null,
    held?.newestAt,
    held?.futureAt,
  ].flatMap((time) => (time === null || time === undefined ? [] : Date.parse(time)));
  const past = times.filter((time) => !isFuture(time, now));
  if (past.length > 0) return Math.max(...past);
  return times.length > 0 ? Math.min(...times) : null;
}

/** Whether a record is of the backup with this time; names of backups have no milliseconds. */
export function isOfTime({ createdAt }: BackupRecord, time: number): boolean {
  return Math.floor(Date.parse(createdAt) / 1000) === Math.floor(time / 1000);
}

export const STANDARD_OUTPUT = "standard output";

const NOTHING: BackupState = { last: null, scheduled: null, failure: null, held: null };

/** Reads the state; a file that is missing or cannot be read is a state without backups. */
export async function readBackupState(dataDir: string, service: StoreOwner): Promise<BackupState> {
  try {
    const value: unknown = JSON.parse(await readFile(backupStateFile(dataDir, service), "utf8"));
    return isObject(value) ? parseState(value) : NOTHING;
  } catch {
    return NOTHING;
  }
}

export async function changeBackupState(
  dataDir: string,
  service: StoreOwner,
  change: Partial<BackupState>,
): Promise<void> {
  const state = { ...(await readBackupState(dataDir, service)), ...change };
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  await replaceFile(backupStateFile(dataDir, service), `${JSON.stringify(state, null, 2)}\n`);
}

export function createBackupRecord(
  manifest: BackupManifest,
  format: BackupFormat,
  place: string,
  verifiedAt: number,
): BackupRecord {
  const { createdAt, fileBytes: bytes, sha256 } = manifest;
  const members = manifest as unknown as Readonly<Record<string, unknown>>;
  return {
    createdAt,
    verifiedAt: new Date(verifiedAt).toISOString(),
    place,
    bytes,
    sha256,
    facts: Object.fromEntries(Object.keys(format.facts).map((name) => [name, members[name]])),
  };
}

export function backupStateFile(dataDir: string, service: StoreOwner): string {
  return join(dataDir, `${service}.backups.json`);
}

function parseState(state: Readonly<Record<string, unknown>>): BackupState {
  const { last, scheduled, failure, held } = state;
  return {
    last: isRecord(last) ? last : null,
    scheduled: isRecord(scheduled) ? scheduled : null,
    failure: isFailure(failure) ? failure : null,
    held: isHeld(held) ? held : null,
  };
}

function isRecord(value: unknown): value is BackupRecord {
  return (
    isObject(value) &&
    isTime(value["createdAt"]) &&
    (value["verifiedAt"] === null || isTime(value["verifiedAt"])) &&
    typeof value["place"] === "string" &&
    typeof value["bytes"] === "number" &&
    isObject(value["facts"])
  );
}

function isFailure(value: unknown): value is BackupFailure {
  return (
    isObject(value) &&
    isTime(value["since"]) &&
    isTime(value["lastAt"]) &&
    typeof value["attempts"] === "number" &&
    typeof value["message"] === "string"
  );
}

function isHeld(value: unknown): value is HeldBackups {
  return (
    isObject(value) &&
    [value["newestAt"], value["futureAt"]].every((time) => time === null || isTime(time))
  );
}

function isTime(value: unknown): boolean {
  return typeof value === "string" && !Number.isNaN(Date.parse(value));
}
