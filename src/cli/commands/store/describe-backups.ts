/** The backups of a service in its status. */
import type { BackupState } from "../../../server/backup-state.ts";
import { formatAge, formatBytes, formatCount } from "../../format.ts";

/** `lag` is what the store has that the backup has not. */
export function describeBackups(
  service: string,
  { last, failure }: BackupState,
  now: number,
  lag: string | null = null,
): string[] {
  const lines =
    last === null
      ? [`none: run \`trellis ${service} backup FILE\`, or set \`${service}.backup\``]
      : [
          `${last.createdAt}, ${formatAge(now - Date.parse(last.createdAt))}, verified, ${formatBytes(last.bytes)}, ${last.place}${lag === null ? "" : ` (${lag})`}`,
        ];
  if (failure !== null) {
    lines.push(
      `failing since ${failure.since} (${formatCount(failure.attempts, "attempt")}): ${failure.message}`,
    );
  }
  return lines;
}
