/** What a fetch imported, or would import, and which entries it skipped. */
import type {
  FeedPreview,
  ImportSummary,
  PreviewedEntry,
  ReadingSummary,
} from "../../../contract/events/page-views.ts";
import type { Language } from "../../../contract/language.ts";
import { html, type Html } from "../../html.ts";
import { typeBadge, typeName } from "../event-types.ts";
import { describeCode, FEED_NOTICE_TEXTS, SKIP_REASON_TEXTS } from "../feed-texts.ts";
import { clockOf, type SignedInFrame } from "../frame.ts";
import { describeEventDay } from "../../moments.ts";
import type { SubscriptionsTexts } from "./texts.ts";

export function importReport(
  report: ImportSummary,
  language: Language,
  texts: SubscriptionsTexts,
): Html {
  const labels = texts.report;
  const counts = [
    [report.added, labels.added],
    [report.changed, labels.changed],
    [report.deleted, labels.deleted],
    [report.unchanged, labels.unchanged],
    [report.held, labels.held],
  ] as const;
  return html`<p class="label">${labels.title}</p>
    <ul class="row tally">
      ${counts
        .filter(([count], index) => count > 0 || index < 2)
        .map(([count, label]) => html`<li><b>${count}</b> ${label}</li>`)}
    </ul>
    ${readingNotes(report, language, texts)}`;
}

export function feedPreview(
  feed: FeedPreview,
  frame: SignedInFrame,
  texts: SubscriptionsTexts,
): Html {
  const { entries, total, countsByType } = feed;
  const labels = texts.found;
  const counts = Object.entries(countsByType).sort(([, a], [, b]) => b - a);
  return html`<section class="preview" aria-labelledby="preview-title">
    <h3 id="preview-title" tabindex="-1" autofocus>${labels.title}</h3>
    ${
      total === 0
        ? html`<p>${labels.nothing}</p>`
        : html`<p><strong>${labels.total(total)}</strong> ${labels.notYet}</p>
            <ul class="row tally">
              ${counts.map(
                ([type, count]) => html`<li><b>${count}</b> ${typeName(type, frame.language)}</li>`,
              )}
            </ul>
            ${entryTable(entries, total, frame, texts)}`
    }
    ${readingNotes(feed, frame.language, texts)}
  </section>`;
}

/** Explicit roles: on narrow screens the rows are blocks, which removes their implicit ones. */
function entryTable(
  entries: readonly PreviewedEntry[],
  total: number,
  frame: SignedInFrame,
  texts: SubscriptionsTexts,
): Html {
  const labels = texts.found;
  return html`<table role="table">
    <caption>
      ${labels.caption(entries.length, total)}
    </caption>
    <thead role="rowgroup">
      <tr role="row">
        <th role="columnheader" scope="col">${labels.date}</th>
        <th role="columnheader" scope="col">${labels.entry}</th>
        <th role="columnheader" scope="col">${labels.type}</th>
      </tr>
    </thead>
    <tbody role="rowgroup">
      ${entries.map((entry) => entryRow(entry, frame, texts))}
    </tbody>
  </table>`;
}

function entryRow(entry: PreviewedEntry, frame: SignedInFrame, texts: SubscriptionsTexts): Html {
  const { title, subjectName, type, because } = entry;
  const labels = texts.found;
  const day = describeEventDay(entry.date, clockOf(frame));
  return html`<tr role="row">
    <td role="cell">
      ${
        day === null
          ? labels.undated
          : html`${day.label} ${day.year} ${day.time !== null && html`<small>${day.time}</small>`}`
      }
    </td>
    <td role="cell">
      ${title ?? subjectName ?? labels.untitled}
      ${title !== null && subjectName !== null && html`<small>${subjectName}</small>`}
    </td>
    <td role="cell">
      ${typeBadge(type, frame.language)}
      <small>${because === null ? labels.byDefault : labels.because(because)}</small>
    </td>
  </tr>`;
}

function readingNotes(
  summary: ReadingSummary,
  language: Language,
  texts: SubscriptionsTexts,
): readonly (Html | false)[] {
  return [noticeList(summary, language), skippedList(summary, language, texts)];
}

function noticeList({ notices }: ReadingSummary, language: Language): Html | false {
  if (notices.length === 0) return false;
  return html`<ul class="skipped">
    ${notices.map(
      ({ code, examples }) =>
        html`<li>
          ${describeCode(FEED_NOTICE_TEXTS, code, language)}
          ${examples.map((example) => html`<code>${example}</code> `)}
        </li>`,
    )}
  </ul>`;
}

function skippedList(
  { skippedCount, skipped }: ReadingSummary,
  language: Language,
  { report }: SubscriptionsTexts,
): Html | false {
  if (skippedCount === 0) return false;
  const rest = skippedCount - skipped.length;
  return html`<details class="more">
    <summary>${report.skipped(skippedCount)}</summary>
    <ul class="skipped">
      ${skipped.map(
        ({ what, reason }) =>
          html`<li><code>${what}</code> ${describeCode(SKIP_REASON_TEXTS, reason, language)}</li>`,
      )}
      ${rest > 0 && html`<li>${report.more(rest)}</li>`}
    </ul>
  </details>`;
}
