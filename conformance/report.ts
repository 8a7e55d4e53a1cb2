import type { CaseFailure, CaseResult } from "./case.ts";

interface CountedResults {
  readonly service: string;
  /** The tested level, where a service has more than one. */
  readonly level?: string;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly results: readonly CaseResult[];
}

/** The report on a server. */
export interface ConformanceReport extends CountedResults {
  /** The server that was checked. */
  readonly baseUrl: string;
}

/** The report on a client, which this driver runs. */
export interface DriverReport extends CountedResults {
  /** The client that was checked. */
  readonly driver: string;
}

type AnyReport = ConformanceReport | DriverReport;

// Further failures of one case are mostly the same error.
const MAX_SHOWN_FAILURES = 5;

export function createReport(
  service: string,
  baseUrl: string,
  results: readonly CaseResult[],
  level?: string,
): ConformanceReport {
  return { baseUrl, ...countResults(service, results, level) };
}

export function countResults(
  service: string,
  results: readonly CaseResult[],
  level?: string,
): CountedResults {
  const count = (kind: CaseResult["outcome"]["kind"]) =>
    results.filter(({ outcome }) => outcome.kind === kind).length;
  return {
    service,
    ...(level !== undefined && { level }),
    passed: count("passed"),
    failed: count("failed"),
    skipped: count("skipped"),
    results,
  };
}

/**
 * Tells whether the server or the client meets every requirement that could be tested, for the assertion of
 * a test.
 * @param report - the report of a check
 * @returns false when a case failed, or none passed
 */
export function isConforming(report: AnyReport): boolean {
  return report.failed === 0 && report.passed > 0;
}

/**
 * Writes a report as lines for people.
 * @param report - the report of a check
 * @returns the text, without a secret
 */
export function reportToText(report: AnyReport): string {
  return reportToLines(report).join("\n");
}

export function reportToLines(report: AnyReport): string[] {
  const level = report.level === undefined ? "" : `, level ${report.level}`;
  const tested = "driver" in report ? `the client of ${report.driver}` : report.baseUrl;
  const lines = [`Conformance of ${tested} to the ${report.service} contract${level}`, ""];
  const shown = new Map<string, string>();
  for (const result of report.results) lines.push(...resultToLines(result, shown));
  lines.push("", ...listFailed(report), summarize(report));
  return lines;
}

/** Of a long report, people see the end first. */
function listFailed({ results }: AnyReport): string[] {
  const failed = results.filter(({ outcome }) => outcome.kind === "failed");
  return failed.length === 0 ? [] : ["Failed:", ...failed.map(({ id }) => `  ${id}`)];
}

function resultToLines(result: CaseResult, shown: Map<string, string>): string[] {
  const { id, title, section, outcome } = result;
  switch (outcome.kind) {
    case "passed":
      return [`pass  ${id}`];
    case "skipped":
      return [`skip  ${id}`, `      ${outcome.reason}`];
    case "failed":
      return [
        `FAIL  ${id}`,
        `      ${title}`,
        ...failuresToLines(id, outcome.violations, shown),
        `      see       ${section}`,
      ];
  }
}

/**
 * `shown` has the case that showed a failure first. Many cases begin with the same request; one
 * explanation of its failure is enough.
 */
function failuresToLines(
  id: string,
  failures: readonly CaseFailure[],
  shown: Map<string, string>,
): string[] {
  const fresh = failures.filter((failure) => !shown.has(JSON.stringify(failure)));
  const [first] = failures;
  if (fresh.length === 0 && first !== undefined) {
    return [`      stumbles over what is shown at ${shown.get(JSON.stringify(first))}`];
  }
  for (const failure of fresh) shown.set(JSON.stringify(failure), id);
  const lines = fresh
    .slice(0, MAX_SHOWN_FAILURES)
    .flatMap(({ asked, expected, received }) => [
      `      asked     ${asked}`,
      `      expected  ${expected}`,
      `      got       ${received}`,
    ]);
  const hidden = fresh.length - MAX_SHOWN_FAILURES;
  return hidden > 0 ? [...lines, `      and ${hidden} more like it`] : lines;
}

function summarize(report: AnyReport): string {
  const { passed, failed, skipped } = report;
  const counts = `${passed} passed, ${failed} failed, ${skipped} skipped`;
  if (failed > 0) return `${counts}: not compatible`;
  if (passed === 0) return `${counts}: nothing was proved`;
  return skipped > 0 ? `${counts}: compatible as far as it was tested` : `${counts}: compatible`;
}
