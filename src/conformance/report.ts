/** The results of a run, for people and for programs. */
import type { CaseResult, Violation } from "./case.ts";

export interface ConformanceReport {
  readonly service: string;
  /** How much was asked of it, where a service has more than one level. */
  readonly level?: string;
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
  level?: string,
): ConformanceReport {
  const count = (kind: CaseResult["outcome"]["kind"]) =>
    results.filter(({ outcome }) => outcome.kind === kind).length;
  return {
    service,
    ...(level !== undefined && { level }),
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
  const level = report.level === undefined ? "" : `, level ${report.level}`;
  const lines = [`Conformance of ${report.baseUrl} to the ${report.service} contract${level}`, ""];
  // Many cases start from the list: when that is wrong, one explanation is enough.
  const shown = new Map<string, string>();
  for (const result of report.results) lines.push(...resultToLines(result, shown));
  lines.push("", summarize(report));
  return lines.join("\n");
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
        ...violationsToLines(id, outcome.violations, shown),
        `      see       ${section}`,
      ];
  }
}

/** `shown` remembers by which case a violation was shown first. */
function violationsToLines(
  id: string,
  violations: readonly Violation[],
  shown: Map<string, string>,
): string[] {
  const fresh = violations.filter((violation) => !shown.has(JSON.stringify(violation)));
  const [first] = violations;
  if (fresh.length === 0 && first !== undefined) {
    return [`      stumbles over what is shown at ${shown.get(JSON.stringify(first))}`];
  }
  for (const violation of fresh) shown.set(JSON.stringify(violation), id);
  const lines = fresh
    .slice(0, SHOWN_VIOLATIONS)
    .flatMap(({ asked, expected, received }) => [
      `      asked     ${asked}`,
      `      expected  ${expected}`,
      `      got       ${received}`,
    ]);
  const hidden = fresh.length - SHOWN_VIOLATIONS;
  return hidden > 0 ? [...lines, `      and ${hidden} more like it`] : lines;
}

function summarize(report: ConformanceReport): string {
  const { passed, failed, skipped } = report;
  const counts = `${passed} passed, ${failed} failed, ${skipped} skipped`;
  if (failed > 0) return `${counts}: not compatible`;
  if (passed === 0) return `${counts}: nothing was proved`;
  return skipped > 0 ? `${counts}: compatible as far as it was tested` : `${counts}: compatible`;
}
