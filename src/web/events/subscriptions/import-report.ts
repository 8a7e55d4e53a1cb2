/** What a fetch imported, or would import, and which entries it skipped. */
import type {
  FeedPreview,
  ImportSummary,
  PreviewedEntry,
  ReadingSummary,
} from "../../../contract/events/page-views.ts";
import type { Language } from "../../../contract/language.ts";
import { ACCOUNT_TEXTS } from "../../account-texts.ts";
import { html, type Html } from "../../html.ts";
import { typeBadge, typeName } from "../event-types.ts";
import { describeCode, FEED_NOTICE_TEXTS, SKIP_REASON_TEXTS } from "../feed-texts.ts";
import { clockOf, type SignedInFrame } from "../frame.ts";
import { describeEventDay } from "../../moments.ts";
import { SUBSCRIPTIONS_TEXTS } from "./texts.ts";

export function importReport(report: ImportSummary, language: Language): Html {
  const labels = SUBSCRIPTIONS_TEXTS[language].report;
  const counts = [
    [report.added, labels.added],
    [report.changed, labels.changed],
    [report.deleted, labels.deleted],
    [report.unchanged, labels.unchanged],
    [report.held, labels.held],
  ] as const;
  return html`<p class="meta label">${labels.title}</p>
    <ul class="row tally">
      ${counts
        .filter(([count], index) => count > 0 || index < 2)
        .map(([count, label]) => html`<li><b>${count}</b> ${label}</li>`)}
    </ul>
    ${readingNotes(report, language)}`;
}

export function feedPreview(feed: FeedPreview, frame: SignedInFrame): Html {
  const { total, countsByType } = feed;
  const labels = SUBSCRIPTIONS_TEXTS[frame.language].found;
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
            ${entryTable(feed, frame)}`
    }
    ${readingNotes(feed, frame.language)}
  </section>`;
}

/** Explicit roles: on narrow screens the rows are blocks, which removes their implicit ones. */
function entryTable({ entries, total }: FeedPreview, frame: SignedInFrame): Html {
  const labels = SUBSCRIPTIONS_TEXTS[frame.language].found;
  return html`<table class="wrapping" role="table">
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
      ${entries.map((entry) => entryRow(entry, frame))}
    </tbody>
  </table>`;
}

function entryRow(entry: PreviewedEntry, frame: SignedInFrame): Html {
  const { title, subjectName, type, because } = entry;
  const labels = SUBSCRIPTIONS_TEXTS[frame.language].found;
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
      ${title ?? subjectName ?? ACCOUNT_TEXTS[frame.language].untitled}
      ${title !== null && subjectName !== null && html`<small>${subjectName}</small>`}
    </td>
    <td role="cell">
      ${typeBadge(type, frame.language)}
      <small>${because === null ? labels.byDefault : labels.because(because)}</small>
    </td>
  </tr>`;
}

function readingNotes(summary: ReadingSummary, language: Language): readonly (Html | false)[] {
  return [noticeList(summary, language), skippedList(summary, language)];
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

function skippedList(summary: ReadingSummary, language: Language): Html | false {
  const { skippedCount, skipped } = summary;
  const { report } = SUBSCRIPTIONS_TEXTS[language];
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
