/** The results of a run, for people and for programs. */
import type { CaseResult } from "./case.ts";

export interface ConformanceReport {
  readonly service: string;
  readonly baseUrl: string;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly results: readonly CaseResult[];
}

// A fault in a list of twenty is the same fault; the first few show what it is.
const SHOWN_VIOLATIONS = 5;

export function createReport(
  service: string,
  baseUrl: string,
  results: readonly CaseResult[],
): ConformanceReport {
  const count = (kind: CaseResult["outcome"]["kind"]) =>
    results.filter(({ outcome }) => outcome.kind === kind).length;
  return {
    service,
    baseUrl,
    passed: count("passed"),
    failed: count("failed"),
    skipped: count("skipped"),
    results,
  };
}

/** Whether the server kept every requirement that could be tested. */
export function isConforming(report: ConformanceReport): boolean {
  return report.failed === 0 && report.passed > 0;
}

export function reportToText(report: ConformanceReport): string {
  const lines = [`Conformance of ${report.baseUrl} to the ${report.service} contract`, ""];
  for (const result of report.results) lines.push(...resultToLines(result));
  lines.push("", summarize(report));
  return lines.join("\n");
}

function resultToLines({ id, title, section, outcome }: CaseResult): string[] {
  switch (outcome.kind) {
    case "passed":
      return [`pass  ${id}`];
    case "skipped":
      return [`skip  ${id}`, `      ${outcome.reason}`];
    case "failed": {
      const shown = outcome.violations.slice(0, SHOWN_VIOLATIONS);
      const hidden = outcome.violations.length - shown.length;
      return [
        `FAIL  ${id}`,
        `      ${title}`,
        ...shown.flatMap(({ asked, expected, received }) => [
          `      asked     ${asked}`,
          `      expected  ${expected}`,
          `      got       ${received}`,
        ]),
        ...(hidden > 0 ? [`      and ${hidden} more like it`] : []),
        `      see       ${section}`,
      ];
    }
  }
}

function summarize(report: ConformanceReport): string {
  const { passed, failed, skipped } = report;
  const counts = `${passed} passed, ${failed} failed, ${skipped} skipped`;
  if (failed > 0) return `${counts}: not compatible`;
  if (passed === 0) return `${counts}: nothing was proved`;
  return skipped > 0 ? `${counts}: compatible as far as it was tested` : `${counts}: compatible`;
}
