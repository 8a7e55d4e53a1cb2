/** What the status of both services shows of the key, the backups and security events. */
import type { Database } from "../../../database/database.ts";
import { keyPlaceOf, readKey } from "../../../identity/key-place.ts";
import { listSqlSecurityCounts } from "../../../identity/sql-identity-records.ts";
import { readBackupState, type BackupState } from "../../../backup/backup-state.ts";
import { describeKeys, summarizeKeys } from "../../../operate/describe-key.ts";
import { describeSecurityCount } from "../../../operate/security-events.ts";
import type { StoreSection } from "../../../configuration/configuration-schema.ts";
import type { StoreOwner } from "../../../database/store-kind.ts";
import type { Line } from "../../command.ts";
import { formatAge, formatBytes, formatCount } from "../../format.ts";

export async function readStoreStatus(
  service: StoreOwner,
  database: Database,
  dataDir: string,
  section: StoreSection,
) {
  const ring = await readKey(keyPlaceOf(section), database);
  return {
    key: ring === null ? null : summarizeKeys(ring),
    backups: {
      ...(await readBackupState(dataDir, service)),
      isScheduled: section.backup !== undefined,
    },
    securityEvents: await listSqlSecurityCounts(database, service),
  };
}

/** `lag` is what the store has that the backup has not; labels are as wide as `width`. */
export function describeStoreStatus(
  service: StoreOwner,
  { key, backups, securityEvents }: Awaited<ReturnType<typeof readStoreStatus>>,
  width: number,
  lag: string | null = null,
): Line[] {
  const now = Date.now();
  const label = (text: string, lines: readonly Line[]) =>
    lines.map((line) => line && text.padEnd(width) + line);
  return [
    ...label("Key", [key !== null && describeKeys(key, now)]),
    ...label("Last backup", describeBackups(service, backups, now, lag)),
    ...label("Security", securityEvents.map(describeSecurityCount)),
  ];
}

function describeBackups(
  service: StoreOwner,
  { last, failure, isScheduled }: BackupState & { readonly isScheduled: boolean },
  now: number,
  lag: string | null,
): Line[] {
  return [
    last === null
      ? `none: ${isScheduled ? "the server makes the first one soon after it starts" : `run \`trellis ${service} backup FILE\`, or set \`${service}.backup\``}`
      : `${last.createdAt}, ${formatAge(now - Date.parse(last.createdAt))}, ${last.verifiedAt === null ? "not verified here" : "verified"}, ${formatBytes(last.bytes)}, ${last.place}${lag === null ? "" : ` (${lag})`}`,
    failure !== null &&
      `failing since ${failure.since} (${formatCount(failure.attempts, "attempt")}): ${failure.message}`,
  ];
}
