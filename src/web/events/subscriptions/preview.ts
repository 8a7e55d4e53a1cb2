/** What a subscription would import, and which word gave each entry its type. */
import { html, type Html } from "../../html.ts";
import { nameOfType, typeBadge } from "../event-types.ts";
import { describeEventDay } from "../moments.ts";
import { clockOf, type SignedInFrame } from "../signed-in.ts";
import { skippedList, type SkippedItem } from "./skipped.ts";
import type { SubscriptionsTexts } from "./texts.ts";

export interface PreviewedFeed {
  readonly entries: readonly PreviewedEntry[];
  readonly total: number;
  readonly countsByType: Readonly<Record<string, number>>;
  readonly skippedCount: number;
  readonly skipped: readonly SkippedItem[];
}

export interface PreviewedEntry {
  readonly type: string;
  readonly title: string | null;
  readonly subjectName: string | null;
  readonly date: string | null;
  readonly because: string | null;
}

export function feedPreview(
  feed: PreviewedFeed,
  frame: SignedInFrame,
  texts: SubscriptionsTexts,
): Html {
  const { entries, total, countsByType } = feed;
  const words = texts.found;
  const counts = Object.entries(countsByType).sort(([, a], [, b]) => b - a);
  return html`<section class="preview" aria-labelledby="preview-title">
    <h3 id="preview-title" tabindex="-1" autofocus>${words.title}</h3>
    ${
      total === 0
        ? html`<p>${words.nothing}</p>`
        : html`<p><strong>${words.total(total)}</strong> ${words.notYet}</p>
            <ul class="tally">
              ${counts.map(
                ([type, count]) =>
                  html`<li><b>${count}</b> ${nameOfType(type, frame.language)}</li>`,
              )}
            </ul>
            ${entryTable(entries, total, frame, texts)}`
    }
    ${skippedList(feed.skippedCount, feed.skipped, frame.language, texts)}
  </section>`;
}

/** With the roles spelled out: on a phone the rows are laid out as blocks, which takes them away. */
function entryTable(
  entries: readonly PreviewedEntry[],
  total: number,
  frame: SignedInFrame,
  texts: SubscriptionsTexts,
): Html {
  const words = texts.found;
  return html`<table role="table">
    <caption>
      ${words.caption(entries.length, total)}
    </caption>
    <thead role="rowgroup">
      <tr role="row">
        <th role="columnheader" scope="col">${words.date}</th>
        <th role="columnheader" scope="col">${words.entry}</th>
        <th role="columnheader" scope="col">${words.type}</th>
      </tr>
    </thead>
    <tbody role="rowgroup">
      ${entries.map((entry) => entryRow(entry, frame, texts))}
    </tbody>
  </table>`;
}

function entryRow(entry: PreviewedEntry, frame: SignedInFrame, texts: SubscriptionsTexts): Html {
  const { title, subjectName, type, because } = entry;
  const words = texts.found;
  const day = describeEventDay(entry.date, clockOf(frame));
  return html`<tr role="row">
    <td role="cell">
      ${
        day === null
          ? words.undated
          : html`${day.label} ${day.year} ${day.time !== null && html`<small>${day.time}</small>`}`
      }
    </td>
    <td role="cell">
      ${title ?? subjectName ?? words.untitled}
      ${title !== null && subjectName !== null && html`<small>${subjectName}</small>`}
    </td>
    <td role="cell">
      ${typeBadge(type, frame.language)}
      <small>${because === null ? words.byDefault : words.because(because)}</small>
    </td>
  </tr>`;
}
