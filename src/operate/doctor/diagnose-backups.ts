/** Whether the last verified backup of a service is there, and new enough. */
import { accessSync, constants, existsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { DAY_MS } from "../../contract/durations.ts";
import {
  isFuture,
  isOfTime,
  newestBackupAt,
  readBackupState,
  STANDARD_OUTPUT,
  type BackupState,
} from "../../backup/backup-state.ts";
import { INTERVAL_MS } from "../../backup/schedule/due-times.ts";
import { listHeld } from "../../backup/schedule/make-backup.ts";
import type { StoreSection } from "../../configuration/configuration-schema.ts";
import type { StoreOwner } from "../../database/store-kind.ts";
import { parseS3Address } from "../../backup/storage/s3-settings.ts";
import { explainFileError } from "../../database/explain-file-error.ts";
import { errorFinding, ok, warning, type Finding } from "./finding.ts";
import { loadStore } from "../load-store.ts";

export interface BackedUpStore extends StoreSection {
  readonly name: StoreOwner;
  readonly dataDir: string;
  readonly now: number;
}

/** A backup of a service without a schedule is old when a daily timer has failed for a week. */
const OLD_BACKUP_MS = 7 * DAY_MS;

export async function diagnoseBackups(service: BackedUpStore): Promise<Finding[]> {
  const state = await readPresentState(service);
  const { failure, held } = state;
  const findings = [checkNewest(service, state)];
  if (service.backup === undefined) return findings;
  findings.push(...checkPlace(subjectOf(service), service.backup.to));
  if (failure !== null) {
    findings.push(
      warning(
        subjectOf(service),
        `scheduled backups fail since ${failure.since}: ${failure.message}`,
        "the server tries again by itself, at least once an hour",
      ),
    );
  }
  const futureAt = held?.futureAt ?? null;
  if (futureAt !== null) {
    findings.push(
      warning(
        subjectOf(service),
        `${service.backup.to} holds a backup that is dated ${futureAt}, in the future: the clock was ahead`,
        "check the clock; delete that backup once there are others",
      ),
    );
  }
  return findings;
}

/** A folder is listed now; of a bucket it is known what the server saw there last. */
async function readPresentState(service: BackedUpStore): Promise<BackupState> {
  const { name, dataDir, backup, now } = service;
  const state = await readBackupState(dataDir, name);
  if (backup === undefined || !isFile(backup.to)) return state;
  const job = { ...service, service: name, settings: backup, now };
  return listHeld(job, { env: {}, loadStore }).then(
    (held) => ({ ...state, held }),
    () => state,
  );
}

/** The folder is made with the first backup. */
function checkPlace(subject: string, to: string): Finding[] {
  if (!isFile(to)) return [];
  let folder = to;
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  try {
    if (!statSync(folder).isDirectory()) return [placeError(subject, to, `${folder} is a file`)];
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return [];
  } catch (error) {
    return [placeError(subject, to, explainFileError(error) ?? "it cannot be read")];
  }
}

function placeError(subject: string, to: string, reason: string): Finding {
  return errorFinding(
    subject,
    `no backup can be stored in ${to}: ${reason}`,
    "give the user of the service write access to it, or name another folder in `backup.to`",
  );
}

function checkNewest(service: BackedUpStore, state: BackupState): Finding {
  const { now, backup } = service;
  const { last } = state;
  const subject = subjectOf(service);
  const newestAt = newestBackupAt(state, now);
  if (newestAt === null) {
    return last !== null && backup !== undefined
      ? warning(
          subject,
          `${backup.to} holds no backup, although the last one was stored at ${last.place}`,
          "check that the place is there, and that backups are not removed",
        )
      : warning(
          subject,
          "no backup has been made and verified yet",
          backup === undefined
            ? `set \`${service.name}.backup\` in the configuration, or run \`trellis ${service.name} backup FILE\` on a timer`
            : "start `trellis serve`, which makes the first at once, or find `backup_failed` in its log",
        );
  }
  if (isFuture(newestAt, now)) {
    return warning(
      subject,
      `the last backup is dated ${new Date(newestAt).toISOString()}, in the future, so its age is not known`,
      "check the clock of this machine, and make a backup once it is right",
    );
  }
  const isLast = last !== null && isOfTime(last, newestAt);
  const place = isLast ? last.place : (backup?.to ?? "");
  if (isLast && isFile(place) && !existsSync(place)) {
    return warning(
      subject,
      `the last backup, ${place}, does not exist`,
      "check that backups are not removed",
    );
  }
  const ageMs = now - newestAt;
  const maxAgeMs = backup === undefined ? OLD_BACKUP_MS : 2 * INTERVAL_MS[backup.every];
  if (ageMs >= maxAgeMs) {
    return warning(
      subject,
      `the last backup is ${describeAge(ageMs)} old`,
      backup === undefined
        ? "check the timer that makes the backups"
        : `one is due every ${backup.every}: check that \`trellis serve\` runs, and find \`backup_failed\` in its log`,
    );
  }
  return isLast && last.verifiedAt !== null
    ? ok(subject, `${place} was verified and is ${describeAge(ageMs)} old`)
    : ok(
        subject,
        `${place} holds a backup that is ${describeAge(ageMs)} old; another server made it, and this one has not verified it`,
      );
}

function subjectOf({ name }: BackedUpStore): string {
  return `${name} backup`;
}

function isFile(place: string): boolean {
  return place !== STANDARD_OUTPUT && parseS3Address(place) === null;
}

function describeAge(milliseconds: number): string {
  const hours = Math.floor(milliseconds / 3_600_000);
  if (hours < 24) return hours < 1 ? "less than an hour" : `${hours} h`;
  const days = Math.floor(hours / 24);
  return days === 1 ? "1 day" : `${days} days`;
}
