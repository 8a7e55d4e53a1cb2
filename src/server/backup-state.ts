/** What is known about the backups of a service, in a small file beside its store. */
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { isObject } from "../contract/is-object.ts";
import type { BackupFormat, BackupManifest } from "../database/backup/backup-format.ts";
import { replaceFile } from "../database/backup/place-file.ts";
import type { StoreOwner } from "./store-description.ts";

/** A backup that was read back and verified after it was written; others are not remembered. */
export interface BackupRecord {
  readonly createdAt: string;
  readonly verifiedAt: string;
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

export interface BackupState {
  /** The newest backup, whether the server or a command made it. */
  readonly last: BackupRecord | null;
  /** The last backup that the server's schedule made. */
  readonly scheduled: BackupRecord | null;
  /** The failure of scheduled backups; null while they succeed. */
  readonly failure: BackupFailure | null;
}

export const STANDARD_OUTPUT = "standard output";

const NOTHING: BackupState = { last: null, scheduled: null, failure: null };

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

function parseState({ last, scheduled, failure }: Readonly<Record<string, unknown>>): BackupState {
  return {
    last: isRecord(last) ? last : null,
    scheduled: isRecord(scheduled) ? scheduled : null,
    failure: isFailure(failure) ? failure : null,
  };
}

function isRecord(value: unknown): value is BackupRecord {
  return (
    isObject(value) &&
    isTime(value["createdAt"]) &&
    isTime(value["verifiedAt"]) &&
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

function isTime(value: unknown): boolean {
  return typeof value === "string" && !Number.isNaN(Date.parse(value));
}
