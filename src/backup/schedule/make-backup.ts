/** Makes the backup of a schedule: one process at a time, verified, and then old ones are deleted. */
import { join } from "node:path";
import {
  BackupRefusedError,
  BackupTooLargeError,
  type BackupKey,
} from "../format/backup-format.ts";
import { FileExistsError } from "../../database/place-file.ts";
import { createBackup } from "../format/write-backup.ts";
import { StorageUnavailableError } from "../../database/database.ts";
import { readFreeBytes, type ReadFreeBytes } from "../../database/disk-space.ts";
import { takeTaskLease } from "../../database/lease.ts";
import { listBackupKeys } from "../backup-key.ts";
import {
  keyPlaceOf,
  nameMissingKey,
  readKeyOf,
  type KeySection,
} from "../../identity/key-place.ts";
import {
  createBackupRecord,
  isFuture,
  type BackupRecord,
  type HeldBackups,
} from "../backup-state.ts";
import type { BackupPlan } from "./backup-plan.ts";
import { explainFileError } from "../../database/explain-file-error.ts";
import type { S3Options } from "../storage/s3-settings.ts";
import { useDatabase } from "../../database/open-database.ts";
import { productStamp } from "../../database/product-stamp.ts";
import type { StoreDescription } from "../store-description.ts";
import type { StoreOwner } from "../../database/store-kind.ts";
import {
  BackupPlaceError,
  openDestination,
  type BackupDestination,
  type StoredBackup,
} from "./backup-destination.ts";
import { encryptionOf } from "./backup-encryption.ts";
import { backupName, backupPrefix } from "./backup-name.ts";
import { chooseKept } from "./choose-kept.ts";
import { isBackupDue, type BackupTimes } from "./due-times.ts";
import { expectDiskSpace } from "./expect-disk-space.ts";

export type BackupSettings = BackupPlan & BackupTimes;

/** A backup to make, as plain data that a thread can get. */
export interface BackupJob extends KeySection {
  readonly service: StoreOwner;
  readonly dataDir: string;
  readonly settings: BackupSettings;
  readonly now: number;
}

export interface BackupTools {
  readonly env: S3Options["env"];
  loadStore(service: StoreOwner): Promise<Pick<StoreDescription, "examiner">>;
  readonly readFreeBytes?: ReadFreeBytes;
  readonly now?: () => number;
}

export type BackupResult =
  | {
      readonly kind: "made";
      readonly record: BackupRecord;
      readonly removed: number;
      /** Why old backups could not be deleted. */
      readonly pruneError: string | null;
    }
  /** Another server has made the backup. */
  | { readonly kind: "current"; readonly record: BackupRecord }
  /** Another process makes the backup now. */
  | { readonly kind: "busy" }
  | BackupFailed;

export interface BackupFailed {
  readonly kind: "failed";
  readonly message: string;
  /** An unexpected error, which is a bug. */
  readonly error?: unknown;
}

/** Never rejects. The service uses the store, so that no restore runs meanwhile. */
export async function makeScheduledBackup(
  job: BackupJob,
  tools: BackupTools,
): Promise<BackupResult> {
  try {
    return (await doAlone(job, () => makeAlone(job, tools))) ?? { kind: "busy" };
  } catch (error) {
    return describeBackupFailure(error, job.settings.to);
  }
}

/** Looks what the destination holds of this instance; changes nothing. */
export async function listHeld(job: BackupJob, tools: BackupTools): Promise<HeldBackups> {
  const present = await listPresent(await openPlace(job, tools));
  const times = present.map(({ createdAt }) => createdAt).sort((a, b) => a - b);
  const toText = (time: number | undefined) =>
    time === undefined ? null : new Date(time).toISOString();
  const last = times.at(-1);
  return {
    newestAt: toText(times.findLast((time) => !isFuture(time, job.now))),
    futureAt: last !== undefined && isFuture(last, job.now) ? toText(last) : null,
  };
}

/** Removes what a backup that was broken off has left: the next backup would do so, but there may be none. */
export async function removeBrokenOff(job: BackupJob, tools: BackupTools): Promise<void> {
  try {
    await doAlone(job, async () => removeDrafts(await openPlace(job, tools)));
  } catch {
    // The place is away: the next backup says so.
  }
}

/** Runs `work` while no other process makes a backup of the store; null when one does. */
async function doAlone<T>(
  { store, service }: BackupJob,
  work: () => Promise<T>,
): Promise<T | null> {
  const lease = await takeTaskLease(store, `${service} backup`);
  if (lease === null) return null;
  try {
    return await work();
  } finally {
    await lease.release();
  }
}

