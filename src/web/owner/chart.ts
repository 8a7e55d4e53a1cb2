/** Operations per day, as a picture and as a table. */
import type { Language } from "../../contract/language.ts";
import type { OwnerUsage } from "../../contract/sync/page-views.ts";
import { LOCALES } from "../format.ts";
import { html, type Html } from "../html.ts";
import type { OwnerTexts } from "./texts.ts";

const BAR_WIDTH = 8;
const BAR_GAP = 2;
const HEIGHT = 72;

export function operationsChart(
  days: OwnerUsage["days"],
  texts: OwnerTexts["activity"],
  language: Language,
): Html {
  const most = Math.max(0, ...days.map(({ operations }) => operations));
  const total = days.reduce((sum, { operations }) => sum + operations, 0);
  if (total === 0) return html`<p class="lead">${texts.none(days.length)}</p>`;
  const number = new Intl.NumberFormat(LOCALES[language]);
  const date = new Intl.DateTimeFormat(LOCALES[language], {
    day: "numeric",
    month: "long",
    timeZone: "UTC",
  });
  const first = date.format(days[0]?.startsAt ?? 0);
  const last = date.format(days.at(-1)?.startsAt ?? 0);
  const summary = texts.summary(number.format(total), days.length, number.format(most));
  const width = days.length * (BAR_WIDTH + BAR_GAP) - BAR_GAP;
  return html`<figure class="chart">
      <svg viewBox="0 0 ${width} ${HEIGHT}" role="img" aria-label="${summary}" focusable="false">
        ${days.map(({ operations }, index) => bar(operations, most, index))}
      </svg>
      <figcaption class="fine">
        <span class="row ends"><span>${first}</span> <span>${last}</span></span>
        ${summary}. ${texts.utc}
      </figcaption>
    </figure>
    ${operationsTable(days, texts, date, number)}`;
}

function operationsTable(
  days: OwnerUsage["days"],
  texts: OwnerTexts["activity"],
  date: Intl.DateTimeFormat,
  number: Intl.NumberFormat,
): Html {
  return html`<details class="more">
    <summary>${texts.table}</summary>
    <table class="numbers">
      <thead>
        <tr>
          <th scope="col">${texts.day}</th>
          <th scope="col">${texts.operations}</th>
        </tr>
      </thead>
      <tbody>
        ${days
          .filter(({ operations }) => operations > 0)
          .map(
            ({ startsAt, operations }) =>
              html`<tr>
                <th scope="row">${date.format(startsAt)}</th>
                <td>${number.format(operations)}</td>
              </tr>`,
          )}
      </tbody>
    </table>
  </details>`;
}

/** A day without operations is a line, so that it does not look as if it were missing. */
function bar(operations: number, most: number, index: number): Html {
  const height = operations === 0 ? 1 : Math.max(3, Math.round((operations / most) * HEIGHT));
  return html`<rect
    class="${operations === 0 ? "bar none" : "bar"}"
    x="${index * (BAR_WIDTH + BAR_GAP)}"
    y="${HEIGHT - height}"
    width="${BAR_WIDTH}"
    height="${height}"
    rx="${operations === 0 ? 0 : 1.5}"
  />`;
}
