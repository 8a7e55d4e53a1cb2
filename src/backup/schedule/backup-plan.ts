/** How often backups are made, where to, and how many stay. */
export interface BackupPlan {
  readonly every: "hour" | "day" | "week";
  /** The path of a folder, or `s3://bucket/prefix`. */
  readonly to: string;
  readonly keep: { readonly daily: number; readonly weekly: number; readonly monthly: number };
  /** Public keys of age that all backups are encrypted to; absent: they are not encrypted. */
  readonly encryptTo?: readonly string[];
}
