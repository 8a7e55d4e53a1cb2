import { checkDriver, type DriverCase } from "../../drivers/check-driver.ts";
import type { Driver } from "../../drivers/driver.ts";
import type { DriverReport } from "../../report.ts";
import type { RunOptions } from "../../run-cases.ts";
import { IMPORT_CASES } from "./cases/imports.ts";
import { LOGIN_CASES } from "./cases/login.ts";
import { ORIGIN_CASES } from "./cases/origins.ts";
import { REQUEST_CASES } from "./cases/requests.ts";
import { RESPONSE_CASES } from "./cases/responses.ts";

/** All cases of an events client, in the order of the report. */
export const EVENTS_DRIVER_CASES: readonly DriverCase[] = [
  ...ORIGIN_CASES,
  ...LOGIN_CASES,
  ...REQUEST_CASES,
  ...RESPONSE_CASES,
  ...IMPORT_CASES,
];

/**
 * Tests whether the events client that the driver runs asks and imports as the contract says.
 * @param options - which cases run, and who learns of each result
 * @returns the report, with a result for each case
 */
export function checkEventsDriver(driver: Driver, options: RunOptions = {}): Promise<DriverReport> {
  return checkDriver("events", EVENTS_DRIVER_CASES, driver, options);
}
