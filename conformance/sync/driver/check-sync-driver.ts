import { checkDriver, type DriverCase } from "../../drivers/check-driver.ts";
import type { Driver } from "../../drivers/driver.ts";
import type { DriverReport } from "../../report.ts";
import type { RunOptions } from "../../run-cases.ts";
import { MERGING_CASES } from "./cases/merging.ts";
import { RECOVERY_CASES } from "./cases/recovery.ts";
import { ACCOUNT_SESSION_CASES } from "./cases/sessions.ts";

/** All cases of a sync client, in the order of the report. */
export const SYNC_DRIVER_CASES: readonly DriverCase[] = [
  ...ACCOUNT_SESSION_CASES,
  ...MERGING_CASES,
  ...RECOVERY_CASES,
];

/** Whether the sync client that the driver runs loses nothing, and agrees with other devices. */
export function checkSyncDriver(driver: Driver, options: RunOptions = {}): Promise<DriverReport> {
  return checkDriver("sync", SYNC_DRIVER_CASES, driver, options);
}
