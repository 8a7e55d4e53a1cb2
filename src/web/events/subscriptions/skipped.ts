/** Entries that were left out, each with its reason. */
import { html, type Html } from "../../html.ts";
import type { Language } from "../../language.ts";
import { describeSkipReason } from "../codes/skip-reasons.ts";
import type { SubscriptionsTexts } from "./texts.ts";

export interface SkippedItem {
  readonly what: string;
  /** A code. */
  readonly reason: string;
}

export function skippedList(
  count: number,
  skipped: readonly SkippedItem[],
  language: Language,
  { report }: SubscriptionsTexts,
): Html | false {
  if (count === 0) return false;
  const rest = count - skipped.length;
  return html`<details class="more">
    <summary>${report.skipped(count)}</summary>
    <ul class="skipped">
      ${skipped.map(
        ({ what, reason }) =>
          html`<li><code>${what}</code> ${describeSkipReason(reason, language)}</li>`,
      )}
      ${rest > 0 && html`<li>${report.more(rest)}</li>`}
    </ul>
  </details>`;
}
