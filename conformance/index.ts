/** `trellis/conformance`: proof that a server is compatible, for test suites and the command line. */
export type { CaseFailure, CaseOutcome, CaseResult, ConformanceCase } from "./case.ts";
export type { CheckOptions } from "./check.ts";
export { EVENTS_CASES } from "./events/cases.ts";
export { checkEvents } from "./events/check-events.ts";
export type { EventsInput, EventsLevel } from "./events/input.ts";
export { RELEASE_CASES } from "./release/cases.ts";
export { checkRelease } from "./release/check-release.ts";
export type { ReleaseFixtures, ReleaseInput } from "./release/input.ts";
export { isConforming, reportToText, type ConformanceReport } from "./report.ts";
export { SYNC_CASES } from "./sync/cases.ts";
export { checkSync } from "./sync/check-sync.ts";
export { SYNC_CLIENT_CASES } from "./sync/client/cases.ts";
export { checkSyncClient } from "./sync/client/check-sync-client.ts";
export type { SyncInput } from "./sync/input.ts";
