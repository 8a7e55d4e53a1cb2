/** What is kept of the last import, as the text in `Subscription.report`. */
import type { ImportSummary } from "../pages.ts";

export interface SubscriptionReport {
  /** When the feed was last read in full. */
  readonly importedAt: number;
  /** For which clocks. */
  readonly timeZone: string;
  readonly summary: ImportSummary;
}

export function writeReport(report: SubscriptionReport): string {
  return JSON.stringify(report);
}

/** Only what `writeReport` wrote is ever there. */
export function readReport(text: string | null): SubscriptionReport | null {
  return text === null ? null : (JSON.parse(text) as SubscriptionReport);
}
