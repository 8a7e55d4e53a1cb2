/** `trellis/conformance`: proof that a server or a client is compatible, for test suites and the command line. */
export {
  createAuthenticator,
  type Deviations,
  type MadePasskey,
  type SoftwarePasskey,
} from "./authenticator.ts";
export type { CaseFailure, CaseOutcome, CaseResult } from "./case.ts";
export type { CheckOptions } from "./check.ts";
export {
  createFunctionDriver,
  type Driver,
  type DriverResult,
  type DriverRun,
} from "./drivers/driver.ts";
export { createProcessDriver, type ProcessDriverOptions } from "./drivers/process-driver.ts";
export { checkEvents } from "./events/check-events.ts";
export { checkEventsDriver } from "./events/driver/check-events-driver.ts";
export type { EventsTask } from "./events/driver/task.ts";
export type { EventsInput, EventsLevel } from "./events/input.ts";
export { checkRelease } from "./release/check-release.ts";
export { checkReleaseDriver } from "./release/driver/check-release-driver.ts";
export type { UpdateTask } from "./release/driver/task.ts";
export type { ReleaseFixtures, ReleaseInput } from "./release/input.ts";
export { isConforming, reportToText, type ConformanceReport, type DriverReport } from "./report.ts";
export { checkSync } from "./sync/check-sync.ts";
export { checkSyncClient } from "./sync/client/check-sync-client.ts";
export { checkSyncDriver } from "./sync/driver/check-sync-driver.ts";
export type { SyncTask } from "./sync/driver/task.ts";
export type { SyncInput } from "./sync/input.ts";
