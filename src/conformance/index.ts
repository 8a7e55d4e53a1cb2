/** `trellis/conformance`: proof that a server is compatible, for test suites and the command line. */
export type { CaseOutcome, CaseResult, ConformanceCase, Violation } from "./case.ts";
export { checkRelease, type CheckOptions } from "./check-release.ts";
export { RELEASE_CASES } from "./release-cases.ts";
export type { ReleaseHoldings, ReleaseInput } from "./release/input.ts";
export { isConforming, reportToText, type ConformanceReport } from "./report.ts";
