import { CLIENT_EXTENSION_CASES } from "./cases/extensions.ts";
import { CLIENT_RECOVERY_CASES } from "./cases/recovery.ts";
import { CLIENT_SESSION_CASES } from "./cases/sessions.ts";
import { CLIENT_SYNC_CASES } from "./cases/sync.ts";
import type { SyncClientCase } from "./client-run.ts";

/** All cases of the sync client, in the order of the report. */
export const SYNC_CLIENT_CASES: readonly SyncClientCase[] = [
  ...CLIENT_SESSION_CASES,
  ...CLIENT_SYNC_CASES,
  ...CLIENT_RECOVERY_CASES,
  ...CLIENT_EXTENSION_CASES,
];
