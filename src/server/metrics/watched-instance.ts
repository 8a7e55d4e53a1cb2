import type { DeviceLags } from "./device-lags.ts";

/** An instance of a server with several, as far as it is known without opening it. */
export interface WatchedInstance {
  readonly name: string;
  readonly isSuspended: boolean;
  /** Milliseconds since 1970; null when there is none. */
  readonly lastBackupAt: number | null;
  /** Null before its first use. */
  readonly figures: { readonly bytes: number; readonly lags: DeviceLags } | null;
}

/** How many a process has open. */
export interface OpenCounts {
  readonly open: number;
  /** Those with a request or a stream in progress. */
  readonly inUse: number;
}
