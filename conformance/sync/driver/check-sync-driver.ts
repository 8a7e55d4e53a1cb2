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

/**
 * Tests whether the sync client that the driver runs loses nothing, and agrees with other devices.
 * @param options - which cases run, and who learns of each result
 * @returns the report, with a result for each case
 */
export function checkSyncDriver(driver: Driver, options: RunOptions = {}): Promise<DriverReport> {
  return checkDriver("sync", SYNC_DRIVER_CASES, driver, options);
}
