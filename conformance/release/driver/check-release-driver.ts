import { checkDriver, type DriverCase } from "../../drivers/check-driver.ts";
import type { Driver } from "../../drivers/driver.ts";
import type { DriverReport } from "../../report.ts";
import type { RunOptions } from "../../run-cases.ts";
import { CHOICE_CASES } from "./cases/choice.ts";
import { FILE_CASES } from "./cases/files.ts";
import { SIGNED_MANIFEST_CASES } from "./cases/manifests.ts";
import { MEMORY_CASES } from "./cases/memory.ts";
import { ROLLOUT_CASES } from "./cases/rollouts.ts";

/** All cases of an update client, in the order of the report. */
export const RELEASE_DRIVER_CASES: readonly DriverCase[] = [
  ...SIGNED_MANIFEST_CASES,
  ...MEMORY_CASES,
  ...CHOICE_CASES,
  ...ROLLOUT_CASES,
  ...FILE_CASES,
];

/**
 * Tests whether the update client that the driver runs installs what it should, and nothing else.
 * @param options - which cases run, and who learns of each result
 * @returns the report, with a result for each case
 */
export function checkReleaseDriver(
  driver: Driver,
  options: RunOptions = {},
): Promise<DriverReport> {
  return checkDriver("release", RELEASE_DRIVER_CASES, driver, options);
}