interface Place {
  readonly examiner: StoreDescription["examiner"];
  readonly destination: BackupDestination;
  /** The backup keys, with the one in force first. */
  readonly keys: readonly [BackupKey, ...BackupKey[]];
  readonly prefixes: readonly string[];
}

async function openPlace(
  { service, dataDir, settings, ...section }: BackupJob,
  tools: BackupTools,
): Promise<Place> {
  const { examiner } = await tools.loadStore(service);
  const ring = await readKeyOf(section);
  if (ring === null) {
    throw new BackupPlaceError(
      `${nameMissingKey(keyPlaceOf(section))}: a backup without it could be changed unnoticed`,
    );
  }
  const draftFolder = join(dataDir, `${service}.backup-draft`);
  const destination = await openDestination(settings.to, draftFolder, tools.env);
  const keys = listBackupKeys(ring, service);
  // Backups of a key that was replaced belong to this instance, too.
  const prefixes = keys.map((key) => backupPrefix(service, key));
  return { examiner, destination, keys, prefixes };
}

async function removeDrafts({ destination, prefixes }: Place): Promise<void> {
  for (const prefix of prefixes) await destination.removeDrafts(prefix);
}

async function listPresent({ destination, prefixes }: Place): Promise<readonly StoredBackup[]> {
  return (await Promise.all(prefixes.map((prefix) => destination.list(prefix)))).flat();
}

async function makeAlone(job: BackupJob, tools: BackupTools): Promise<BackupResult> {
  const { service, settings, now } = job;
  const place = await openPlace(job, tools);
  const { destination, keys } = place;
  const present = await listPresent(place);
  const [newest] = present
    .filter(({ createdAt }) => !isFuture(createdAt, now))
    .sort((a, b) => b.createdAt - a.createdAt);
  if (newest !== undefined && !isBackupDue(settings, newest.createdAt, now)) {
    const createdAt = new Date(newest.createdAt).toISOString();
    const record = {
      createdAt,
      verifiedAt: null,
      place: destination.addressOf(newest.name),
      bytes: newest.bytes,
      sha256: null,
      facts: {},
    };
    return { kind: "current", record };
  }
  await removeDrafts(place);
  const name = backupName(backupPrefix(service, keys[0]), now, settings.encryptTo !== undefined);
  const record = await storeBackup(job, place, name, tools);
  const made = { name, createdAt: now, bytes: record.bytes };
  const pruned = await prune(destination, [...present, made], settings, now);
  return { kind: "made", record, ...pruned };
}

async function storeBackup(
  { store, now, settings }: BackupJob,
  { examiner, destination, keys: [key] }: Place,
  name: string,
  tools: BackupTools,
): Promise<BackupRecord> {
  const { readFreeBytes: readFree = readFreeBytes, now: clock = Date.now } = tools;
  const { format } = examiner;
  const { workFolder, draftFolder } = destination;
  const encryption = encryptionOf(settings, draftFolder);
  const folders = new Set([workFolder, ...(encryption === null ? [] : [draftFolder])]);
  const manifest = await useDatabase(store, {}, (database) =>
    destination.store(name, async (path) => {
      for (const folder of folders) await expectDiskSpace(database, format, folder, readFree);
      // The backup has no instance key: the server knows no passphrase to seal it under.
      const options = { product: productStamp(), now, instanceKey: null, key };
      return createBackup(database, path, examiner, options, encryption);
    }),
  );
  return createBackupRecord(manifest, format, destination.addressOf(name), clock());
}

/** A backup that was made stays good, whatever becomes of the old ones. */
async function prune(
  destination: BackupDestination,
  backups: readonly { readonly name: string; readonly createdAt: number }[],
  { keep, to }: BackupSettings,
  now: number,
): Promise<{ readonly removed: number; readonly pruneError: string | null }> {
  const kept = chooseKept(backups, keep, now);
  let removed = 0;
  try {
    for (const backup of backups) {
      if (kept.has(backup)) continue;
      await destination.remove(backup.name);
      removed++;
    }
    return { removed, pruneError: null };
  } catch (error) {
    return { removed, pruneError: describeBackupFailure(error, to).message };
  }
}

export function describeBackupFailure(error: unknown, to: string): BackupFailed {
  const fail = (message: string): BackupFailed => ({ kind: "failed", message });
  if (error instanceof BackupPlaceError || error instanceof StorageUnavailableError) {
    return fail(error.message);
  }
  if (error instanceof FileExistsError || error instanceof BackupTooLargeError)
    return fail(error.message);
  if (error instanceof BackupRefusedError) {
    return fail(`What was written is not valid, so it was removed: ${error.message}`);
  }
  const reason = explainFileError(error);
  return reason === undefined
    ? { ...fail("An unexpected error ended the backup: see its line in the log"), error }
    : fail(`Cannot write to "${to}": ${reason}`);
}
