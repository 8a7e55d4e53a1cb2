import { MAX_CLOCK_SKEW_MS } from "../backup/backup-state.ts";

/** "4,812". */
export function formatNumber(value: number): string {
  return value.toLocaleString("en-US");
}

/** "1 device", "4,812 entities". */
export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`;
}

export function formatTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** "2026-11-25 16:27 UTC". */
export function formatMinute(milliseconds: number): string {
  return `${formatTime(milliseconds).slice(0, 16).replace("T", " ")} UTC`;
}

const UNITS = ["bytes", "KiB", "MiB", "GiB", "TiB"];

/** "812 bytes", "3.4 MiB". */
export function formatBytes(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(bytes) / 10));
  const value = bytes / 1024 ** power;
  return `${power === 0 ? value : value.toFixed(1)} ${UNITS[power]}`;
}

/** "8 s", "3 min 20 s", "2 h 5 min"; rounded up, so that the end is never late. */
export function formatDuration(milliseconds: number): string {
  const seconds = Math.max(1, Math.ceil(milliseconds / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? `${minutes} min ${seconds % 60} s`
    : `${formatNumber(Math.floor(minutes / 60))} h ${minutes % 60} min`;
}

/** Columns of equal width, two spaces apart. */
export function formatTable(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}

const FILE_UNITS = ["kB", "MB", "GB", "TB"];

/** The size of a download, in the units that browsers show: "12.3 MB (12,345,678 bytes)". */
export function formatFileSize(bytes: number): string {
  const exact = formatCount(bytes, "byte");
  let value = bytes;
  let unit: string | undefined;
  for (const larger of FILE_UNITS) {
    // A value below this is still shown as less than 1,000.
    if (value < 999.95) break;
    value /= 1000;
    unit = larger;
  }
  return unit === undefined || bytes < 1000 ? exact : `${value.toFixed(1)} ${unit} (${exact})`;
}

/** "less than an hour ago", "5 hours ago", "3 days ago"; "in the future" where a clock was ahead. */
export function formatAge(milliseconds: number): string {
  if (milliseconds < -MAX_CLOCK_SKEW_MS) return "in the future";
  const hours = Math.floor(milliseconds / 3_600_000);
  if (hours < 1) return "less than an hour ago";
  return `${hours < 48 ? formatCount(hours, "hour") : formatCount(Math.floor(hours / 24), "day")} ago`;
}
