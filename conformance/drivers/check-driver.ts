/** Runs the cases of a service's clients with a driver. */
import { toCases, type ConformanceCase } from "../case.ts";
import { countResults, type DriverReport } from "../report.ts";
import { runCases, type RunOptions } from "../run-cases.ts";
import { createClientUnderTest, type ClientUnderTest } from "./client-under-test.ts";
import type { Driver } from "./driver.ts";

export type DriverCase = ConformanceCase<ClientUnderTest>;
export const driverCases = toCases<ClientUnderTest>;

/** A case starts the driver up to thirty times. */
const CASE_TIMEOUT_MS = 300_000;

export async function checkDriver(
  service: string,
  cases: readonly DriverCase[],
  driver: Driver,
  options: RunOptions = {},
  level?: string,
): Promise<DriverReport> {
  const runOptions = { caseTimeoutMs: CASE_TIMEOUT_MS, ...options };
  const results = await runCases(cases, createClientUnderTest(driver), runOptions);
  return { driver: driver.name, ...countResults(service, results, level) };
}
