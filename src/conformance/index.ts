/** `trellis/conformance`: proof that a server is compatible, for test suites and the command line. */
export type { CaseOutcome, CaseResult, ConformanceCase, Violation } from "./case.ts";
export { checkEvents } from "./check-events.ts";
export type { CheckOptions } from "./check-options.ts";
export { checkRelease } from "./check-release.ts";
export { checkSync } from "./check-sync.ts";
export { EVENTS_CASES } from "./events-cases.ts";
export type { EventsInput, EventsLevel } from "./events/input.ts";
export { RELEASE_CASES } from "./release-cases.ts";
export type { ReleaseHoldings, ReleaseInput } from "./release/input.ts";
export { isConforming, reportToText, type ConformanceReport } from "./report.ts";
export { SYNC_CASES } from "./sync-cases.ts";
export type { SyncInput } from "./sync/input.ts";
