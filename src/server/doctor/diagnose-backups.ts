/** Whether the last verified backup of a service is there, and new enough. */
import { existsSync } from "node:fs";
import { DAY_MS } from "../../contract/durations.ts";
import { readBackupState, STANDARD_OUTPUT, type BackupRecord } from "../backup-state.ts";
import { INTERVAL_MS } from "../backups/due-times.ts";
import type { StoreSection } from "../configuration-schema.ts";
import type { StoreOwner } from "../store-description.ts";
import { parseS3Address } from "../object-storage/s3-settings.ts";
import { ok, warning, type Finding } from "./finding.ts";

export interface BackedUpStore extends Pick<StoreSection, "backup"> {
  readonly name: StoreOwner;
  readonly dataDir: string;
  readonly now: number;
}

/** A backup of a service without a schedule is old when a daily timer has failed for a week. */
const OLD_BACKUP_MS = 7 * DAY_MS;

export async function diagnoseBackups(service: BackedUpStore): Promise<Finding[]> {
  const { last, failure } = await readBackupState(service.dataDir, service.name);
  const finding = checkLast(service, last);
  if (failure === null || service.backup === undefined) return [finding];
  return [
    finding,
    warning(
      subjectOf(service),
      `scheduled backups fail since ${failure.since}: ${failure.message}`,
      "the server tries again by itself, at least once an hour",
    ),
  ];
}

function checkLast(service: BackedUpStore, last: BackupRecord | null): Finding {
  const { now, backup } = service;
  const subject = subjectOf(service);
  if (last === null) {
    return warning(
      subject,
      "no backup has been made and verified yet",
      backup === undefined
        ? `set \`${service.name}.backup\` in the configuration, or run \`trellis ${service.name} backup FILE\` on a timer`
        : "start `trellis serve`, which makes the first at once, or find `backup_failed` in its log",
    );
  }
  const { place } = last;
  if (isFile(place) && !existsSync(place)) {
    return warning(
      subject,
      `the last backup, ${place}, does not exist`,
      "check that backups are not removed",
    );
  }
  const ageMs = now - Date.parse(last.createdAt);
  const maxAgeMs = backup === undefined ? OLD_BACKUP_MS : 2 * INTERVAL_MS[backup.every];
  return ageMs >= maxAgeMs
    ? warning(
        subject,
        `the last backup is ${describeAge(ageMs)} old`,
        backup === undefined
          ? "check the timer that makes the backups"
          : `one is due every ${backup.every}: check that \`trellis serve\` runs, and find \`backup_failed\` in its log`,
      )
    : ok(subject, `${place} was verified and is ${describeAge(ageMs)} old`);
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
